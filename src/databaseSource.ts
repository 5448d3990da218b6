import { type Config, ConfigError } from './config.ts'
import type { Log } from './embedded/errors.ts'
import {
  type EmbeddedPostgres,
  joinOrStartEmbedded,
  startEmbeddedPostgres,
} from './embedded/postgres.ts'
import { fileTrouble } from './hasCode.ts'

/** Where the data is. `stop` ends the server if it is ours to end. */
export interface DatabaseSource extends EmbeddedPostgres {
  readonly embedded: boolean
}

type SourceConfig = Pick<Config, 'databaseUrl' | 'dataDir'>

/** `DATABASE_URL`, or the embedded server, started here. Throws EmbeddedPostgresError. */
export async function databaseForServer(config: SourceConfig, log: Log): Promise<DatabaseSource> {
  if (config.databaseUrl !== undefined) return external(config.databaseUrl)
  const { dataDir: directory } = config
  const embedded = await startEmbeddedPostgres({ directory, durable: true, log }).catch(
    namesDataDir(directory),
  )
  log('using the embedded PostgreSQL; set DATABASE_URL to use your own', {
    directory,
  })
  return { ...embedded, embedded: true }
}

/** The same data for the command line, whether the server runs or not. */
export async function databaseForOperator(config: SourceConfig): Promise<DatabaseSource> {
  if (config.databaseUrl !== undefined) return external(config.databaseUrl)
  const { dataDir: directory } = config
  const embedded = await joinOrStartEmbedded(directory).catch(namesDataDir(directory))
  return { ...embedded, embedded: true }
}

/** What the system says of a file names a path within, not the variable to mend. */
const namesDataDir = (directory: string) => (error: unknown) => {
  const trouble = fileTrouble(error)
  if (trouble === undefined) throw error
  throw new ConfigError(`DATA_DIR: can't use ${directory}: ${trouble}.`, { cause: error })
}

function external(url: string): DatabaseSource {
  return { url, embedded: false, announceStop: async () => {}, stop: async () => {} }
}
