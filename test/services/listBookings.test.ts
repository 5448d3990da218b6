import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listBookings } from '../../src/services/listBookings.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../helpers/rental.ts'

let test: OpenTestDatabase
let rental: Rental
beforeAll(async () => {
  test = await openTestDatabase()
  // One vehicle, and an hour between two rentals.
  rental = await openRental(test.database, fleetOf(1))
})
afterAll(() => test.drop())

/** Books and moves the rental: it ends so many minutes from now. */
async function bookingUntil(minutes: number): Promise<string> {
  const id = await rental.book('2027-03-01T10:00:00Z', '2027-03-02T10:00:00Z')
  await test.database.pool.query(
    `update bookings set pickup_at = now() + make_interval(mins => $2 - 10),
      dropoff_at = now() + make_interval(mins => $2) where id = $1`,
    [id, minutes],
  )
  return id
}

const shortOf = async () =>
  Object.fromEntries(
    (await listBookings(test.database, 'fjord-cars')).map(({ id, short }) => [id, short]),
  )

describe('a list of bookings', () => {
  it('marks what is short of a vehicle, but no rental that is over, its turnaround included', async () => {
    const [over, overToo] = [await bookingUntil(-61), await bookingUntil(-61)]
    const [returned, returnedToo] = [await bookingUntil(-59), await bookingUntil(-59)]
    const [coming, settled] = [await bookingUntil(9_000), await bookingUntil(9_000)]
    await test.database.pool.query(`update bookings set status = 'rejected' where id = $1`, [
      settled,
    ])
    expect(await shortOf()).toEqual({
      ...{ [over]: null, [overToo]: null, [settled]: null },
      ...{ [returned]: true, [returnedToo]: true, [coming]: false },
    })
    await test.database.pool.query('update asset_groups set archived_at = now()')
    expect(await shortOf()).toMatchObject({ [coming]: true, [over]: null })
  })
})
