import { and, eq, getTableColumns, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { hasErrorCode } from '../../../domain/hasErrorCode.ts'
import {
  type FleetPlan,
  type ListName,
  listNames,
  noFleet,
  type StoredFleet,
} from '../../../fleet/columns.ts'
import { notifyAccessChange, notifyCatalogChange } from '../../connection/changeNotifications.ts'
import { sqlState } from '../../connection/failures.ts'
import { operatorTimeouts } from '../../connection/timeouts.ts'
import type { Transaction } from '../../connection/transaction.ts'
import { assetBlocks, assetGroups, assets, extras, rates, tenants } from '../../schema/index.ts'

type FleetTable = PgTable & { tenantId: PgColumn; id: PgColumn; archivedAt: PgColumn }

const fleetTables: Readonly<Record<ListName, FleetTable>> = {
  groups: assetGroups,
  assets,
  blocks: assetBlocks,
  rates,
  extras,
}

/**
 * Locks a tenant's fleet against other imports until the transaction ends. Returns false when the
 * lock was not free within the operator timeout.
 */
export async function lockFleetForImport({ orm }: Transaction, slug: string): Promise<boolean> {
  // Set the timeouts here, because a pooler or the server's pool may have others.
  await orm.execute(sql`select set_config('lock_timeout', '0', true),
    set_config('statement_timeout', ${String(operatorTimeouts.statementMs)}, true)`)
  const subject = `fleet import/${slug}`
  try {
    await orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`)
    return true
  } catch (error) {
    if (hasErrorCode(error, sqlState.cancelled)) return false
    throw error
  }
}

/** Returns a tenant's whole fleet with archived rows, or an empty fleet for an unknown slug. */
export async function loadFleet({ orm }: Transaction, slug: string): Promise<StoredFleet> {
  const [tenant] = await orm.select().from(tenants).where(eq(tenants.slug, slug))
  if (tenant === undefined) return noFleet
  const { id } = tenant
  return {
    tenant: { id, archived: false, content: tenant },
    state: { number: tenant.fleetState, from: tenant.fleetStateFrom },
    groups: stored(await orm.select().from(assetGroups).where(eq(assetGroups.tenantId, id))),
    assets: stored(await orm.select().from(assets).where(eq(assets.tenantId, id))),
    blocks: stored(await orm.select().from(assetBlocks).where(eq(assetBlocks.tenantId, id))),
    rates: stored(await orm.select().from(rates).where(eq(rates.tenantId, id))),
    extras: stored(await orm.select().from(extras).where(eq(extras.tenantId, id))),
  }
}

function stored<Row extends { id: string; archivedAt: Date | null }>(rows: readonly Row[]) {
  return rows.map((row) => ({ id: row.id, archived: row.archivedAt !== null, content: row }))
}

/** Returns those of `ids` that another tenant uses in the same list. */
export async function findForeignIds(
  { orm }: Transaction,
  list: ListName,
  ids: readonly string[],
  tenantId: string,
): Promise<ReadonlySet<string>> {
  const table = fleetTables[list]
  const rows = await orm
    .select({ id: sql<string>`${table.id}` })
    .from(table)
    .where(and(sql`${table.id} = any(${sql.param(ids)}::uuid[])`, ne(table.tenantId, tenantId)))
  return new Set(rows.map((row) => row.id))
}

/** Maximum number of rows per statement. More could exceed PostgreSQL's limit on parameters. */
const chunkRows = 1_000

/**
 * Writes the rows that a plan creates, updates and archives. Rows it updates are unarchived. `from`
 * is the state that the file carries.
 */
export async function writeFleet(
  { orm }: Transaction,
  slug: string,
  plan: FleetPlan,
  from: number | undefined,
) {
  const { id: tenantId, content, ...tenant } = plan.tenant
  if (tenant.create.length + tenant.update.length > 0) await notifyAccessChange({ orm }, tenantId)
  const own = { ...content, fleetStateFrom: from ?? null }
  // One statement: on Citus, concurrent imports that insert and then update tenants deadlock.
  if (tenant.create.length > 0)
    await orm.insert(tenants).values({ id: tenantId, slug, ...own, fleetState: 1 })
  else {
    const fleetState = sql`${tenants.fleetState} + 1`
    await orm
      .update(tenants)
      .set({ ...own, fleetState })
      .where(eq(tenants.id, tenantId))
  }
  await notifyCatalogChange({ orm }, tenantId)
  const lists = listNames.map((name) => {
    const { create, update, archive } = plan[name]
    return { table: fleetTables[name], rows: [...create, ...update], archive }
  })
  for (const { table, rows } of lists) {
    for (const chunk of chunks(rows)) {
      // `archivedAt` is not given, so an archived row becomes active again.
      const values = chunk.map(({ id, content }) => ({ tenantId, id, ...content }))
      await orm.insert(table).values(values).onConflictDoUpdate(replacing(table))
    }
  }
  for (const { table, archive } of lists) {
    for (const ids of chunks(archive)) {
      const archived = and(eq(table.tenantId, tenantId), inArray(table.id, ids))
      await orm.update(table).set({ archivedAt: sql`now()` }).where(archived)
    }
  }
}

function* chunks<T>(rows: readonly T[]) {
  for (let start = 0; start < rows.length; start += chunkRows) {
    yield rows.slice(start, start + chunkRows)
  }
}

/** Returns the conflict clause that replaces an existing row but keeps its `createdAt`. */
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
