import type { Database } from '../../src/db/connection/database.ts'
import { reviewBooking } from '../../src/services/bookings/reviewBooking.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { openRental } from '../helpers/rental.ts'

export const today = new Date('2030-03-01T09:00:00Z')

const person = (firstName: string, lastName: string) => ({
  firstName,
  lastName,
  email: `${lastName.toLowerCase()}@example.com`,
  phone: '+47 12 34 56 78',
})

/** Inserts a tenant with three vehicles, one in service from the 5th on, and bookings by name. */
export async function createBookingFixtures(database: Database) {
  const file = fleetOf(3)
  const [vehicle] = file.assetGroups[0]?.assets ?? []
  const block = { from: '2030-03-05T00:00:00Z', to: '2030-03-09T00:00:00Z', reason: 'service' }
  if (vehicle !== undefined) Object.assign(vehicle, { blocks: [block] })
  const rental = await openRental(database, file)
  const bookings = {
    ola: await rental.book('2030-03-03T09:00:00Z', '2030-03-07T15:30:00Z', {
      customer: person('Ola', 'Nordmann'),
    }),
    kari: await rental.book(
      '2030-03-04T10:00:00Z',
      '2030-03-06T14:00:00Z',
      {
        customer: person('Kari', 'Normann'),
        pickupLocation: 'Oslo Airport, arrivals',
        dropoffLocation: 'Bergen, Bryggen 7',
        notes: 'We land at 10:40 with two small children.\nPlease have the seats mounted.',
      },
      2,
    ),
    taro: await rental.book('2030-03-05T08:00:00Z', '2030-03-06T08:00:00Z', {
      customer: { ...person('太郎', '山田'), email: 'taro@example.com' },
    }),
    dana: await rental.book('2030-06-20T08:00:00Z', '2030-07-04T08:00:00Z', {
      customer: { ...person('דנה', 'לוי'), email: 'dana@example.com' },
    }),
    per: await rental.book('2031-02-10T08:00:00Z', '2031-02-11T09:00:00Z', {
      customer: person('Per', 'Hansen'),
    }),
  }
  const actor = 'Ingrid'
  const confirm = (bookingId: string) =>
    reviewBooking(database, { bookingId, decision: 'confirm', actor, reason: 'regular customer' })
  await confirm(bookings.ola)
  await confirm(bookings.per)
  const { pool } = database
  await pool.query(`update bookings set created_at = timestamptz '2030-02-26 08:12Z'`)
  await pool.query(
    `update bookings set created_at = timestamptz '2030-03-01 08:40Z' where id = $1`,
    [bookings.taro],
  )
  await pool.query(`update booking_events set created_at = timestamptz '2030-02-26 09:30Z'`)
  // Archived vehicles must not be counted.
  await pool.query(
    `insert into assets (tenant_id, id, asset_group_id, ref, folded_ref, archived_at)
     select tenant_id, gen_random_uuid(), id, 'sold ' || id, id, now() from asset_groups`,
  )
  return { rental, bookings }
}
