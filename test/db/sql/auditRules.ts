import { expect } from 'vitest'
import type { Database } from '../../../src/db/connection/database.ts'
import { checkInvariant, invariants } from '../../../src/db/queries/maintenance/auditRules.ts'
import { aGroup } from '../../helpers/seed.ts'
import { aQuote, attempt, type Ground, type Rule } from './ground.ts'

const bookingRecord = 'an idempotency record has the key and session'
const recorded = 'a recorded outcome can be replayed'
const repeats = 'a booking has the key, group'
const sums = 'the lines of a quote add up'
const status = 'the status of a booking is that of its latest'
const withoutCheck = `alter table idempotency_records
  drop constraint idempotency_records_outcome_check`

/** Returns pairs of the start of an invariant's name and statements that break it. */
const damages = ({ otherKeyId, groupId }: Ground): readonly [string, string][] => [
  [
    'a quote has one booking at most',
    `alter table bookings drop constraint bookings_quote_unique;
     insert into bookings select (jsonb_populate_record(b, jsonb_build_object('id',
       gen_random_uuid()))).* from bookings b`,
  ],
  ['a used quote has a booking', `update quotes set used_at = now()`],
  ['the quote of a booking is marked as used', `update quotes set used_at = null`],
  [
    'a booking was created before its quote expired',
    `update quotes set expires_at = created_at - interval '1 s'`,
  ],
  [repeats, `update bookings set api_key_id = '${otherKeyId}'`],
  [
    repeats,
    `update bookings set asset_group_id = (select id from asset_groups where id <> '${groupId}')`,
  ],
  [repeats, `update bookings set pickup_at = pickup_at - interval '1 hour'`],
  [repeats, `update bookings set dropoff_at = dropoff_at + interval '1 hour'`],
  [repeats, `update bookings set total_minor = total_minor + 1`],
  [repeats, `update bookings set currency = 'EUR'`],
  [bookingRecord, `update idempotency_records set session_scope = 'other'`],
  [bookingRecord, `update idempotency_records set api_key_id = '${otherKeyId}'`],
  [recorded, `${withoutCheck}; update idempotency_records set booking_id = null`],
  [
    recorded,
    `${withoutCheck};
     update idempotency_records set booking_id = null, outcome = 'SERVICE_UNAVAILABLE'`,
  ],
  [sums, `update quotes set total_minor = total_minor + 1`],
  [sums, `update quotes set breakdown = jsonb_set(breakdown, '{total}', '"1.00"')`],
  [sums, `update quotes set breakdown = jsonb_set(breakdown, '{tax,amount}', '"0.00"')`],
  [sums, `update quotes set breakdown = jsonb_set(breakdown, '{rate,lines,0,amount}', '"1.00"')`],
  [sums, `update quotes set breakdown = jsonb_set(breakdown, '{extras}', '[{"amount": "1.00"}]')`],
  ['an erased booking has no personal data', `update bookings set erased_at = now()`],
  [status, `delete from booking_events`],
  [status, `update bookings set status = 'pending'`],
]

/** Inserts a quote whose booking was confirmed and cancelled, and an unused quote. */
async function inBusiness(on: Ground): Promise<void> {
  await aGroup(on.database, on.tenantId, { assets: 2 })
  await aQuote(on)
  await attempt(on, { quoteId: await aQuote(on) })
  await on.database.pool.query(
    `insert into booking_events (tenant_id, booking_id, from_status, to_status, actor, created_at)
     select tenant_id, id, move[1], move[2], 'kari', now() - move[3]::interval
     from bookings, (values (array['pending', 'confirmed', '2 hours']),
       (array['confirmed', 'cancelled', '1 hour'])) as moves (move)`,
  )
  await on.database.pool.query(`update bookings set status = 'cancelled'`)
}

async function brokenIn(pool: Pick<Database, 'pool'>['pool']): Promise<string[]> {
  const broken: string[] = []
  for (const invariant of invariants) {
    if ((await checkInvariant({ pool }, invariant)).count > 0) broken.push(invariant.name)
  }
  return broken
}

export const auditRules = {
  async 'reports inconsistent rows and none when all are consistent'(on) {
    await inBusiness(on)
    expect(await brokenIn(on.database.pool)).toEqual([])
    const client = await on.database.pool.connect()
    try {
      for (const [name, damage] of damages(on)) {
        await client.query('begin')
        await client.query(damage)
        // The audit calls only methods that a client and a pool share.
        const broken = await brokenIn(client as unknown as Database['pool'])
        await client.query('rollback')
        expect([damage, broken]).toEqual([
          damage,
          expect.arrayContaining([expect.stringContaining(name)]),
        ])
      }
    } finally {
      client.release(true)
    }
  },
} satisfies Record<string, Rule>
