import { and, between, eq } from 'drizzle-orm'
import type { IdRange } from '../domain/ids.ts'
import type { OrmConnection } from './client.ts'
import { apiKeyIdentities, bookings, quotes, tenants } from './schema.ts'
import { columnsOf, type RowKey, rowOf } from './statement.ts'

/** More than these are not told apart by being listed. */
const candidatesMax = 10

// All look over all tenants, for the operator: through the list of tenants, so that it is a look-up
// by the primary key of (tenant_id, id) for each of them (decision 350).

/** The bookings whose ids lie in the range, eleven at most. */
export function findBookingsInRange({ orm }: OrmConnection, { first, last }: IdRange) {
  return orm
    .select({
      ...columnsOf(bookings, 'tenantId', 'id', 'quoteId', 'status', 'pickupAt'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
    })
    .from(tenants)
    .innerJoin(bookings, and(eq(bookings.tenantId, tenants.id), between(bookings.id, first, last)))
    .orderBy(bookings.id)
    .limit(candidatesMax + 1)
}

/** The quotes whose ids lie in the range, eleven at most. */
export function findQuotesInRange({ orm }: OrmConnection, { first, last }: IdRange) {
  return orm
    .select({
      ...columnsOf(quotes, 'tenantId', 'id', 'pickupAt'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
    })
    .from(tenants)
    .innerJoin(quotes, and(eq(quotes.tenantId, tenants.id), between(quotes.id, first, last)))
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
export function findKeysInRange({ orm }: OrmConnection, { first, last }: IdRange) {
  const { id, tenantId } = apiKeyIdentities
  return orm
    .select({
      ...columnsOf(apiKeyIdentities, 'tenantId', 'id', 'name'),
      ...columnsOf(tenants, 'slug', 'timeZone'),
    })
    .from(tenants)
    .innerJoin(apiKeyIdentities, and(eq(tenantId, tenants.id), between(id, first, last)))
    .orderBy(id)
    .limit(candidatesMax + 1)
}
