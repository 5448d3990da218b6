import pg from 'pg'
import { closeDatabase, openDatabase } from '../db/connection/database.ts'
import { type CopiedTable, copyTables } from '../db/migrations/copyTables.ts'
import { migrate, planMigration } from '../db/migrations/migrate.ts'
import { anyTenant, isServed } from '../db/migrations/occupancy.ts'
import type { OnProgress } from '../db/operatorQueries/fleet.ts'
import { audit } from './audit.ts'
import { OperatorError } from './operatorError.ts'

interface TransferOptions {
  readonly from: string
  readonly to: string
  /** Whether `from` is the embedded database, which a server must not change meanwhile. */
  readonly embedded: boolean
  readonly onProgress: OnProgress
}

/**
 * Copies everything from one database into an empty one, which is migrated first, and audits it.
 * @throws OperatorError when the target has tenants, the source is not up to date, or a server is
 * using the embedded database; nothing is copied then
 */
export async function transfer({ from, to, embedded, onProgress }: TransferOptions) {
  if ((await planMigration(from)).length > 0) {
    throw new OperatorError('The database to copy from is not up to date. Run `rental migrate`.')
  }
  await migrate(to)
  const tables = await withClients([from, to], async ([source, target]) => {
    if (embedded && (await isServed(source))) {
      throw new OperatorError('A server is using the embedded database. Stop it first (Ctrl-C).')
    }
    if (await anyTenant(target)) {
      throw new OperatorError('The database to copy into has tenants already. Give an empty one.')
    }
    return copyTables(source, target, onProgress)
  })
  return { tables, audit: await auditOf(to) }
}

async function withClients(
  [from, to]: readonly [string, string],
  work: (clients: readonly [pg.Client, pg.Client]) => Promise<CopiedTable[]>,
): Promise<CopiedTable[]> {
  const application_name = 'rental transfer'
  const source = new pg.Client({ connectionString: from, application_name })
  const target = new pg.Client({ connectionString: to, application_name })
  // A connection that is lost fails its query, too.
  for (const client of [source, target]) client.on('error', () => {})
  try {
    await source.connect()
    await target.connect()
    return await work([source, target])
  } finally {
    await Promise.allSettled([source.end(), target.end()])
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
