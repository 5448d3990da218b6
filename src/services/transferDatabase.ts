import pg from 'pg'
import { closeDatabase, openDatabase } from '../db/connection/database.ts'
import { inOperatorSession } from '../db/connection/operatorSession.ts'
import { copyTables } from '../db/migrations/copyTables.ts'
import { hasTenants, lockForTransfer } from '../db/migrations/databaseUse.ts'
import { migrateDatabase, planMigration } from '../db/migrations/migrate.ts'
import { findUnknown } from '../db/migrations/schemaObjects.ts'
import { auditDatabase } from './auditDatabase.ts'
import { OperatorError } from './operatorError.ts'

interface TransferOptions {
  readonly from: string
  readonly to: string
  /** Returns whether to copy without the tables and columns that this release does not know. */
  leaveBehind(unknown: string): Promise<boolean>
}

/**
 * Migrates an empty database, copies all rows from another into it, and audits the result.
 * @throws OperatorError when a server uses the source, a newer release has migrated one of the two,
 * the target has tenants or a column that needs a value, or something would be left behind. Nothing is
 * changed then.
 */
export async function transferDatabase({ from, to, leaveBehind }: TransferOptions) {
  const tables = await inOperatorSession(from, 'transfer', async (source) => {
    if (!(await lockForTransfer(source))) {
      throw new OperatorError('A server is using the database to copy from. Stop it first.')
    }
    const pending = await pendingOf(from)
    if (pending.length > 0) {
      throw new OperatorError('The database to copy from is not up to date. Run `rental migrate`.')
    }
    return inOperatorSession(to, 'transfer', async (target) => {
      if (await hasTenants(target)) {
        throw new OperatorError('The database to copy into has tenants already. Give an empty one.')
      }
      await pendingOf(to)
      const required = (await findUnknown(target)).filter(({ needsValue }) => needsValue)
      if (required.length > 0) {
        throw new OperatorError(
          `The database to copy into requires a value for ${namesOf(required)}, which the copy does not ` +
            'have. Give each a default, or drop its "not null".',
        )
      }
      const unknown = namesOf(await findUnknown(source))
      if (unknown !== '' && !(await leaveBehind(unknown))) {
        throw new OperatorError(
          `This release does not know, and would not copy: ${unknown}. Nothing was ` +
            'changed. To leave it behind, run the command again with --yes.',
        )
      }
      await migrateDatabase(to)
      return copyTables(source, target)
    })
  })
  return { tables, audit: await auditOf(to) }
}

const namesOf = (found: Awaited<ReturnType<typeof findUnknown>>) =>
  found.map(({ object }) => object).join(', ')

/** @throws OperatorError when a newer release has ever migrated the database */
async function pendingOf(url: string) {
  const { pending, newestRelease } = await planMigration(url)
  if (newestRelease !== undefined) {
    const { host, database } = new pg.Client(url)
    throw new OperatorError(
      `Copy with release ${newestRelease}, which has migrated ${database} on ${host}. After ` +
        'steps back, install that release and run `rental migrate` first.',
    )
  }
  return pending
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
