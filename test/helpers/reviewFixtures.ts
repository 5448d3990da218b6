import { beforeEach } from 'vitest'
import { operatorTimeouts } from '../../src/db/connection/timeouts.ts'
import { type Decision, reviewBooking } from '../../src/services/bookings/reviewBooking.ts'
import { fleetOf } from './fleet.ts'
import { useTestDatabase } from './openTestDatabase.ts'
import { openRental, type Rental } from './rental.ts'

export const parallel = 50
// On a busy machine, fifty sessions that wait for one lock must not time out.
const patient = { ...operatorTimeouts, lockMs: 60_000 }
export const monday = ['2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'] as const
export const actor = 'kari'

/** Provides a new rental for each test, with two vehicles and a turnaround of an hour. */
export function useReviewFixtures() {
  const test = useTestDatabase(beforeEach, parallel, patient)
  let rental: Rental
  beforeEach(async () => {
    rental = await openRental(test.database, fleetOf(2))
  })
  return {
    get database() {
      return test.database
    },
    get url() {
      return test.url
    },
    get rental() {
      return rental
    },
    review(bookingId: string, decision: Decision, more: { force?: boolean; reason?: string } = {}) {
      return reviewBooking(test.database, { bookingId, decision, actor, ...more })
    },
    async statuses(): Promise<Record<string, number>> {
      const { rows } = await test.database.pool.query<{ status: string; count: number }>(
        'select status, count(*)::int as count from bookings group by status',
      )
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    },
    async events() {
      const columns = 'from_status, to_status, actor, reason, forced'
      const read = `select ${columns} from booking_events order by created_at`
      return (await test.database.pool.query(read)).rows
    },
  }
}
