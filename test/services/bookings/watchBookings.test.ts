import { describe, expect, it } from 'vitest'
import { bookingEvents } from '../../../src/db/schema/index.ts'
import {
  type BookingFeedEvent,
  watchBookings,
} from '../../../src/services/bookings/watchBookings.ts'
import { monday, useReviewFixtures } from '../../helpers/reviewFixtures.ts'
import { seedBookings } from '../../helpers/seedBookings.ts'

const minuteMs = 60_000
/** More than two batches of the feed, with the decisions. */
const oldBookings = 600

const fixtures = useReviewFixtures()

/** Returns the first `count` events after a cursor. */
async function readEvents(count: number, since: string): Promise<BookingFeedEvent[]> {
  const end = new AbortController()
  const events: BookingFeedEvent[] = []
  const watching = watchBookings(fixtures.database, fixtures.rental.fleet.slug, {
    since,
    signal: end.signal,
    onStart() {},
    onAvailability() {},
  })
  for await (const event of watching) {
    events.push(event)
    if (events.length === count) end.abort()
  }
  return events
}

const change = ({ type, booking }: BookingFeedEvent) => `${type} ${booking.id}`

/** Adds bookings of the past two years, one a day, each confirmed an hour later. */
async function seedHistory() {
  const { database, rental } = fixtures
  const { rows } = await database.pool.query<{ tenantId: string; apiKeyId: string }>(
    'select tenant_id as "tenantId", id as "apiKeyId" from api_keys',
  )
  const owner = { ...rows[0], assetGroupId: rental.fleet.assetGroups[0]?.id } as never
  const [pickupAt, dropoffAt] = [new Date(monday[0]), new Date(monday[1])]
  const booked = Array.from({ length: oldBookings }, (_, index) => {
    const createdAt = new Date(Date.now() - (oldBookings - index) * 24 * 60 * minuteMs)
    return { pickupAt, dropoffAt, createdAt, status: 'confirmed' as const }
  })
  const ids = await seedBookings(database, owner, booked)
  await database.orm.insert(bookingEvents).values(
    ids.map((bookingId, index) => ({
      tenantId: rental.fleet.tenantId,
      bookingId,
      fromStatus: 'pending',
      toStatus: 'confirmed',
      actor: 'kari',
      createdAt: new Date((booked[index]?.createdAt.getTime() ?? 0) + 60 * minuteMs),
    })),
  )
  return ids.flatMap((id) => [`booked ${id}`, `confirmed ${id}`])
}

describe('watchBookings', () => {
  it('yields all bookings and decisions in one order to readers that start while bookings are made', async () => {
    const history = await seedHistory()
    const { rental, database } = fixtures
    const all = history.length + 8
    // The first reader ends within a batch.
    const readers = [10, all, all, all].map((count) => readEvents(count, '0'))
    const made = Promise.all(Array.from({ length: 8 }, () => rental.book(...monday)))
    const [first = [], ...read] = await Promise.all(readers)
    const changes = (read[0] ?? []).map(change)
    expect(changes.slice(0, history.length)).toEqual(history)
    expect(changes.slice(history.length).sort()).toEqual(
      (await made).map((id) => `booked ${id}`).sort(),
    )
    for (const events of read) expect(events).toEqual(read[0])
    expect(first).toEqual(read[0]?.slice(0, 10))
    const { rows } = await database.pool.query('select position::int from booking_feeds')
    expect(rows).toEqual([{ position: all }])
  })

  it('yields decisions after their booking and in order when the clock was set back', async () => {
    const id = await fixtures.rental.book(...monday)
    await fixtures.database.pool.query(`update bookings set created_at = now() + interval '1 hour'`)
    await fixtures.review(id, 'confirm')
    await fixtures.review(id, 'cancel')
    expect((await readEvents(3, '0')).map(({ type }) => type)).toEqual([
      'booked',
      'confirmed',
      'cancelled',
    ])
  })
})
