import { join } from 'node:path'
import {
  type CallExpression,
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isVariableStatement,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import {
  API,
  type Checker,
  type LiteralType,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionType,
} from 'typescript/unstable/sync'
import { z } from 'zod'
import { commandLineOn } from './commandLine.ts'

// What commands print with --json, read from the types of what they hand to `answer` and `tell`
// (decision 447).

const root = join(import.meta.dirname, '../..')
const config = join(root, 'tsconfig.json')

/** The documents that each command may print. */
type CommandDocuments = ReadonlyMap<string, readonly z.ZodType[]>

export async function readJsonDocuments(): Promise<CommandDocuments> {
  const { out } = await commandLineOn('')(['help'])
  const listed = [...out.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2}/gm)]
  const commands = listed.map(([, name = '']) => name)
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`There is no project ${config}`)
    const { program, checker } = project
    const files = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(join(root, 'src/operator/')))
      .map((name) => declarationsOf(program.getSourceFile(name)))
    return new Map(
      commands.map((name) => [
        name,
        files.flatMap((declared) => documentsOf(name, declared, checker)),
      ]),
    )
  } finally {
    api.close()
  }
}

type Declarations = ReadonlyMap<string, Node>

/** What a file declares at its top, by name. */
function declarationsOf(file: SourceFile | undefined): Declarations {
  const named = (file?.statements ?? []).flatMap((statement): [string, Node][] => {
    if (isFunctionDeclaration(statement)) return [[statement.name?.getText(file) ?? '', statement]]
    if (!isVariableStatement(statement)) return []
    return statement.declarationList.declarations.map((one) => [one.name.getText(file), one])
  })
  return new Map(named)
}

/** `tenants list` is made by `tenantsList`. */
function documentsOf(name: string, declared: Declarations, checker: Checker): z.ZodType[] {
  const made = name.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())
  const schemas = answersOf(made, declared).map((call) => {
    const [outcome] = call.arguments
    const given = outcome && checker.getTypeAtLocation(outcome)
    const json = given && checker.getPropertyOfType(given, 'json')
    return schemaOf(json && checker.getTypeOfSymbol(json), checker)
  })
  return [...new Map(schemas.map((schema) => [describeSchema(schema), schema])).values()]
}

/** The calls of `answer` and `tell` in a declaration, and in what it calls of the same file. */
function answersOf(name: string, declared: Declarations): CallExpression[] {
  const calls: CallExpression[] = []
  const seen = new Set<string>()
  const visit = (node: Node | undefined): void => {
    if (node === undefined) return
    if (isCallExpression(node) && /\b(answer|tell)$/.test(node.expression.getText())) {
      calls.push(node)
    }
    if (isIdentifier(node) && !seen.has(node.text)) {
      seen.add(node.text)
      visit(declared.get(node.text))
    }
    node.forEachChild(visit)
  }
  seen.add(name)
  visit(declared.get(name))
  return calls
}

/** JSON that has exactly what the type says. */
function schemaOf(type: Type | undefined, checker: Checker): z.ZodType {
  if (type === undefined) throw new Error('The compiler knows no type of a document')
  if (type.flags & TypeFlags.AnyOrUnknown) return z.unknown()
  const of = (part: Type | undefined) => schemaOf(part, checker)
  const has = (flag: TypeFlags) => (type.flags & flag) !== 0
  if (has(TypeFlags.String)) return z.string()
  if (has(TypeFlags.Number)) return z.number()
  if (has(TypeFlags.Boolean)) return z.boolean()
  if (has(TypeFlags.Null)) return z.null()
  if (has(TypeFlags.Literal)) return z.literal((type as LiteralType).value)
  if (has(TypeFlags.Union)) {
    const parts = (type as UnionType).getTypes().filter((part) => !isUndefined(part))
    const others = parts.filter((part) => !(part.flags & TypeFlags.BooleanLiteral))
    const isBoolean = parts.length - others.length === 2
    return z.union(isBoolean ? [z.boolean(), ...others.map(of)] : parts.map(of))
  }
  if (checker.isArrayType(type)) {
    return z.array(of(checker.getTypeArguments(type as TypeReference)[0]))
  }
  if (type.getSymbol()?.name === 'Date') return z.iso.datetime()
  const [index] = checker.getIndexInfosOfType(type)
  if (index !== undefined) return z.record(z.string(), of(index.valueType))
  const fields = checker.getPropertiesOfType(type).map((field) => {
    const own = checker.getTypeOfSymbol(field)
    const optional = (field.flags & SymbolFlags.Optional) !== 0 || mayBeUndefined(own)
    return [field.name, optional ? of(own).optional() : of(own)] as const
  })
  return z.strictObject(Object.fromEntries(fields))
}

const isUndefined = (type: Type) => (type.flags & TypeFlags.Undefined) !== 0
const mayBeUndefined = (type: Type | undefined) =>
  type?.isUnionType() === true && type.getTypes().some(isUndefined)

/** A row for each document, with all commands that print it. */
export function documentTable(documents: CommandDocuments): string {
  const commandsOf = new Map<string, string[]>()
  for (const [name, schemas] of documents) {
    for (const schema of schemas) {
      const told = describeSchema(schema)
      commandsOf.set(told, [...(commandsOf.get(told) ?? []), `\`${name}\``])
    }
  }
  const rows = [...commandsOf].map(([told, names]) => `| ${names.join(' ')} | \`${told}\` |`)
  return ['| command | document |', '|---|---|', ...rows].join('\n')
}

/** A schema in one line. */
function describeSchema(schema: z.ZodType): string {
  return describe(z.toJSONSchema(schema))
}

type JsonSchema = z.core.JSONSchema.JSONSchema

function describe(schema: JsonSchema): string {
  const { anyOf, properties, required = [] } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (anyOf !== undefined) return eitherOf(anyOf.map((each) => describe(each as JsonSchema)))
  if (Array.isArray(schema.type)) return eitherOf(schema.type)
  if (schema.type === 'array') return `[${describe(schema.items as JsonSchema)}]`
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, field]) =>
        `${name}${required.includes(name) ? '' : '?'}: ${describe(field as JsonSchema)}`,
    )
    return `{ ${fields.join(', ')} }`
  }
  const values = schema.additionalProperties
  if (typeof values === 'object') return `{ [name]: ${describe(values)} }`
  return schema.format === 'date-time' ? 'time' : (schema.type ?? 'any')
}

/** In an order of their own: the compiler's follows what else it has read. */
function eitherOf(told: readonly string[]): string {
  const list = told.find((each) => told.includes(`[${each}]`))
  const others = told.filter((each) => each !== list && each !== `[${list}]`)
  const sorted = others.toSorted(
    (a, b) => Number(a === 'null') - Number(b === 'null') || a.localeCompare(b),
  )
  return [...(list === undefined ? [] : [`${list}, or a list of these`]), ...sorted].join(' or ')
}
