import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'

const path = join(import.meta.dirname, '../../public/cli.schema.json')
const schema = JSON.parse(readFileSync(path, 'utf8')) as { readonly $defs: object }
const ajv = new Ajv2020({ strict: false })
ajvFormats.default(ajv)
ajv.addSchema(schema, 'cli')

/**
 * Checks what a command printed with `--json` against public/cli.schema.json.
 * @throws Error when the command has no definition there, or the document does not match it
 */
export function checkCliDocument(argv: readonly string[], document: string): void {
  const words = argv.join(' ')
  const command = Object.keys(schema.$defs).find((name) => ` ${words} `.includes(` ${name} `))
  if (command === undefined) throw new Error(`public/cli.schema.json lacks "${words}"`)
  const pointer = encodeURIComponent(command)
  if (ajv.validate(`cli#/$defs/${pointer}`, JSON.parse(document))) return
  throw new Error(`rental ${command} --json: ${ajv.errorsText()}\n${document}`)
}
