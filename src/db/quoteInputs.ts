import { and, eq, or } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'
import { bookings, quotes } from './schema.ts'

/** What a quote froze, by its id or its booking's; over all tenants, for the operator. */
export async function findQuoteInputs({ orm }: OrmConnection, id: string) {
  const [found] = await orm
    .select({ id: quotes.id, tenantId: quotes.tenantId, inputs: quotes.inputs })
    .from(quotes)
    .leftJoin(
      bookings,
      and(eq(bookings.tenantId, quotes.tenantId), eq(bookings.quoteId, quotes.id)),
    )
    .where(or(eq(quotes.id, id), eq(bookings.id, id)))
  return found
}
