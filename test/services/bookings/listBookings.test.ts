import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { countAvailability } from '../../../src/db/queries/bookings/availability.ts'
import { availableCount } from '../../../src/domain/occupancy.ts'
import { bookingDetailsExample } from '../../../src/input/bookingDetails.ts'
import { listBookings } from '../../../src/services/bookings/listBookings.ts'
import { reviewBooking } from '../../../src/services/bookings/reviewBooking.ts'
import { showBooking } from '../../../src/services/bookings/showBooking.ts'
import {
  type BookingFeedEvent,
  watchBookings,
} from '../../../src/services/bookings/watchBookings.ts'
import { runs } from '../../domain/pricing/runs.ts'
import { fleetOf } from '../../helpers/fleet.ts'
import { historyOf, writeHistory } from '../../helpers/histories.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../../helpers/rental.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const test = useTestDatabase()
let rental: Rental
beforeAll(async () => {
  // One vehicle with an hour of turnaround.
  rental = await openRental(test.database, fleetOf(1))
})

/** Books a rental that ends this many minutes from now. */
async function bookingUntil(minutes: number): Promise<string> {
  const id = await rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
  await test.database.pool.query(
    `update bookings set pickup_at = now() + make_interval(mins => $2 - 10),
      dropoff_at = now() + make_interval(mins => $2) where id = $1`,
    [id, minutes],
  )
  return id
}

const setStatus = (id: string, status: string) =>
  test.database.pool.query('update bookings set status = $2 where id = $1', [id, status])

async function listed(slug: string) {
  const filter = { status: 'all' } as const
  return (await listBookings(test.database, slug, filter, new Date())).bookings
}

describe('listBookings', () => {
  it('marks pending bookings that may get no vehicle until the turnaround of the rental ends', async () => {
    const contestedOf = async () =>
      Object.fromEntries((await listed('fjord-cars')).map(({ id, contested }) => [id, contested]))
    const [over, overToo] = [await bookingUntil(-61), await bookingUntil(-61)]
    const [returned, returnedToo] = [await bookingUntil(-59), await bookingUntil(-59)]
    const [coming, rejectedId] = [await bookingUntil(9_000), await bookingUntil(9_000)]
    await setStatus(rejectedId, 'rejected')
    expect(await contestedOf()).toEqual({
      [over]: null,
      [overToo]: null,
      [rejectedId]: null,
      [returned]: true,
      [returnedToo]: true,
      [coming]: false,
    })
    await test.database.pool.query('update asset_groups set archived_at = now()')
    expect(await contestedOf()).toMatchObject({ [coming]: true, [over]: null })
  })

  it('uses the database clock for holds in listBookings and showBooking when the operator clock differs', async () => {
    const { fleet, book } = await openRental(test.database, fleetOf(1, 'held'))
    const { tenantId, slug } = fleet
    const twoHours = 7_200_000
    const both: string[] = []
    for (const _ of [1, 2]) both.push(await book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'))
    await test.database.pool.query('update tenants set pending_hold_hours = 1 where id = $1', [
      tenantId,
    ])
    const contested = async (now: Date) =>
      [
        ...(await listBookings(test.database, slug, { status: 'open' }, now)).bookings,
        ...(
          await Promise.all(both.map((id) => showBooking(test.database, { tenantId, id }, now)))
        ).map(({ vehicles }) => vehicles),
      ].map((one) => one?.contested)
    expect(await contested(new Date(Date.now() + twoHours))).toEqual([true, true, true, true])
    await test.database.pool.query(
      `update bookings set created_at = now() - interval '61 minutes' where tenant_id = $1`,
      [tenantId],
    )
    expect(await contested(new Date(Date.now() - twoHours))).toEqual([false, false, false, false])
  })

  it('agrees with countAvailability on bookings that have or may get no vehicle, on random histories', async () => {
    const history = historyOf('pending', 'pending', 'confirmed', 'rejected')
    const counts = { short: 0, contested: 0, free: 0 }
    await fc.assert(
      fc.asyncProperty(history, async (past) => {
        const { database } = test
        const tenantId = await aTenant(database)
        const owner = { tenantId, apiKeyId: (await aKey(database, tenantId)).id }
        const groupId = await writeHistory(database, owner, past)
        for (const booking of await listed(`tenant-${tenantId}`)) {
          if (booking.status === 'rejected') continue
          const { id, status, short, contested } = booking
          const period = { from: booking.pickupDatetime, to: booking.dropoffDatetime }
          const isFull = async (confirmedOnly: boolean) => {
            const window = { ...period, confirmedOnly }
            const count = await countAvailability(database, tenantId, groupId, window)
            if (count === undefined) return undefined
            // Only `confirm` refuses a booking for one beside a block.
            const isRefused = confirmedOnly && status === 'pending'
            return isRefused ? availableCount(count) === 0 : count.inService <= count.peak
          }
          // Excludes the booking itself from the count.
          await setStatus(id, 'rejected')
          const refused = await isFull(true)
          const isContested = refused || (await isFull(false))
          expect({ short, contested }).toEqual({ short: refused, contested: isContested })
          await setStatus(id, status)
          counts[short ? 'short' : contested ? 'contested' : 'free'] += 1
        }
      }),
      runs('the list agrees with confirmation', 60),
    )
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(3)
  })
})

describe('a booking for staff', () => {
  it('returns all data of a booking in listBookings, showBooking and watchBookings', async () => {
    const { fleet, book } = await openRental(test.database, fleetOf(1, 'told'))
    const { tenantId, slug } = fleet
    const period = ['2038-03-01T10:00:00Z', '2038-03-03T12:30:00Z'] as const
    const first = await book(...period)
    const id = await book(...period, bookingDetailsExample, 2)
    const decision = { decision: 'confirm', actor: 'Ingrid', force: true } as const
    await reviewBooking(test.database, { bookingId: first, ...decision })
    await reviewBooking(test.database, { bookingId: id, ...decision, reason: 'regular' })
    const { rows } = await test.database.pool.query(
      `select b.api_key_id as "apiKeyId", b.quote_id as "quoteId", b.created_at as "createdAt",
         e.created_at as at
       from bookings b join booking_events e on e.booking_id = b.id where b.id = $1`,
      [id],
    )
    const { apiKeyId, quoteId, createdAt, at } = rows[0]
    const [group] = fleet.assetGroups
    const assetGroup = { id: group?.id, ref: 'economy', name: 'Economy' }
    const [pickupDatetime, dropoffDatetime] = period.map((time) => new Date(time))
    const known = {
      ...bookingDetailsExample,
      id,
      status: 'confirmed',
      assetGroup,
      pickupDatetime,
      dropoffDatetime,
      timezone: 'Europe/Oslo',
      total: '1993.75',
      currency: 'NOK',
      createdAt,
      apiKey: { id: apiKeyId, name: 'shop' },
      channel: 'server',
    }
    const length = { days: 2, restMinutes: 150 }
    const list = await listBookings(test.database, slug, { status: 'open' }, new Date())
    expect(list.bookings.find((booking) => booking.id === id)).toMatchObject({
      ...known,
      length,
      short: true,
      contested: true,
    })
    const confirmation = { actor: 'Ingrid', reason: 'regular', forced: true }
    const page = await showBooking(test.database, { tenantId, id }, new Date())
    expect(page).toMatchObject({
      ...known,
      length,
      quoteId,
      erasedAt: null,
      tenant: { id: tenantId, slug, name: 'Fjord Cars' },
      assetGroup: { ...assetGroup, category: 'car', turnaroundMinutes: 60 },
      breakdown: { total: '1993.75' },
      history: [{ at, from: 'pending', to: 'confirmed', ...confirmation }],
    })
    const news: BookingFeedEvent[] = []
    const watching = { signal: new AbortController().signal, onAvailability() {}, onStart() {} }
    for await (const one of watchBookings(test.database, slug, { since: '0', ...watching })) {
      if (one.booking.id === id) news.push(one)
      if (news.length === 2) break
    }
    const noActor = { actor: null, reason: null, forced: false }
    const cursor = expect.any(String)
    expect(news).toMatchObject([
      { cursor, type: 'booked', at: createdAt, ...noActor, booking: known },
      { cursor, type: 'confirmed', at, ...confirmation, booking: known },
    ])
  })
})
