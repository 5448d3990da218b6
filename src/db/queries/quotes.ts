import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { batchPerTick } from '../../domain/batchPerTick.ts'
import type { Breakdown } from '../../domain/pricing/priceRental.ts'
import type { PriceSnapshot } from '../../domain/pricing/priceSnapshot.ts'
import type { Database, OrmConnection } from '../connection/database.ts'
import { isDataRefused } from '../connection/failures.ts'
import { columnsOf, type RowKey, rowOf, runNamed } from '../connection/statement.ts'
import { isDistributed } from '../distribution/distribution.ts'
import { quotes } from '../schema/index.ts'
import type { Rental } from './bookings.ts'

export interface NewQuote extends Rental {
  readonly tenantId: string
  readonly catalogVersion: string
  readonly apiKeyId: string
  readonly sessionId: string | null
  readonly inputs: PriceSnapshot
  readonly breakdown: Breakdown
  readonly ttlSeconds: number
}

/** All who share a statement wait for it: this many take PostgreSQL a few milliseconds. */
const rowsMax = 64
/** How soon it is noticed that `rental distribute` has been run meanwhile. */
const askAgainMs = 60_000
/** How many tenants' quotes are gathered at a time; one that is forgotten begins anew. */
const tenantsMax = 1_000

const storedQuotes = 'select ids, ends from store_quotes($1, $2)'

/** Undefined when the tenant's catalog is another by now: then nothing is stored. */
export type StoreQuote = (
  quote: NewQuote,
) => Promise<{ readonly id: string; readonly expiresAt: Date } | undefined>

/**
 * Stores quotes of which the end of validity is set by the database's clock, which alone judges it
 * later. Those of one turn of the event loop share a statement (decision 338), where tenants are on
 * different nodes those of one tenant (decision 391).
 */
export function quoteStore(database: Database): StoreQuote {
  const stores = new LRUCache<string, StoreQuote>({
    max: tenantsMax,
    memoMethod: () =>
      batchPerTick(rowsMax, (quotes: readonly NewQuote[]) => share(database, quotes)),
  })
  let distributed: Promise<boolean> | undefined
  const askAgain = () => {
    distributed = undefined
  }
  return async (quote) => {
    if (distributed === undefined) {
      distributed = isDistributed(database.pool)
      // Where the database was away, the next quote asks again.
      distributed.then((yes) => {
        if (!yes) setTimeout(askAgain, askAgainMs).unref()
      }, askAgain)
    }
    return stores.memo((await distributed) ? quote.tenantId : 'all')(quote)
  }
}

/** A row that PostgreSQL refuses fails alone: of the shared statement nothing was stored then. */
async function share(database: Database, quotes: readonly NewQuote[]) {
  try {
    return await insertQuotes(database, quotes)
  } catch (error) {
    if (quotes.length === 1 || !isDataRefused(error)) throw error
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
  // Null when none was stored.
  type Stored = Readonly<{ ids: string[] | null; ends: Date[] | null }>
  const [stored] = await runNamed<Stored>(database, 'store_quotes', storedQuotes, values)
  const expiries = new Map(stored?.ids?.map((id, index) => [id, stored.ends?.[index]]))
  return rows.map(({ id }) => {
    const expiresAt = expiries.get(id)
    return expiresAt && { id, expiresAt }
  })
}

export async function findQuoteInputs({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [found] = await orm
    .select(columnsOf(quotes, 'id', 'tenantId', 'inputs'))
    .from(quotes)
    .where(rowOf(quotes, tenantId, id))
  return found
}
