import { Readable } from 'node:stream'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { outputSchemas } from '../../openapi/cli/outputs.ts'
import { contextOf } from '../../src/cli/command.ts'
import { rental } from '../../src/cli/program.ts'

const io = {
  environment: {},
  stdin: Readable.from([]),
  writeOut() {},
  writeError() {},
  columns: undefined,
}

/** Returns the program without a terminal, to read its commands. */
export const program = () =>
  rental(
    contextOf(
      io,
      () => ({}),
      () => {},
    ),
  )

const { $defs: definitions } = outputSchemas({ strict: true })
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajvFormats.default(ajv)

/**
 * Checks what a command printed with `--json` against the command's own schema, unknown fields
 * included.
 * @throws Error when the command has no schema, or the document does not match it
 */
export function checkCliDocument(argv: readonly string[], document: string): void {
  const words = argv.join(' ')
  const command = Object.keys(definitions).find((name) => ` ${words} `.includes(` ${name} `))
  if (command === undefined) throw new Error(`"${words}" declares no output`)
  if (ajv.validate(definitions[command] ?? {}, JSON.parse(document))) return
  throw new Error(`rental ${command} --json: ${ajv.errorsText()}\n${document}`)
}
