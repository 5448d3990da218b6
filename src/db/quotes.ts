import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { quotes } from './schema.ts'

export type NewQuote = Omit<
  typeof quotes.$inferInsert,
  'id' | 'expiresAt' | 'usedAt' | 'createdAt'
> & { readonly ttlSeconds: number }

/** Stores a quote; its end of validity is set by the database's clock, which alone judges it later. */
export async function insertQuote(
  database: Database,
  { ttlSeconds, ...quote }: NewQuote,
): Promise<{ id: string; expiresAt: Date }> {
  const [stored] = await database.orm
    .insert(quotes)
    .values({ ...quote, expiresAt: sql`now() + make_interval(secs => ${ttlSeconds})` })
    .returning({ id: quotes.id, expiresAt: quotes.expiresAt })
  if (stored === undefined) throw new Error('Bug: an insert returned no row')
  return stored
}
