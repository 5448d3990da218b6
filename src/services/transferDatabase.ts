import { closeDatabase, openDatabase } from '../db/connection/database.ts'
import { inOperatorSession } from '../db/connection/operatorSession.ts'
import { copyTables } from '../db/migrations/copyTables.ts'
import { hasTenants, lockForTransfer } from '../db/migrations/databaseUse.ts'
import { migrateDatabase, planMigration } from '../db/migrations/migrate.ts'
import { auditDatabase } from './auditDatabase.ts'
import { OperatorError } from './operatorError.ts'

interface TransferOptions {
  readonly from: string
  readonly to: string
}

/**
 * Migrates an empty database, copies all rows from another into it, and audits the result.
 * @throws OperatorError when a server uses the source, the source has another schema, or the target
 * has tenants. Nothing is changed then.
 */
export async function transferDatabase({ from, to }: TransferOptions) {
  const tables = await inOperatorSession(from, 'transfer', async (source) => {
    if (!(await lockForTransfer(source))) {
      throw new OperatorError('A server is using the database to copy from. Stop it first.')
    }
    const { pending, newerRelease } = await planMigration(from)
    if (pending.length > 0) {
      throw new OperatorError('The database to copy from is not up to date. Run `rental migrate`.')
    }
    if (newerRelease !== undefined) {
      throw new OperatorError(`Copy with release ${newerRelease}, which migrated the database.`)
    }
    return inOperatorSession(to, 'transfer', async (target) => {
      if (await hasTenants(target)) {
        throw new OperatorError('The database to copy into has tenants already. Give an empty one.')
      }
      await migrateDatabase(to)
      return copyTables(source, target)
    })
  })
  return { tables, audit: await auditOf(to) }
}

async function auditOf(url: string) {
  const options = { url, poolMax: 2, preparedStatements: true, onConnectionLost() {} }
  const database = openDatabase(options)
  try {
    return await auditDatabase(database)
  } finally {
    await closeDatabase(database)
  }
}
