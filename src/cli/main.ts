import { CommanderError } from '@commander-js/extra-typings'
import { formatFatalError } from '../lifecycle/formatFatalError.ts'
import { UsageError } from '../services/operatorError.ts'
import { contextOf, type Io } from './command.ts'
import { rental } from './program.ts'
import { sanitizeForTerminal } from './terminal/cell.ts'

const done = 0
const failure = 1
const usageError = 2

/** Runs one command. Returns the exit code: 0 success, 1 failure, 2 usage error. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = done
  const onFailure = () => {
    exitCode = failure
  }
  const context = contextOf(io, () => program.opts(), onFailure)
  const program = rental(context)
  const [first, ...others] = argv
  try {
    // Commander's own help command supports only one level.
    const typed = first === 'help' ? [...others, '--help'] : argv
    await program.parseAsync(typed, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : usageError
    io.writeError(`${sanitizeForTerminal(formatFatalError(error, context.config))}\n`)
    return error instanceof UsageError ? usageError : failure
  }
}
