/** The part of JSON Schema that openapi.yaml uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly description?: string
  readonly 'x-extensible-enum'?: readonly string[]
  readonly 'x-retryable'?: readonly string[]
}

export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const lineWidth = 100
/** A type for any other string, with which editors still suggest the known values. */
const anyText = '(string & Record<never, never>)'
const primitives: Readonly<Record<string, string>> = { integer: 'number', null: 'null' }

/** Returns the TypeScript types of a client for this OpenAPI document, formatted as Biome does. */
export function generateTypes(document: Document): string {
  const { ApiError: _, ApiErrorBody: error, ...named } = document.components.schemas
  // The client returns the `data` of a response.
  const listed = Object.entries(named).filter(([name]) => !name.endsWith('Response'))
  const schemas = listed.map(([name, schema]) => comment(schema, '') + declaration(name, schema))
  const code = error?.properties?.['code'] ?? {}
  return [
    '// Generated from openapi.yaml by `npm run openapi`: do not edit.\n',
    ...schemas,
    `/** All error codes of the API. */\n${union('ErrorCode', code['x-extensible-enum'] ?? [])}`,
    `/** Error codes after which the same request may succeed later. */\n${list('retryableCodes', code['x-retryable'] ?? [])}`,
  ].join('\n')
}

function declaration(name: string, schema: Schema): string {
  if (schema.properties === undefined) return `export type ${name} = ${typeOf(schema, '')}\n`
  return `export interface ${name} ${typeOf(schema, '')}\n`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, '')
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  const known = schema['x-extensible-enum']
  if (known !== undefined) return [...known.map((value) => `'${value}'`), anyText].join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.items !== undefined) {
    const list = arrayOf(typeOf(schema.items, indent))
    return schema.type?.includes('null') ? `${list} | null` : list
  }
  if (schema.properties !== undefined) return fields(schema, `${indent}  `)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['unknown'])
  return types.map((type) => primitives[type] ?? type).join(' | ')
}

function arrayOf(type: string): string {
  return /\|/.test(type.replace(/\{.*\}/s, '')) ? `readonly (${type})[]` : `readonly ${type}[]`
}

function fields({ properties = {}, required = [] }: Schema, indent: string): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    const typed = `${name}${mark}: ${typeOf(schema, indent)}`
    return `${comment(schema, indent)}${indent}readonly ${typed}\n`
  })
  return `{\n${lines.join('')}${indent.slice(2)}}`
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`
}

function union(name: string, values: readonly string[]): string {
  const short = `export type ${name} = ${values.map((value) => `'${value}'`).join(' | ')}\n`
  if (short.length <= lineWidth) return short
  return `export type ${name} =\n${values.map((value) => `  | '${value}'\n`).join('')}`
}

function list(name: string, values: readonly string[]): string {
  const texts = values.map((value) => `  '${value}',\n`)
  return `export const ${name}: readonly string[] = [\n${texts.join('')}]\n`
}
