import { CommanderError } from '@commander-js/extra-typings'
import { parseDatabaseConfig } from '../config.ts'
import { sayFailure } from '../sayFailure.ts'
import { WrongUsage } from '../services/refusal.ts'
import { harmless, harmlessJson } from './cell.ts'
import type { Io, Outcome } from './command.ts'
import { withDatabase, withSource } from './database.ts'
import { operatorName } from './options.ts'
import { rental } from './program.ts'

const done = 0
const refused = 1
const wrongUsage = 2

/** Runs one command and returns the exit code: 0 done, 1 refused, 2 wrong usage. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = done
  const config = () => parseDatabaseConfig(io.environment, program.opts().databaseUrl)
  const print = ({ json, text }: Outcome, indent: number) => {
    const asJson = text === undefined || program.opts().json === true
    io.writeOut(asJson ? `${harmlessJson(json, indent)}\n` : harmless(text, io.columns))
  }
  const program = rental({
    io,
    get now() {
      return io.now ?? new Date()
    },
    operator: (as) => operatorName(io.environment, as),
    config,
    withDatabase: (work, ...args) => withDatabase(config(), (database) => work(database, ...args)),
    withSource: (work, choice) => withSource(config(), work, choice),
    tell: (news) => print(news, 0),
    answer(outcome) {
      print(outcome, 2)
      exitCode = outcome.ok === false ? refused : done
    },
  })
  try {
    await program.parseAsync(helpAsOption(argv), { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has told it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage
    io.writeError(`${harmless(sayFailure(error, config), io.columns)}\n`)
    return error instanceof WrongUsage ? wrongUsage : refused
  }
}

/** `help keys create` as `keys create --help`: commander's own help knows one level only. */
function helpAsOption([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return []
  return first === 'help' ? [...rest, '--help'] : [first, ...rest]
}
