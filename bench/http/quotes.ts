import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { SeededQuote } from './requests.ts'
import type { SeededCaller } from './seed.ts'

/** The JSON that the API stores with a quote. */
export interface StoredQuote {
  readonly inputs: object
  readonly breakdown: object
}

/** Returns the JSON stored with the only unused quote. */
export async function readQuote(databaseUrl: string): Promise<StoredQuote> {
  const onlyQuote = 'select inputs, breakdown from quotes where used_at is null'
  const [stored] = await query<StoredQuote>(databaseUrl, onlyQuote)
  if (stored === undefined) throw new Error('The example quote was not stored')
  return stored
}

const insertion = `
insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at, total_minor,
  currency, inputs, breakdown, expires_at)
select *, now() + interval '10 days', now() + interval '13 days', 187125, 'NOK', $5::jsonb,
  $6::jsonb, now() + interval '1 hour'
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])`

/** Inserts unused quotes with JSON of a real size, evenly over the callers. */
export async function insertQuotes(
  databaseUrl: string,
  callers: readonly SeededCaller[],
  { inputs, breakdown }: StoredQuote,
  count: number,
): Promise<SeededQuote[]> {
  const made = Array.from({ length: count }, (_, index) => ({
    quoteId: randomUUID(),
    caller: callers[index % callers.length] as SeededCaller,
  }))
  const ids = (name: 'tenantId' | 'keyId' | 'groupId') => made.map(({ caller }) => caller[name])
  const quoteIds = made.map(({ quoteId }) => quoteId)
  const rows = [ids('tenantId'), quoteIds, ids('keyId'), ids('groupId')]
  await query(databaseUrl, insertion, [...rows, JSON.stringify(inputs), JSON.stringify(breakdown)])
  // Otherwise the measured bookings would include the time to write these rows to disk.
  await query(databaseUrl, 'checkpoint')
  return made
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Row>(text, values)
  await client.end()
  return rows
}
