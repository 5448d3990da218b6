import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ListPlan } from '../fleet/planList.ts'
import type { FleetPlan } from '../fleet/rows.ts'
import { assetBlocks, assetGroups, assets, extras, rates, tenants } from './schema.ts'
import type { Transaction } from './transaction.ts'

/** Rows a statement: few enough for its parameters, many enough that round trips don't matter. */
const chunkRows = 1_000

/** Told how many of all rows are written. */
export type OnProgress = (writtenRows: number, totalRows: number) => void

/** Writes what the plan creates, updates and archives; parents come before what refers to them. */
export async function writeFleet(
  { orm }: Transaction,
  slug: string,
  plan: FleetPlan,
  onProgress: OnProgress,
): Promise<void> {
  const tenantId = plan.tenant.id
  const written = progressOf(plan, onProgress)
  await writeTenant({ orm }, slug, plan.tenant)
  for (const values of writtenRows(plan.groups, tenantId)) {
    await orm.insert(assetGroups).values(values).onConflictDoUpdate(replacing(assetGroups))
    written(values.length)
  }
  for (const values of writtenRows(plan.assets, tenantId)) {
    await orm.insert(assets).values(values).onConflictDoUpdate(replacing(assets))
    written(values.length)
  }
  for (const values of writtenRows(plan.blocks, tenantId)) {
    await orm.insert(assetBlocks).values(values).onConflictDoUpdate(replacing(assetBlocks))
    written(values.length)
  }
  for (const values of writtenRows(plan.rates, tenantId)) {
    await orm.insert(rates).values(values).onConflictDoUpdate(replacing(rates))
    written(values.length)
  }
  for (const values of writtenRows(plan.extras, tenantId)) {
    await orm.insert(extras).values(values).onConflictDoUpdate(replacing(extras))
    written(values.length)
  }
  await archive({ orm }, assetGroups, tenantId, plan.groups.archive)
  await archive({ orm }, assets, tenantId, plan.assets.archive)
  await archive({ orm }, assetBlocks, tenantId, plan.blocks.archive)
  await archive({ orm }, rates, tenantId, plan.rates.archive)
  await archive({ orm }, extras, tenantId, plan.extras.archive)
}

function progressOf(plan: FleetPlan, onProgress: OnProgress): (rows: number) => void {
  const lists = [plan.groups, plan.assets, plan.blocks, plan.rates, plan.extras]
  const total = lists.reduce((sum, { create, update }) => sum + create.length + update.length, 0)
  let written = 0
  return (rows) => {
    written += rows
    onProgress(written, total)
  }
}

type Connection = Pick<Transaction, 'orm'>

async function writeTenant(
  { orm }: Connection,
  slug: string,
  { id, content, change }: FleetPlan['tenant'],
): Promise<void> {
  if (change === 'create') await orm.insert(tenants).values({ id, slug, ...content })
  if (change === 'update') await orm.update(tenants).set(content).where(eq(tenants.id, id))
}

/** The rows to write, in chunks; whatever is written is in service again. */
function* writtenRows<Content>(plan: ListPlan<Content>, tenantId: string) {
  const rows = [...plan.create, ...plan.update]
  for (let start = 0; start < rows.length; start += chunkRows) {
    yield rows
      .slice(start, start + chunkRows)
      .map(({ id, content }) => ({ tenantId, id, archivedAt: null, ...content }))
  }
}

type ArchivableTable = PgTable & { tenantId: PgColumn; id: PgColumn; archivedAt: PgColumn }

/** Turns an insert into the replacement of a row that exists; its age stays. */
function replacing(table: ArchivableTable): { target: PgColumn[]; set: Record<string, SQL> } {
  const { tenantId, id, createdAt: _, ...replaced } = getTableColumns(table)
  const set = Object.fromEntries(
    Object.entries(replaced).map(([name, column]) => [
      name,
      sql`excluded.${sql.identifier(column.name)}`,
    ]),
  )
  return { target: [table.tenantId, table.id], set }
}

async function archive(
  { orm }: Connection,
  table: ArchivableTable,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += chunkRows) {
    const chunk = ids.slice(start, start + chunkRows)
    await orm
      .update(table)
      .set({ archivedAt: sql`now()` })
      .where(and(eq(table.tenantId, tenantId), inArray(table.id, chunk)))
  }
}
