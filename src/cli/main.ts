import { CommanderError } from '@commander-js/extra-typings'
import { formatFatalError } from '../lifecycle/formatFatalError.ts'
import { UsageError } from '../services/operatorError.ts'
import { contextOf, type Io } from './command.ts'
import { rental } from './program.ts'
import { sanitizeForTerminal } from './terminal/cell.ts'

const done = 0
const refused = 1
const wrongUsage = 2

/** Runs one command. Returns the exit code: 0 success, 1 refused, 2 usage error. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = done
  const onBadNews = () => {
    exitCode = refused
  }
  const context = contextOf(io, () => program.opts(), onBadNews)
  const program = rental(context)
  const [first, ...others] = argv
  try {
    // Commander's own help command supports only one level.
    const typed = first === 'help' ? [...others, '--help'] : argv
    await program.parseAsync(typed, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage
    io.writeError(`${sanitizeForTerminal(formatFatalError(error, context.config))}\n`)
    return error instanceof UsageError ? wrongUsage : refused
  }
}
