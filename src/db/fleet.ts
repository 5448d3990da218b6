import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { hasCode } from '../base/hasCode.ts'
import { shortPercent } from '../domain/tax.ts'
import type { ListName, StoredFleet } from '../fleet/contents.ts'
import { sqlState } from './failures.ts'
import { assetBlocks, assetGroups, assets, extras, rates, tenants } from './schema.ts'
import { operatorTimeouts } from './timeouts.ts'
import type { Transaction } from './transaction.ts'

export type FleetTable = PgTable & { tenantId: PgColumn; id: PgColumn; archivedAt: PgColumn }

export const fleetTables: Readonly<Record<ListName, FleetTable>> = {
  groups: assetGroups,
  assets,
  blocks: assetBlocks,
  rates,
  extras,
}

/**
 * Makes imports of one tenant queue until this transaction ends; false when the wait was too long.
 * It is bounded like any statement of an operator, also behind a pooler and on the server's pool.
 */
export async function queueFleetImport({ orm }: Transaction, slug: string): Promise<boolean> {
  await orm.execute(sql`select set_config('lock_timeout', '0', true),
    set_config('statement_timeout', ${String(operatorTimeouts.statementMs)}, true)`)
  const subject = `fleet import/${slug}`
  try {
    await orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`)
    return true
  } catch (error) {
    if (hasCode(error, sqlState.cancelled)) return false
    throw error
  }
}

/** The whole fleet of the tenant with this slug, archived rows included; empty for a new tenant. */
export async function loadFleet({ orm }: Transaction, slug: string): Promise<StoredFleet> {
  const [tenant] = await orm.select().from(tenants).where(eq(tenants.slug, slug))
  if (tenant === undefined) {
    return { tenant: undefined, groups: [], assets: [], blocks: [], rates: [], extras: [] }
  }
  const { id } = tenant
  const content = { ...tenant, taxPercent: shortPercent(tenant.taxPercent) }
  return {
    tenant: { id, archived: false, content },
    groups: stored(await orm.select().from(assetGroups).where(eq(assetGroups.tenantId, id))),
    assets: stored(await orm.select().from(assets).where(eq(assets.tenantId, id))),
    blocks: stored(
      await orm
        .select({
          ...getTableColumns(assetBlocks),
          over: sql<boolean>`${assetBlocks.endsAt} <= now()`,
        })
        .from(assetBlocks)
        .where(eq(assetBlocks.tenantId, id)),
    ),
    rates: stored(await orm.select().from(rates).where(eq(rates.tenantId, id))),
    extras: stored(await orm.select().from(extras).where(eq(extras.tenantId, id))),
  }
}

function stored<Row extends { id: string; archivedAt: Date | null }>(rows: readonly Row[]) {
  return rows.map((row) => ({ id: row.id, archived: row.archivedAt !== null, content: row }))
}

/** Which of these ids another tenant uses already for rows of the same kind. */
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
