import { and, between, eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { IdRange } from '../../../domain/ids.ts'
import type { OrmConnection } from '../../connection/database.ts'
import { columnsOf } from '../../connection/statement.ts'
import { apiKeys, bookings, quotes, tenants } from '../../schema/index.ts'

type OfTenant = PgTable & { readonly tenantId: PgColumn; readonly id: PgColumn }

/** Candidates to list for an ambiguous ID. */
const candidatesMax = 10

/**
 * Returns rows of all tenants whose IDs lie in the range, ten at most. Keep the join with
 * `tenants`: it makes each tenant a lookup by the primary key (tenant_id, id).
 */
function inRange<Columns extends Record<string, PgColumn>>(
  { orm }: OrmConnection,
  table: OfTenant,
  { first, last }: IdRange,
  columns: Columns,
) {
  return orm
    .select({ ...columns, ...columnsOf(tenants, 'slug', 'timeZone') })
    .from(tenants)
    .innerJoin(table, and(eq(table.tenantId, tenants.id), between(table.id, first, last)))
    .orderBy(table.id)
    .limit(candidatesMax)
}

export function findBookingsInRange(database: OrmConnection, range: IdRange) {
  const shown = columnsOf(bookings, 'tenantId', 'id', 'quoteId', 'status', 'pickupAt')
  return inRange(database, bookings, range, shown)
}

export function findQuotesInRange(database: OrmConnection, range: IdRange) {
  return inRange(database, quotes, range, columnsOf(quotes, 'tenantId', 'id', 'pickupAt'))
}

export function findKeysInRange(database: OrmConnection, range: IdRange) {
  const shown = columnsOf(apiKeys, 'tenantId', 'id', 'name')
  return inRange(database, apiKeys, range, shown)
}
