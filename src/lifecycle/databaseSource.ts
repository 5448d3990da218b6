import { type Config, ConfigError } from '../config/environment.ts'
import { describeFsError } from '../config/files.ts'
import { type DatabaseSource, externalServer } from '../embedded/postgres.ts'

/**
 * `DATABASE_URL`, or the embedded server in `DATA_DIR`.
 * @throws EmbeddedPostgresError, or ConfigError when nothing can be kept there
 */
export async function databaseSource(
  { databaseUrl: url, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  openEmbedded: (directory: string) => Promise<DatabaseSource>,
): Promise<DatabaseSource> {
  if (url !== undefined) return externalServer(url)
  try {
    return await openEmbedded(dataDir)
  } catch (error) {
    // The system names a file within the directory, not the variable to change.
    const trouble = describeFsError(error)
    if (trouble === undefined) throw error
    throw new ConfigError(`DATA_DIR: can't use ${dataDir}: ${trouble}.`, { cause: error })
  }
}
