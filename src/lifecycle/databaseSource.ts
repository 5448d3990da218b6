import { type Config, ConfigError } from '../config/environment.ts'
import { describeFsError } from '../config/files.ts'
import { type DatabaseSource, externalServer } from '../embedded/postgres.ts'

/**
 * Returns the server of `DATABASE_URL`, or starts the embedded server in `DATA_DIR`.
 * @throws EmbeddedPostgresError, or ConfigError if `DATA_DIR` cannot be used
 */
export async function databaseSource(
  { databaseUrl: url, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  openEmbedded: (directory: string) => Promise<DatabaseSource>,
): Promise<DatabaseSource> {
  if (url !== undefined) return externalServer(url)
  try {
    return await openEmbedded(dataDir)
  } catch (error) {
    // The system error names a file in the directory, not DATA_DIR.
    const problem = describeFsError(error)
    if (problem === undefined) throw error
    throw new ConfigError(`DATA_DIR: can't use ${dataDir}: ${problem}.`, { cause: error })
  }
}
