import { beforeEach, expect, it } from 'vitest'
import type { BookingStatus } from '../../../src/domain/bookingRules.ts'
import { monthsBefore } from '../../../src/domain/timeZone.ts'
import { eraseCustomer } from '../../../src/services/bookings/eraseCustomer.ts'
import { reviewBooking } from '../../../src/services/bookings/reviewBooking.ts'
import { runHousekeeping } from '../../helpers/housekeeping.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'
import { seedBookings } from '../../helpers/seedBookings.ts'

const test = useTestDatabase(beforeEach)

const zone = 'Pacific/Auckland'

/** Inserts a tenant with bookings, `minutes` after its retention has passed. */
async function bookingsOf(
  customerRetentionMonths: number | null,
  bookings: readonly (readonly [status: BookingStatus, minutes: number])[],
) {
  const { database } = test
  const tenantId = await aTenant(database, { timeZone: zone, customerRetentionMonths })
  const { id: apiKeyId } = await aKey(database, tenantId)
  const owner = { tenantId, apiKeyId, assetGroupId: await aGroup(database, tenantId) }
  const end = monthsBefore(new Date(), customerRetentionMonths ?? 24, zone).getTime()
  const rentals = bookings.map(([status, minutes]) => {
    const dropoffAt = new Date(end - minutes * 60_000)
    return { status, dropoffAt, pickupAt: new Date(dropoffAt.getTime() - 1) }
  })
  return seedBookings(database, owner, rentals)
}

it('erases customers once when the drop-off is longer ago than their tenant sets', async () => {
  const [one, recent, rejected, pending] = await bookingsOf(24, [
    ['confirmed', 5],
    ['confirmed', -5],
    ['rejected', 5_000_000],
    ['pending', 5],
  ])
  const many = await bookingsOf(
    1,
    Array.from({ length: 1_500 }, (): ['confirmed', number] => ['confirmed', 5]),
  )
  const [kept] = await bookingsOf(null, [['confirmed', 5_000_000]])

  const runs = await Promise.all([1, 2].map(() => runHousekeeping(test.database)))
  expect(runs.reduce((total, { erasedBookings }) => total + erasedBookings, 0)).toBe(1_503)
  expect(await runHousekeeping(test.database)).toMatchObject({ erasedBookings: 0 })

  const reason = 'called Kari Nordmann'
  const late = { bookingId: pending ?? '', decision: 'reject', actor: 'kari', reason } as const
  await reviewBooking(test.database, late)
  expect(await runHousekeeping(test.database)).toMatchObject({ erasedBookings: 1 })
  expect(await runHousekeeping(test.database)).toMatchObject({ erasedBookings: 0 })
  const told = { bookingId: one ?? '', decision: 'cancel', actor: 'kari', message: reason } as const
  await reviewBooking(test.database, told)
  expect(await runHousekeeping(test.database)).toMatchObject({ erasedBookings: 1 })
  const left = await test.database.pool.query(
    'select count(*)::int as count from booking_events where message is not null',
  )
  expect(left.rows).toEqual([{ count: 0 }])
  const messages =
    'delete from booking_events where booking_id = $1 and (from_status <> to_status or reason = $2)'
  await test.database.pool.query(messages, [one, 'reasons erased'])
  const written = await test.database.pool.query(
    'delete from booking_events where booking_id = $1 and (from_status <> to_status or reason = $2) returning actor, reason',
    [pending, 'reasons erased'],
  )
  expect(written.rows.toSorted((a, b) => `${a.actor}`.localeCompare(`${b.actor}`))).toEqual([
    { actor: 'housekeeping', reason: 'reasons erased' },
    { actor: 'kari', reason: null },
  ])

  const { rows } = await test.database.pool.query(
    'select id from bookings where customer_email is not null order by id',
  )
  expect(rows.map(({ id }) => id)).toEqual([recent, kept].toSorted())
  const events = await test.database.pool.query(
    'select booking_id as id, actor, reason, from_status = to_status as same from booking_events',
  )
  const event = { actor: 'housekeeping', reason: 'customer erased', same: true }
  const byId = (a: { id: unknown }, b: { id: unknown }) => `${a.id}`.localeCompare(`${b.id}`)
  expect(events.rows.toSorted(byId)).toEqual(
    [one, rejected, pending]
      .concat(many)
      .map((id) => ({ id, ...event }))
      .toSorted(byId),
  )
})

it('finishes an erasure by an older release, which does not know a personal column', async () => {
  const { pool } = test.database
  const eraseByOlderRelease = (id: string | undefined) =>
    pool.query(
      `with erased as (update bookings set erased_at = now(), customer_first_name = null,
         customer_last_name = null, customer_email = null where id = $1 returning *)
       insert into booking_events (tenant_id, booking_id, from_status, to_status, actor, reason)
       select tenant_id, id, status, status, 'kari', 'customer erased' from erased`,
      [id],
    )
  const bookings = await bookingsOf(null, [
    ['confirmed', 5],
    ['confirmed', 5],
  ])
  await pool.query(`update bookings set notes = 'CANARY' where id = any($1)`, [bookings])
  const [byHousekeeping, byHand = ''] = bookings
  await eraseByOlderRelease(byHousekeeping)
  expect(await runHousekeeping(test.database)).toMatchObject({ erasedBookings: 1 })
  expect(await runHousekeeping(test.database)).toMatchObject({ erasedBookings: 0 })
  await eraseByOlderRelease(byHand)
  const erased = await eraseCustomer(test.database, { bookingId: byHand }, 'kari')
  expect(erased).toMatchObject([{ id: byHand, again: false }])
  expect(await eraseCustomer(test.database, { bookingId: byHand }, 'kari')).toEqual([])
  const left = await pool.query(`select id from bookings where notes = 'CANARY'`)
  expect(left.rowCount).toBe(0)
})
