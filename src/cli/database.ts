import { existsSync } from 'node:fs'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import pg from 'pg'
import type { OperatorConfig } from '../config/environment.ts'
import { closeDatabase, type Database, openDatabase } from '../db/connection/database.ts'
import { sqlState } from '../db/connection/failures.ts'
import { migrateDatabase } from '../db/migrations/migrate.ts'
import { hasErrorCode } from '../domain/hasErrorCode.ts'
import { type DatabaseSource, joinOrStartEmbedded } from '../embedded/postgres.ts'
import { databaseSource } from '../lifecycle/databaseSource.ts'
import { OperatorError } from '../services/operatorError.ts'
import { sanitizeForTerminal } from './terminal/cell.ts'

const poolMax = 4

const notMigratedStates = [sqlState.noTable, sqlState.noColumn]

/**
 * Runs `work` on the configured database. Migrates an embedded database first, because the command
 * line may be used before the server.
 * @throws OperatorError when an external database is not migrated
 */
export async function withDatabase<T>(
  config: OperatorConfig,
  work: (database: Database) => Promise<T>,
) {
  return withSource(config, async ({ url }) => {
    if (config.databaseUrl === undefined) await migrateDatabase(url)
    const database = openDatabase({
      ...config,
      url,
      poolMax,
      preparedStatements: config.preparedStatements || config.databaseDirectUrl !== undefined,
      // The running statement fails with the same error.
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
 * Runs `work` with the URL of the configured database. Prefers DATABASE_DIRECT_URL, because session
 * locks and notifications do not work through a pooler.
 * @throws OperatorError when DATA_DIR is missing, and so probably mistyped, unless `mayBeNew`
 */
export async function withSource<T>(
  config: OperatorConfig,
  work: (source: DatabaseSource) => Promise<T>,
  { mayBeNew = false } = {},
) {
  const { databaseUrl, dataDir } = config
  if (!mayBeNew && databaseUrl === undefined && !existsSync(dataDir)) {
    throw new OperatorError(
      `There is no database in ${dataDir}. Set DATA_DIR to the directory that has it, or ` +
        'DATABASE_URL; to create a new database, start the server or run `rental migrate`.',
    )
  }
  const source = await databaseSource(config, (directory) =>
    joinOrStartEmbedded(directory, exitWith),
  )
  try {
    return await work({ ...source, url: config.databaseDirectUrl ?? source.url })
  } finally {
    await source.stop()
  }
}

/** Ends the process, because commands such as `bookings watch` would retry forever. */
function exitWith({ message }: Error): never {
  process.stderr.write(`${sanitizeForTerminal(message)}\n`)
  process.exit(1)
}

/** Commands that change nothing. All others first print which database they change. */
const readOnlyCommands =
  'audit config conform explain export list schema show template transfer watch'.split(' ')

/** Returns a line that names the database, or '' for commands that change nothing. */
export function targetDatabaseLine(
  command: CommandUnknownOpts,
  config: () => OperatorConfig,
): string {
  if (readOnlyCommands.includes(command.name()) || command.opts()['dryRun'] === true) return ''
  const { databaseUrl, databaseDirectUrl, dataDir } = config()
  const url = databaseDirectUrl ?? databaseUrl
  if (url === undefined) return `Database: the embedded one in ${dataDir}\n`
  return `Database: ${describeDatabase(url)}\n`
}

/** Returns the name, host, port and user of a database URL, without the password. */
export function describeDatabase(url: string): string {
  const { database, host, port, user } = new pg.Client({ connectionString: url })
  return `${database} at ${host}:${port}${user === undefined ? '' : `, as ${user}`}`
}
