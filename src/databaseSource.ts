import type { Config } from './config.ts'
import type { Log } from './embedded/errors.ts'
import {
  type EmbeddedPostgres,
  findRunningEmbedded,
  startEmbeddedPostgres,
} from './embedded/postgres.ts'

/** Where the data is. `stop` ends the server if it is ours to end. */
export interface DatabaseSource extends EmbeddedPostgres {
  readonly embedded: boolean
}

type SourceConfig = Pick<Config, 'databaseUrl' | 'dataDir'>

/** `DATABASE_URL`, or the embedded server, started here. Throws EmbeddedPostgresError. */
export async function databaseForServer(config: SourceConfig, log: Log): Promise<DatabaseSource> {
  if (config.databaseUrl !== undefined) return external(config.databaseUrl)
  const embedded = await startEmbeddedPostgres({ directory: config.dataDir, durable: true, log })
  log('using the embedded PostgreSQL; set DATABASE_URL to use your own', {
    directory: config.dataDir,
  })
  return { ...embedded, embedded: true }
}

/** The same data for the command line, whether the server runs or not. */
export async function databaseForOperator(config: SourceConfig): Promise<DatabaseSource> {
  if (config.databaseUrl !== undefined) return external(config.databaseUrl)
  const embedded =
    (await findRunningEmbedded(config.dataDir)) ??
    (await startEmbeddedPostgres({ directory: config.dataDir, durable: true }))
  return { ...embedded, embedded: true }
}

function external(url: string): DatabaseSource {
  return { url, embedded: false, announceStop: async () => {}, stop: async () => {} }
}
