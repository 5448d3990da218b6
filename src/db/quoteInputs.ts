import { eq } from 'drizzle-orm'
import type { Database } from './client.ts'
import { quotes } from './schema.ts'

/** What a quote froze, looked up over all tenants: the command line is the staff's. */
export async function findQuoteInputs({ orm }: Pick<Database, 'orm'>, id: string) {
  const [found] = await orm
    .select({ id: quotes.id, tenantId: quotes.tenantId, inputs: quotes.inputs })
    .from(quotes)
    .where(eq(quotes.id, id))
  return found
}
