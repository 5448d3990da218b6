import { and, eq } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'
import { columnsOf } from './columnsOf.ts'
import { quotes } from './schema.ts'

/** What a quote froze. */
export async function findQuoteInputs(
  { orm }: OrmConnection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
) {
  const [found] = await orm
    .select(columnsOf(quotes, 'id', 'tenantId', 'inputs'))
    .from(quotes)
    .where(and(eq(quotes.tenantId, tenantId), eq(quotes.id, id)))
  return found
}
