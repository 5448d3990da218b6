import pg from 'pg'
import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { changingTables } from '../distribution/distribution.ts'
import { sqlState } from './failures.ts'

/** The error for a database that a command cannot change; its message tells the operator why. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/**
 * Runs `work` on a connection of its own, without timeouts: those of the role are for requests.
 * @throws MigrationError when the role lacks a privilege
 */
export async function inOperatorSession<T>(
  connectionString: string,
  command: 'migrate' | 'transfer',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    application_name: `rental ${command}`,
  })
  // Without a listener, a lost connection would end the process. The running statement fails with
  // the same error.
  client.on('error', () => {})
  await client.connect()
  try {
    // Newer versions of PostgreSQL have more timeouts. READ COMMITTED is required, because a migration
    // must see rows that were written while it waited for a lock.
    await client.query(`select set_config(name, '0', false) from pg_settings
        where name ~ '^(statement|lock|transaction|idle_session|idle_in_transaction_session)_timeout$';
      set default_transaction_isolation = 'read committed'; ${changingTables}`)
    return await work(client)
  } catch (error) {
    if (!hasErrorCode(error, sqlState.noPrivilege) || !(error instanceof Error)) throw error
    throw new MigrationError(
      `The role "${client.user}" may not ${command} this database (${error.message}). ` +
        'Run the command as the role that owns its tables.',
      { cause: error },
    )
  } finally {
    // Ending the session releases its locks, also after a failure.
    await client.end().catch(() => {})
  }
}
