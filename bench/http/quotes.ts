import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { SeededQuote } from './requests.ts'
import type { SeededCaller } from './seed.ts'

/** A real quote as the API stored and returned it. */
export interface QuoteExample {
  readonly inputs: object
  readonly breakdown: object
  readonly answer: object
}

/** Reads the row of a quote that the API has returned. */
export async function readExample(databaseUrl: string, answer: object): Promise<QuoteExample> {
  const { quoteId } = (answer as { data: { quoteId: string } }).data
  const rows = await query<Omit<QuoteExample, 'answer'>>(
    databaseUrl,
    'select inputs, breakdown from quotes where id = $1',
    [quoteId],
  )
  if (rows[0] === undefined) throw new Error('The example quote was not stored')
  return { ...rows[0], answer }
}

/** Inserts unused quotes of random callers, as large as real ones. */
export async function insertQuotes(
  databaseUrl: string,
  callers: readonly SeededCaller[],
  example: Omit<QuoteExample, 'answer'>,
  count: number,
): Promise<SeededQuote[]> {
  const quotes = Array.from({ length: count }, () => {
    const caller = callers[Math.floor(Math.random() * callers.length)]
    if (caller === undefined) throw new Error('There are no callers')
    return { quoteId: randomUUID(), caller }
  })
  await query(
    databaseUrl,
    `insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at,
       total_minor, currency, inputs, breakdown, expires_at)
     select *, now() + interval '10 days', now() + interval '13 days', 187125, 'NOK', $5::jsonb,
       $6::jsonb, now() + interval '1 hour'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])`,
    [
      quotes.map(({ caller }) => caller.tenantId),
      quotes.map(({ quoteId }) => quoteId),
      quotes.map(({ caller }) => caller.keyId),
      quotes.map(({ caller }) => caller.groupId),
      JSON.stringify(example.inputs),
      JSON.stringify(example.breakdown),
    ],
  )
  // Otherwise the bookings that follow would pay for writing these rows to disk.
  await query(databaseUrl, 'checkpoint', [])
  return quotes
}

async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
