import { beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { transitionBooking } from '../../src/db/queries/bookings/reviewQueries.ts'
import { auditDatabase } from '../../src/services/auditDatabase.ts'
import { eraseCustomer } from '../../src/services/bookings/eraseCustomer.ts'
import { listBookings } from '../../src/services/bookings/listBookings.ts'
import { reviewBooking } from '../../src/services/bookings/reviewBooking.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../helpers/rental.ts'

const test = useTestDatabase(beforeEach)
let rental: Rental
beforeEach(async () => {
  rental = await openRental(test.database, fleetOf(2))
})

const open = { status: 'open' } as const
const march = (day: number, hour = 10) =>
  `2038-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`

const confirmed = (bookingId: string, more: { force?: boolean } = {}) =>
  reviewBooking(test.database, { bookingId, decision: 'confirm', actor: 'kari', ...more })

async function confirm(from: string, to: string, more: { force?: boolean } = {}): Promise<string> {
  const bookingId = await rental.book(from, to)
  await confirmed(bookingId, more)
  return bookingId
}

/** Blocks a vehicle, by default the first. */
async function block(from: string, to: string, vehicle = 0): Promise<void> {
  await test.database.pool.query(
    `insert into asset_blocks (tenant_id, asset_id, starts_at, ends_at)
     select tenant_id, id, $1, $2 from assets order by ref limit 1 offset $3`,
    [from, to, vehicle],
  )
}

async function brokenNames(): Promise<string[]> {
  const { invariants } = await auditDatabase(test.database)
  return invariants.flatMap(({ name, broken }) => (broken > 0 ? [name] : []))
}

describe('auditDatabase', () => {
  it('reports no problem for consistent data', async () => {
    await confirm(march(1), march(2))
    await rental.book(march(1), march(2))
    await rental.quote(march(3), march(4))
    expect(await auditDatabase(test.database)).toMatchObject({ ok: true, overbookings: [] })
    expect(await brokenNames()).toEqual([])
  })

  it('accepts the latest status change of a booking when transactions overlap or its customer is erased', async () => {
    const id = await rental.book(march(1), march(2))
    const row = { tenantId: rental.fleet.tenantId, id }
    await inTransaction(test.database, async (transaction) => {
      await confirmed(id)
      const move = { from: 'confirmed', to: 'cancelled', actor: 'kari', reason: null } as const
      expect(await transitionBooking(transaction, row, { ...move, forced: false })).toBe(true)
    })
    expect(await brokenNames()).toEqual([])
    await eraseCustomer(test.database, { bookingId: id }, 'kari')
    const erasures = `update booking_events set to_status = 'confirmed', from_status = 'confirmed'
      where from_status = to_status`
    await test.database.pool.query(erasures)
    expect(await brokenNames()).toEqual([])
  })

  it('counts all violations and returns the first as examples', async () => {
    for (let day = 1; day <= 12; day++) await rental.book(march(day), march(day + 1))
    await test.database.pool.query('update bookings set total_minor = total_minor + 1')
    const { ok, invariants } = await auditDatabase(test.database)
    expect(ok).toBe(false)
    const found = invariants.find(({ name }) => name.startsWith('a booking has the key, group'))
    expect(found?.broken).toBe(12)
    expect(found?.examples.length).toBeLessThan(12)
  })
})

describe('overbookings in the audit', () => {
  it('reports an overbooking from the start of a block on a needed vehicle', async () => {
    await confirm(march(1), march(9))
    await confirm(march(1), march(9))
    await block(march(4), march(5))
    const overbooking = {
      tenant: 'fjord-cars',
      timezone: 'Europe/Oslo',
      assetGroup: 'economy',
      at: new Date(march(4)),
      inService: 1,
      confirmed: 2,
    }
    expect(await auditDatabase(test.database)).toMatchObject({
      ok: false,
      overbookings: [overbooking],
    })
  })

  it('reports overbookings when an import removes the asset group, as `bookings list` does', async () => {
    await confirm(march(1), march(9))
    const id = await confirm(march(3), march(4))
    const { assetGroups, ...file } = fleetOf(2)
    const others = assetGroups.map((group) => ({ ...group, ref: 'other' }))
    await openRental(test.database, { ...file, assetGroups: others })
    expect((await auditDatabase(test.database)).overbookings).toMatchObject([
      { assetGroup: 'economy', at: new Date(march(1)), inService: 0, confirmed: 1 },
      { assetGroup: 'economy', at: new Date(march(3)), inService: 0, confirmed: 2 },
    ])
    const { bookings } = await listBookings(test.database, rental.fleet.slug, open, new Date())
    expect(bookings.map(({ short }) => short)).toEqual([true, true])
    for (const bookingId of [id, bookings[0]?.id ?? '']) {
      await reviewBooking(test.database, { bookingId, decision: 'cancel', actor: 'kari' })
    }
    expect(await auditDatabase(test.database)).toMatchObject({ ok: true })
  })

  it('reports a forced overbooking from the pickup of the booking', async () => {
    await confirm(march(1), march(9))
    await confirm(march(1), march(9))
    await confirm(march(3), march(4), { force: true })
    expect((await auditDatabase(test.database)).overbookings).toMatchObject([
      { at: new Date(march(3)), inService: 2, confirmed: 3 },
    ])
  })

  it.each([
    ['to its drop-off', march(11, 0)],
    ['to the end of its turnaround', '2038-03-11T18:30:00Z'],
  ])('reports a booking when no vehicle is in service from its pickup %s', async (_, blockedAt) => {
    await block(march(10, 0), march(11, 0), 0)
    await block(blockedAt, march(12, 0), 1)
    await test.database.pool.query(
      `insert into assets (tenant_id, asset_group_id, ref, folded_ref, archived_at)
       select tenant_id, id, 'sold', 'sold', now() from asset_groups limit 1`,
    )
    await confirm(march(10), march(11, 18), { force: true })
    expect((await auditDatabase(test.database)).overbookings).toMatchObject([
      { at: new Date(march(10)), inService: 0, confirmed: 1 },
    ])
  })

  it('reports no overbooking when only a pending booking has no vehicle', async () => {
    await block(march(10, 0), march(11, 0), 0)
    await block(march(11, 0), march(12, 0), 1)
    await confirm(march(20), march(21))
    await rental.book(march(10), march(11, 18))
    expect(await auditDatabase(test.database)).toMatchObject({ ok: true, overbookings: [] })
  })
})
