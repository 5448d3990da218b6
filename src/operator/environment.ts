import { userInfo } from 'node:os'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import pg from 'pg'
import type { Config } from '../config.ts'
import { plainText } from '../input/fields.ts'
import { Refusal } from '../services/refusal.ts'

/** The commands that change nothing; any other says first which database it is about to change. */
const readers = 'audit config conform explain export list show watch'.split(' ')

/** The database in one line, without its password; nothing where none is changed. */
export function databaseToAnnounce(command: CommandUnknownOpts, config: () => Config): string {
  if (readers.includes(command.name()) || command.opts()['dryRun'] === true) return ''
  const { databaseUrl, databaseDirectUrl, dataDir } = config()
  const url = databaseDirectUrl ?? databaseUrl
  if (url === undefined) return `Database: the embedded one in ${dataDir}\n`
  const { database, host, port, user } = new pg.Client({ connectionString: url })
  return `Database: ${database} at ${host}:${port}, as ${user}\n`
}

const operator = plainText({ min: 1, max: 100 })

/**
 * For whom a decision is recorded: `--as`, RENTAL_OPERATOR, or the account the command runs under.
 * The image sets the variable to nothing: everybody is the same account there (decision 351).
 * @throws Refusal for a name that is empty or can't be shown
 */
export function operatorName(environment: NodeJS.ProcessEnv, as?: string): string {
  const given = as ?? environment['RENTAL_OPERATOR']
  if (given === undefined) return accountName(environment)
  const { success, data } = operator.safeParse(given)
  if (success) return data
  throw new Refusal(
    'This is recorded under a name. Give yours with --as NAME, or set RENTAL_OPERATOR.',
  )
}

/** Containers may run as a user without a name. */
function accountName(environment: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username
  } catch {
    return environment['USER'] ?? `user ${process.getuid?.() ?? 'unknown'}`
  }
}
