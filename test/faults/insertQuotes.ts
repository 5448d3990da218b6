import type { Database } from '../../src/db/connection/database.ts'

interface QuoteRows {
  readonly tenantId: string
  readonly keyId: string
  readonly groupId: string
  readonly count: number
  readonly expiresInMs: number
}

/** Inserts quotes directly into the table, because thousands are needed and the price is irrelevant. */
export async function insertQuotes(
  { pool }: Pick<Database, 'pool'>,
  rows: QuoteRows,
): Promise<string[]> {
  const { tenantId, keyId, groupId, count, expiresInMs } = rows
  const inserted = await pool.query<{ id: string }>(
    `insert into quotes (tenant_id, api_key_id, asset_group_id, pickup_at, dropoff_at,
       total_minor, currency, inputs, breakdown, expires_at)
     select $1, $2, $3, now() + interval '10 days', now() + interval '12 days', 124750, 'NOK',
       '{}', '{}', now() + make_interval(secs => $5)
     from generate_series(1, $4::int) returning id`,
    [tenantId, keyId, groupId, count, expiresInMs / 1_000],
  )
  return inserted.rows.map(({ id }) => id)
}

/** Returns a function that returns one quote per call; `make` creates them in batches. */
export function endlessly(make: () => Promise<string[]>): () => Promise<string> {
  let batch: Promise<string[]> | undefined
  return async () => {
    for (;;) {
      batch ??= make()
      const mine = batch
      const id = (await mine).pop()
      if (id !== undefined) return id
      if (batch === mine) batch = undefined
    }
  }
}
