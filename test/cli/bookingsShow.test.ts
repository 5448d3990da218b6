import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookingPage } from '../../src/cli/terminal/bookingPage.ts'
import { showBooking } from '../../src/services/bookings/showBooking.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'
import { createBookingFixtures, today } from './bookingFixtures.ts'
import { commandLineOn } from './commandLine.ts'

const test = useTestDatabase()
let office: Awaited<ReturnType<typeof createBookingFixtures>>
beforeAll(async () => {
  office = await createBookingFixtures(test.database)
})

const run = (argv: string[], columns = 80) => commandLineOn(test.url)(argv, { columns, now: today })
const show = async (id: string, columns?: number) =>
  (await run(['bookings', 'show', id], columns)).out
const page = async (id: string, now = today) =>
  JSON.parse((await commandLineOn(test.url)(['bookings', 'show', id, '--json'], { now })).out)

describe('rental bookings show', () => {
  it('shows many bookings with at most two connections', async () => {
    const viewer = `viewer_${randomBytes(8).toString('hex')}`
    await test.database.pool.query(
      `create role ${viewer} login password 'viewer' connection limit 2 in role pg_read_all_data`,
    )
    try {
      const url = new URL(test.url)
      ;[url.username, url.password] = [viewer, 'viewer']
      const ids = Object.values(office.bookings)
      const { exitCode, out } = await commandLineOn(url.href)([
        'bookings',
        'show',
        ...ids,
        '--json',
      ])
      const shown = exitCode === 0 && JSON.parse(out).map(({ id }: { id: string }) => id)
      expect(shown).toEqual(ids)
    } finally {
      await test.database.pool.query(`drop role ${viewer}`)
    }
  })

  it('counts vehicles by day with blocks and turnaround', async () => {
    const { vehicles } = await page(office.bookings.taro)
    expect(vehicles.days).toEqual([
      { from: '2030-03-03', to: '2030-03-03', inService: 3, confirmed: 1, held: 1 },
      { from: '2030-03-04', to: '2030-03-04', inService: 3, confirmed: 1, held: 2 },
      { from: '2030-03-05', to: '2030-03-06', inService: 2, confirmed: 1, held: 2 },
      { from: '2030-03-07', to: '2030-03-07', inService: 2, confirmed: 1, held: 1 },
      { from: '2030-03-08', to: '2030-03-08', inService: 2, confirmed: 0, held: 0 },
    ])
  })

  it('lists the history of a booking by time', async () => {
    const id = await office.rental.book('2030-10-01T08:00:00Z', '2030-10-02T08:00:00Z')
    await run(['bookings', 'confirm', id])
    await run(['bookings', 'cancel', id])
    await test.database.pool.query(
      `update booking_events set id = case to_status
         when 'confirmed' then 'ffffffff-ffff-4fff-8fff-ffffffffffff'::uuid
         else '00000000-0000-4000-8000-000000000000' end where booking_id = $1`,
      [id],
    )
    const { history, vehicles } = await page(id)
    expect(vehicles).toBeNull()
    expect(history.map(({ to }: { to: string }) => to)).toEqual(['confirmed', 'cancelled'])
  })

  it('shows status, actor and reason, and whether the booking can be confirmed', async () => {
    expect(await show(office.bookings.ola)).toMatch(
      /^Booking \S+: confirmed\n.*Tue 26 Feb 2030 10:30 {2}confirmed by Ingrid: regular customer\n$/s,
    )
    const book = () => office.rental.book('2030-08-05T08:00:00Z', '2030-08-06T08:00:00Z')
    const [one, two, three, last] = [await book(), await book(), await book(), await book()]
    expect(await show(last)).toContain(
      'Can be confirmed, but there are not enough vehicles for all pending bookings',
    )
    await run(['bookings', 'confirm', one, two, three])
    expect(await show(last)).toContain("Can't be confirmed without overbooking")
    expect(await show(one)).toContain('Enough: 3 in service during the rental, 2 taken')
    expect((await page(last)).vehicles).toMatchObject({ short: true, contested: true })
    // It ends half an hour before the others begin, but the turnaround is an hour.
    const before = await office.rental.book('2030-08-04T08:00:00Z', '2030-08-05T07:30:00Z')
    expect(await show(before)).toContain("Can't be confirmed without overbooking")
  })

  it('shows included tax, extras of each pricing and the actor who overbooked the group', async () => {
    const { kari } = office.bookings
    const key = { tenantId: office.rental.fleet.tenantId, id: kari }
    const booking = await showBooking(test.database, key, today)
    const [seat] = booking.breakdown.extras
    if (seat === undefined) throw new Error('It has an extra')
    const extras = [
      { ...seat, name: 'Wash', quantity: 1, pricing: 'per_rental' as const, days: null },
      { ...seat, name: 'Rack', quantity: 1, days: 3, maxPrice: null },
    ]
    const tax = { ...booking.breakdown.tax, included: true }
    const words = { reason: null, message: null }
    const move = { from: 'pending', to: 'confirmed', actor: 'Ingrid', ...words, forced: true }
    const told = { reason: 'back early', message: 'Ready at 9.\nBring your licence.' }
    const history = [move, { ...move, ...told }].map((each) => ({
      at: today,
      ...each,
    }))
    const breakdown = { ...booking.breakdown, extras, tax }
    const text = bookingPage({ ...booking, history, breakdown }, today)
    expect(text).toMatch(/^Standard: 2 × day at 499\.00 +998\.00$/m)
    expect(text).toMatch(
      /^Wash: 1 × 50\.00 per rental +300\.00\nRack: 1 × 50\.00 a day for 3 days +3/m,
    )
    expect(text).toMatch(/^Tax of \d+ %, included +[\d.]+$/m)
    expect(text).toMatch(
      /( {2}confirmed by Ingrid, which overbooked its group)\n.+\1: back early\n {10}To the customer: Ready at 9\.\n {10}Bring your licence\.\n$/,
    )
  })
})
