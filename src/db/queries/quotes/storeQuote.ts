import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { batchPerTick } from '../../../domain/batchPerTick.ts'
import type { Breakdown } from '../../../domain/pricing/priceRental.ts'
import type { PriceSnapshot } from '../../../domain/pricing/priceSnapshot.ts'
import type { Database } from '../../connection/database.ts'
import { isDataRejected } from '../../connection/failures.ts'
import { runNamed } from '../../connection/statement.ts'
import type { Rental } from '../bookings/redeemQuote.ts'

export interface NewQuote extends Rental {
  readonly tenantId: string
  readonly catalogVersion: string
  readonly apiKeyId: string
  readonly sessionId: string | null
  readonly inputs: PriceSnapshot
  readonly breakdown: Breakdown
  readonly ttlSeconds: number
}

/** The maximum number of quotes in one statement. Larger batches would delay each quote in them. */
const rowsMax = 64
/** The number of tenants that can have a batch at the same time. */
const tenantsMax = 1_000

const storedQuotes = 'select ids, ends from store_quotes($1, $2)'

/** Stores a quote, or returns undefined when the tenant's catalog has changed since pricing. */
export type StoreQuote = (
  quote: NewQuote,
) => Promise<{ readonly id: string; readonly expiresAt: Date } | undefined>

/**
 * Returns a function that stores quotes, which expire by the database's clock. A tenant's quotes of
 * one event-loop tick share a statement (docs/decisions.md#quotes-made-in-one-tick-share-a-statement).
 */
export function quoteStore(database: Database): StoreQuote {
  const stores = new LRUCache<string, StoreQuote>({
    max: tenantsMax,
    memoMethod: (tenantId) =>
      batchPerTick(rowsMax, (quotes: readonly NewQuote[]) =>
        database.shares(tenantId, () => insertBatch(database, quotes)),
      ),
  })
  return (quote) => stores.memo(quote.tenantId)(quote)
}

/** Inserts a batch. If PostgreSQL rejects a row, inserts each row alone, so that only it fails. */
async function insertBatch(database: Database, quotes: readonly NewQuote[]) {
  try {
    return await insertQuotes(database, quotes)
  } catch (error) {
    if (quotes.length === 1 || !isDataRejected(error)) throw error
    return quotes.map(async (quote) => (await insertQuotes(database, [quote]))[0])
  }
}

async function insertQuotes(database: Database, quotes: readonly NewQuote[]) {
  const rows = quotes.map(({ totalMinor, ...quote }) => ({
    id: randomUUID(),
    totalMinor: totalMinor.toString(),
    ...quote,
  }))
  const values = [quotes[0]?.tenantId, JSON.stringify(rows)]
  // Both are null when no quote was stored.
  type Stored = Readonly<{ ids: string[] | null; ends: Date[] | null }>
  const [stored] = await runNamed<Stored>(database, 'store_quotes', storedQuotes, values)
  const expiries = new Map(stored?.ids?.map((id, index) => [id, stored.ends?.[index]]))
  return rows.map(({ id }) => {
    const expiresAt = expiries.get(id)
    return expiresAt && { id, expiresAt }
  })
}
