import { randomUUID } from 'node:crypto'
import type { Breakdown } from '../domain/breakdown.ts'
import type { FrozenInputs } from '../domain/frozenInputs.ts'
import { perTurn } from '../perTurn.ts'
import type { Database } from './client.ts'
import { isDataRefused } from './failures.ts'
import { runNamed } from './statement.ts'

/** An offer to be stored. */
export interface NewQuote {
  readonly tenantId: string
  /** The version of the tenant's catalog that it was priced by. */
  readonly catalogVersion: number
  readonly apiKeyId: string
  readonly sessionId: string | null
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly totalMinor: bigint
  readonly currency: string
  readonly inputs: FrozenInputs
  readonly breakdown: Breakdown
  readonly ttlSeconds: number
}

export interface StoredQuote {
  readonly id: string
  readonly expiresAt: Date
}

/** Holds everybody up who shares it: this many take PostgreSQL a few milliseconds. */
const rowsMax = 64

/** The version is looked up row by row: a join would be planned for any number of tenants. */
const insert = `
insert into quotes (tenant_id, id, api_key_id, session_id, asset_group_id, pickup_at, dropoff_at,
  total_minor, currency, inputs, breakdown, expires_at)
select q."tenantId", q.id, q."apiKeyId", q."sessionId", q."assetGroupId", q."pickupAt",
  q."dropoffAt", q."totalMinor", q.currency, q.inputs, q.breakdown,
  now() + make_interval(secs => q."ttlSeconds")
from jsonb_to_recordset($1) as q (
  "tenantId" uuid, id uuid, "catalogVersion" bigint, "apiKeyId" uuid, "sessionId" uuid,
  "assetGroupId" uuid, "pickupAt" timestamptz, "dropoffAt" timestamptz, "totalMinor" bigint,
  currency text, inputs jsonb, breakdown jsonb, "ttlSeconds" int)
where q."catalogVersion" = (select catalog_version from tenants where id = q."tenantId")
returning id, expires_at as "expiresAt"`

const storesOf = new WeakMap<Database, (quote: NewQuote) => Promise<StoredQuote | undefined>>()

/**
 * Stores a quote, unless the tenant's catalog is another by now: then nothing is stored, and the
 * answer is undefined. Its end of validity is set by the database's clock, which alone judges it
 * later. Quotes of one turn of the event loop share a statement (decision 338).
 */
export function insertQuote(database: Database, quote: NewQuote): Promise<StoredQuote | undefined> {
  const known = storesOf.get(database)
  // Where tenants are on different nodes, this is the place to part them: a store for each tenant.
  const store = known ?? perTurn(rowsMax, (quotes: readonly NewQuote[]) => share(database, quotes))
  if (known === undefined) storesOf.set(database, store)
  return store(quote)
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

async function insertQuotes(
  database: Database,
  quotes: readonly NewQuote[],
): Promise<(StoredQuote | undefined)[]> {
  const rows = quotes.map((quote) => ({
    ...quote,
    id: randomUUID(),
    totalMinor: quote.totalMinor.toString(),
  }))
  const values = [JSON.stringify(rows)]
  const stored = await runNamed<StoredQuote>(database, 'insert_quotes', insert, values)
  const byId = new Map(stored.map((quote) => [quote.id, quote]))
  return rows.map(({ id }) => byId.get(id))
}
