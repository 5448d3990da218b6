import { readdir } from 'node:fs/promises'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import pg from 'pg'
import type { Config } from '../config/environment.ts'
import { undefinedIfMissing } from '../config/files.ts'
import { closeDatabase, type Database, openDatabase } from '../db/connection/database.ts'
import { sqlState } from '../db/connection/failures.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { hasErrorCode } from '../domain/hasErrorCode.ts'
import { dataName } from '../embedded/paths.ts'
import { type DatabaseSource, joinOrStartEmbedded } from '../embedded/postgres.ts'
import { databaseSource } from '../lifecycle/databaseSource.ts'
import { OperatorError } from '../services/operatorError.ts'

const poolMax = 4

const notMigratedStates = [sqlState.noTable, sqlState.noColumn]

/**
 * Runs `work` on the database that is configured. Migrations of the embedded one are
 * applied on the way, because a newcomer may use the command line before the server.
 * @throws OperatorError when a database of the operator's own is not migrated
 */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>) {
  return withSource(config, async ({ url }) => {
    if (config.databaseUrl === undefined) await migrate(url)
    const database = openDatabase({
      url,
      poolMax,
      preparedStatements: config.preparedStatements || config.databaseDirectUrl !== undefined,
      // Whoever uses the connection is told by the failing query.
      onConnectionLost: () => {},
    })
    try {
      return await work(database)
    } catch (error) {
      if (!hasErrorCode(error, ...notMigratedStates)) throw error
      throw new OperatorError('The database schema is not up to date. Run `rental migrate` first.')
    } finally {
      await closeDatabase(database)
    }
  })
}

/**
 * Past a pooler, and to the coordinator, if there is an address for that: locks of a session and
 * announcements need it (decision 394).
 */
export async function withSource<T>(
  config: Config,
  work: (source: DatabaseSource) => Promise<T>,
  { mayBeNew = false } = {},
) {
  const { databaseUrl, dataDir } = config
  if (!mayBeNew && databaseUrl === undefined && (await isOfSomethingElse(dataDir))) {
    throw new OperatorError(
      `There is no database in ${dataDir}. Set DATA_DIR to the directory that has it, or ` +
        'DATABASE_URL; to make a new database, start the server or run `rental migrate`.',
    )
  }
  const source = await databaseSource(config, joinOrStartEmbedded)
  try {
    return await work({ ...source, url: config.databaseDirectUrl ?? source.url })
  } finally {
    await source.stop()
  }
}

/**
 * Whether a directory is missing, or holds other things than a database: its name is mistyped, and
 * only who means to make a database there does (decision 413). One in the making counts; what can't
 * be read is not judged.
 */
async function isOfSomethingElse(dataDir: string): Promise<boolean> {
  const names = await undefinedIfMissing(readdir(dataDir)).catch((): string[] => [])
  return (
    names === undefined || (names.length > 0 && !names.some((name) => name.startsWith(dataName)))
  )
}

/** The commands that change nothing; any other says first which database it is about to change. */
const readers =
  'audit config conform explain export list schema show template transfer watch'.split(' ')

/** The database in one line, without its password; nothing where none is changed. */
export function databaseToAnnounce(command: CommandUnknownOpts, config: () => Config): string {
  if (readers.includes(command.name()) || command.opts()['dryRun'] === true) return ''
  const { databaseUrl, databaseDirectUrl, dataDir } = config()
  const url = databaseDirectUrl ?? databaseUrl
  if (url === undefined) return `Database: the embedded one in ${dataDir}\n`
  return `Database: ${describeDatabase(url)}\n`
}

/** A database for people, without its password. */
export function describeDatabase(url: string): string {
  const { database, host, port, user } = new pg.Client({ connectionString: url })
  return `${database} at ${host}:${port}${user === undefined ? '' : `, as ${user}`}`
}
