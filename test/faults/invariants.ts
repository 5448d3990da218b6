import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { StatementRunner } from '../../src/db/connection/database.ts'

/** Statements that return violations, by invariant. */
const invariants: Readonly<Record<string, string>> = {
  'a quote has at most one booking (I1)':
    'select quote_id from bookings group by tenant_id, quote_id having count(*) > 1',
  'a used quote has a booking (I4a)': `select q.id from quotes q left join bookings b
    on b.tenant_id = q.tenant_id and b.quote_id = q.id where q.used_at is not null and b.id is null`,
  'a booking has a used quote (I4b)': `select b.id from bookings b join quotes q
    on q.tenant_id = b.tenant_id and q.id = b.quote_id where q.used_at is null`,
  'no quote is booked after its expiry (I5)': `select b.id from bookings b join quotes q
    on q.tenant_id = b.tenant_id and q.id = b.quote_id where q.used_at > q.expires_at`,
  'a booking has the key and group of its quote (I5b)': `select b.id from bookings b join quotes q
    on q.tenant_id = b.tenant_id and q.id = b.quote_id
    where b.api_key_id <> q.api_key_id or b.asset_group_id <> q.asset_group_id`,
  'an ACCEPTED record, and no other, has a booking (I6)': `select r.idempotency_key from idempotency_records r
    left join bookings b on b.tenant_id = r.tenant_id and b.id = r.booking_id
    where (r.outcome = 'ACCEPTED') <> (b.id is not null)`,
  'a booking has one idempotency record (I6)': `select b.id from bookings b join idempotency_records r
    on r.tenant_id = b.tenant_id and r.booking_id = b.id group by b.id having count(*) <> 1`,
  'no session is idle in a transaction for 20 s (I7)': `select pid::text from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'
      and state_change < now() - interval '20 s'`,
  'no idle session holds an advisory lock (I7)': `select l.pid::text from pg_locks l
    join pg_stat_activity a on a.pid = l.pid where l.locktype = 'advisory'
      and a.datname = current_database() and a.application_name = 'rental-booking-api'
      and a.state = 'idle'`,
  'a booking has the total and currency of its quote': `select b.id from bookings b join quotes q
    on q.tenant_id = b.tenant_id and q.id = b.quote_id
    where b.total_minor <> q.total_minor or b.currency <> q.currency`,
}

const retriesMax = 50

/** Returns the names of the broken invariants in a database. */
export async function brokenInvariants(database: StatementRunner): Promise<string[]> {
  const broken: string[] = []
  for (const [name, text] of Object.entries(invariants)) {
    const readRows = async () => (await database.pool.query({ text })).rows
    let rows = await readRows()
    // Retried, because the views of sessions and locks are not read at the same instant.
    for (
      let retries = 0;
      rows.length > 0 && name.includes('I7') && retries < retriesMax;
      retries++
    ) {
      await delay(100)
      rows = await readRows()
    }
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return broken
}

export async function expectInvariants(database: StatementRunner): Promise<void> {
  expect(await brokenInvariants(database)).toEqual([])
}
