import { realpath, stat } from 'node:fs/promises'
import { describeFsError, writeFileAtomic } from '../config/files.ts'
import type { WrittenFleet } from '../fleet/workbook/writeWorkbook.ts'
import { OperatorError, UsageError } from '../services/operatorError.ts'
import type { Context } from './command.ts'
import { sanitizeJsonForTerminal } from './terminal/cell.ts'

const worldReadable = 0o644

/**
 * Writes a file atomically, readable for all.
 * @throws OperatorError when the file can't be written
 */
async function writeOutputFile(file: string, content: string | Uint8Array): Promise<void> {
  const cannotWrite = (reason: unknown) => new OperatorError(`Can't write ${file}: ${reason}.`)
  // Replace the target of a symbolic link, not the link. Never replace devices such as /dev/null.
  const path = await realpath(file).catch(() => file)
  const existing = await stat(path).catch(() => undefined)
  if (existing?.isFile() === false) throw cannotWrite('it is not a file')
  await writeFileAtomic(path, content, { mode: worldReadable }).catch((error: unknown) => {
    throw cannotWrite(describeFsError(error) ?? error)
  })
}

export const outputMeaning =
  'file to write; may be left out when the output goes to a file or a program'

/** Writes JSON to the file `output`, otherwise to stdout. */
export async function writeJsonTo({ finish }: Context, output: string | undefined, json: object) {
  if (output === undefined) return finish({ json })
  await writeOutputFile(output, `${sanitizeJsonForTerminal(json)}\n`)
  finish({ json, text: `Wrote ${output}.\n` })
}

/**
 * Writes a fleet as a workbook to the file `output`, otherwise to stdout.
 * @throws UsageError with --json, or without `output` on a terminal
 */
export async function writeWorkbookTo(
  { io, options }: Pick<Context, 'io' | 'options'>,
  output: string | undefined,
  fleet: () => Promise<{ readonly file: WrittenFleet; readonly state?: number | undefined }>,
): Promise<void> {
  if (options().json === true) {
    throw new UsageError('--json cannot be used here: the output is a workbook, which is not JSON.')
  }
  const workbook = async () => {
    const { file, state } = await fleet()
    const { writeWorkbook } = await import('../fleet/workbook/writeWorkbook.ts')
    return writeWorkbook(file, state)
  }
  if (output !== undefined) {
    await writeOutputFile(output, await workbook())
    return io.writeError(`Wrote ${output}.\n`)
  }
  if (io.columns !== undefined) {
    throw new UsageError('A workbook cannot be shown in a terminal: add --output fleet.xlsx.')
  }
  io.writeOut(await workbook())
}
