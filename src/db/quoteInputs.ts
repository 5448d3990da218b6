import { and, eq } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { OrmConnection } from './client.ts'
import { bookings, quotes, tenants } from './schema.ts'

/**
 * What a quote froze, by its id or its booking's; over all tenants, for the operator: by the key of
 * each, since no index begins with the id.
 */
export async function findQuoteInputs({ orm }: OrmConnection, id: string) {
  const inputs = { id: quotes.id, tenantId: quotes.tenantId, inputs: quotes.inputs }
  const [found] = await unionAll(
    orm
      .select(inputs)
      .from(tenants)
      .innerJoin(quotes, and(eq(quotes.tenantId, tenants.id), eq(quotes.id, id))),
    orm
      .select(inputs)
      .from(tenants)
      .innerJoin(bookings, and(eq(bookings.tenantId, tenants.id), eq(bookings.id, id)))
      .innerJoin(
        quotes,
        and(eq(quotes.tenantId, bookings.tenantId), eq(quotes.id, bookings.quoteId)),
      ),
  )
  return found
}
