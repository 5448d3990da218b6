import { fileTrouble } from './base/disk.ts'
import { type Config, ConfigError } from './config.ts'
import type { Log } from './embedded/errors.ts'
import {
  type DatabaseSource,
  joinOrStartEmbedded,
  notOurs,
  startEmbeddedPostgres,
} from './embedded/postgres.ts'

type SourceConfig = Pick<Config, 'databaseUrl' | 'dataDir'>

/**
 * `DATABASE_URL`, or the embedded server, started here.
 * @throws EmbeddedPostgresError
 */
export function databaseForServer(config: SourceConfig, log: Log): Promise<DatabaseSource> {
  return databaseOf(config, async (directory) => {
    const embedded = await startEmbeddedPostgres({ directory, log })
    log('using the embedded PostgreSQL; set DATABASE_URL to use your own', { directory })
    return embedded
  })
}

/** The same data for the command line, whether the server runs or not. */
export function databaseForOperator(config: SourceConfig): Promise<DatabaseSource> {
  return databaseOf(config, joinOrStartEmbedded)
}

async function databaseOf(
  { databaseUrl: url, dataDir }: SourceConfig,
  openEmbedded: (directory: string) => Promise<DatabaseSource>,
): Promise<DatabaseSource> {
  if (url !== undefined) return notOurs(url)
  try {
    return await openEmbedded(dataDir)
  } catch (error) {
    // The system names a file within the directory, not the variable to change.
    const trouble = fileTrouble(error)
    if (trouble === undefined) throw error
    throw new ConfigError(`DATA_DIR: can't use ${dataDir}: ${trouble}.`, { cause: error })
  }
}
