import pg from 'pg'
import { closeDatabase, openDatabase } from '../db/connection/database.ts'
import { copyTables } from '../db/migrations/copyTables.ts'
import { hasTenants, isInUse } from '../db/migrations/databaseUse.ts'
import { migrate, planMigration } from '../db/migrations/migrate.ts'
import type { OnProgress } from '../db/operatorQueries/fleet.ts'
import { audit } from './audit.ts'
import { OperatorError } from './operatorError.ts'

interface TransferOptions {
  readonly from: string
  readonly to: string
  /** Whether `from` is the embedded database. A server must not use it during the copy. */
  readonly embedded: boolean
  readonly onProgress: OnProgress
}

/**
 * Migrates an empty database, copies all rows from another into it, and audits the result.
 * @throws OperatorError when the target has tenants, the source is not up to date, or a server is
 * using the embedded database. Nothing is copied then.
 */
export async function transfer({ from, to, embedded, onProgress }: TransferOptions) {
  const tables = await withClient(from, async (source) => {
    if (embedded && (await isInUse(source))) {
      throw new OperatorError('A server is using the embedded database. Stop it first (Ctrl-C).')
    }
    if ((await planMigration(from)).pending.length > 0) {
      throw new OperatorError('The database to copy from is not up to date. Run `rental migrate`.')
    }
    await migrate(to)
    return withClient(to, async (target) => {
      if (await hasTenants(target)) {
        throw new OperatorError('The database to copy into has tenants already. Give an empty one.')
      }
      return copyTables(source, target, onProgress)
    })
  })
  return { tables, audit: await auditOf(to) }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'rental transfer' })
  // Without a listener, a lost connection would end the process. The running statement fails with
  // the same error.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function auditOf(url: string) {
  const options = { url, poolMax: 2, preparedStatements: true, onConnectionLost() {} }
  const database = openDatabase(options)
  try {
    return await audit(database)
  } finally {
    await closeDatabase(database)
  }
}
