import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type FleetPlan, listNames } from '../fleet/contents.ts'
import { announceAccessChange, announceCatalogChange } from './accessChanges.ts'
import type { OrmConnection } from './client.ts'
import { type FleetTable, fleetTables } from './fleet.ts'
import { tenants } from './schema.ts'
import type { Transaction } from './transaction.ts'

/** Rows a statement: few enough for its parameters, many enough that round trips don't matter. */
const chunkRows = 1_000

export type OnProgress = (writtenRows: number, totalRows: number) => void

/** Writes what the plan creates, updates and archives; whatever is written is in service again. */
export async function writeFleet(
  { orm }: Transaction,
  slug: string,
  plan: FleetPlan,
  onProgress: OnProgress,
): Promise<void> {
  const tenantId = plan.tenant.id
  await writeTenant({ orm }, slug, plan.tenant)
  await announceCatalogChange({ orm }, tenantId)
  const lists = listNames.map((name) => {
    const { create, update, archive } = plan[name]
    return { table: fleetTables[name], rows: [...create, ...update], archive }
  })
  const totalRows = lists.reduce((sum, { rows }) => sum + rows.length, 0)
  let writtenRows = 0
  for (const { table, rows } of lists) {
    for (const chunk of chunks(rows)) {
      // No moment of archiving is given, so a row that comes back has none.
      const values = chunk.map(({ id, content }) => ({ tenantId, id, ...content }))
      await orm.insert(table).values(values).onConflictDoUpdate(replacing(table))
      writtenRows += chunk.length
      onProgress(writtenRows, totalRows)
    }
  }
  for (const { table, archive } of lists) {
    for (const ids of chunks(archive)) {
      const leaving = and(eq(table.tenantId, tenantId), inArray(table.id, ids))
      await orm.update(table).set({ archivedAt: sql`now()` }).where(leaving)
    }
  }
}

async function writeTenant({ orm }: OrmConnection, slug: string, tenant: FleetPlan['tenant']) {
  const { id, content, create, update } = tenant
  if (create.length + update.length > 0) await announceAccessChange({ orm })
  if (create.length > 0) await orm.insert(tenants).values({ id, slug, ...content })
  if (update.length > 0) await orm.update(tenants).set(content).where(eq(tenants.id, id))
}

function* chunks<T>(rows: readonly T[]) {
  for (let start = 0; start < rows.length; start += chunkRows) {
    yield rows.slice(start, start + chunkRows)
  }
}

/** Turns an insert into the replacement of a row that exists; its `createdAt` stays. */
function replacing(table: FleetTable): { target: PgColumn[]; set: Record<string, SQL> } {
  const { tenantId: _, id: __, createdAt: ___, ...replaced } = getTableColumns(table)
  const set = Object.fromEntries(
    Object.entries(replaced).map(([name, column]) => [
      name,
      sql`excluded.${sql.identifier(column.name)}`,
    ]),
  )
  return { target: [table.tenantId, table.id], set }
}
