import { and, between, eq } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { IdRange } from '../domain/ids.ts'
import type { OrmConnection } from './client.ts'
import { apiKeyIdentities, bookings, quotes, tenants } from './schema.ts'
import { columnsOf, type RowKey, rowOf } from './statement.ts'

/** More than these are not told apart by being listed. */
const candidatesMax = 10

// All look over all tenants, for the operator: through the list of tenants, so that it is a look-up
// by the primary key of (tenant_id, id) for each of them (decision 350).

/** The rows of each tenant whose ids lie in the range. */
const inRange = (table: { tenantId: PgColumn; id: PgColumn }, { first, last }: IdRange) =>
  and(eq(table.tenantId, tenants.id), between(table.id, first, last))

/** The bookings whose ids lie in the range, eleven at most. */
export function findBookingsInRange({ orm }: OrmConnection, range: IdRange) {
  return orm
    .select({
      ...columnsOf(bookings, 'tenantId', 'id', 'quoteId', 'status', 'pickupAt'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
    })
    .from(tenants)
    .innerJoin(bookings, inRange(bookings, range))
    .orderBy(bookings.id)
    .limit(candidatesMax + 1)
}

/** The quotes whose ids lie in the range, eleven at most. */
export function findQuotesInRange({ orm }: OrmConnection, range: IdRange) {
  return orm
    .select({
      ...columnsOf(quotes, 'tenantId', 'id', 'pickupAt'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
    })
    .from(tenants)
    .innerJoin(quotes, inRange(quotes, range))
    .orderBy(quotes.id)
    .limit(candidatesMax + 1)
}

export async function findQuoteInputs({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [found] = await orm
    .select(columnsOf(quotes, 'id', 'tenantId', 'inputs'))
    .from(quotes)
    .where(rowOf(quotes, tenantId, id))
  return found
}

/** The API keys whose ids lie in the range, eleven at most. */
export function findKeysInRange({ orm }: OrmConnection, range: IdRange) {
  return orm
    .select({
      ...columnsOf(apiKeyIdentities, 'tenantId', 'id', 'name'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
    })
    .from(tenants)
    .innerJoin(apiKeyIdentities, inRange(apiKeyIdentities, range))
    .orderBy(apiKeyIdentities.id)
    .limit(candidatesMax + 1)
}
