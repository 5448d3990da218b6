import { beforeAll, describe, expect, it } from 'vitest'
import { showBooking } from '../../../src/services/bookings/showBooking.ts'
import { fleetOf } from '../../helpers/fleet.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../../helpers/rental.ts'

const test = useTestDatabase()
let rental: Rental
beforeAll(async () => {
  // One vehicle with an hour of turnaround, in Oslo.
  rental = await openRental(test.database, fleetOf(1))
})

describe('showBooking', () => {
  it.each([
    ['23 hours', '2038-03-28', ['2038-03-29T00:30:00+02:00', '2038-03-29T08:00:00+02:00'], '29'],
    ['25 hours', '2038-10-31', ['2038-10-31T22:10:00+01:00', '2038-10-31T22:50:00+01:00'], '31'],
  ] as const)(
    'counts by local day when a day has %s',
    async (_hours, date, [pickup, dropoff], dayOfMonth) => {
      const { tenantId } = rental.fleet
      const other = await rental.book(pickup, dropoff)
      await test.database.pool.query(`update bookings set status = 'confirmed' where id = $1`, [
        other,
      ])
      const id = await rental.book(`${date}T08:00:00Z`, `${date}T09:00:00Z`)
      const { vehicles } = await showBooking(test.database, { tenantId, id }, new Date())
      const taken = vehicles?.days.filter(({ confirmed }) => confirmed > 0)
      const day = date.slice(0, 8) + dayOfMonth
      expect(taken).toMatchObject([{ from: day, to: day, confirmed: 1 }])
    },
  )
})
