import { resolve } from 'node:path'
import { ConfigError, type OperatorConfig } from '../config/environment.ts'
import { describeFsError } from '../config/files.ts'
import { hasErrorCode } from '../domain/hasErrorCode.ts'
import { takeOverCommand } from '../embedded/errors.ts'
import type { DatabaseSource } from '../embedded/postgres.ts'

/**
 * Returns the server of `DATABASE_URL`, or starts the embedded server in `DATA_DIR`.
 * @throws EmbeddedPostgresError, or ConfigError if `DATA_DIR` cannot be used
 */
export async function databaseSource(
  { databaseUrl: url, dataDir }: Pick<OperatorConfig, 'databaseUrl' | 'dataDir'>,
  openEmbedded: (directory: string) => Promise<DatabaseSource>,
): Promise<DatabaseSource> {
  if (url !== undefined) return { url, stop: async () => {} }
  try {
    return await openEmbedded(dataDir)
  } catch (error) {
    // The system error names a file in the directory, not DATA_DIR.
    const problem = describeFsError(error)
    if (problem === undefined) throw error
    const remedy = hasErrorCode(error, 'EACCES', 'EPERM')
      ? ` Use a directory of your own or, if it was copied for you, run as root: ${takeOverCommand(resolve(dataDir))}`
      : ''
    throw new ConfigError(`DATA_DIR: can't use ${dataDir}: ${problem}.${remedy}`, { cause: error })
  }
}
