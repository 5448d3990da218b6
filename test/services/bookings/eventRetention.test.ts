import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingEvents, bookings } from '../../../src/db/schema/index.ts'
import { runHousekeeping } from '../../../src/lifecycle/housekeeping.ts'
import { auditDatabase } from '../../../src/services/auditDatabase.ts'
import { type OpenTestDatabase, openTestDatabase } from '../../helpers/openTestDatabase.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'
import { seedBookings } from '../../helpers/seedBookings.ts'

let test: OpenTestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.drop())

async function anOwner() {
  const tenantId = await aTenant(test.database)
  const { id: apiKeyId } = await aKey(test.database, tenantId)
  return { tenantId, apiKeyId, assetGroupId: await aGroup(test.database, tenantId) }
}

describe('runHousekeeping', () => {
  it('deletes booking events when both the event and the rental are past retention', async () => {
    const owner = await anOwner()
    const yearMs = 366 * 86_400_000
    const endedYearsAgo = (years: number) => {
      const dropoffAt = new Date(Date.now() - years * yearMs)
      return {
        pickupAt: new Date(dropoffAt.getTime() - 1),
        dropoffAt,
        status: 'confirmed' as const,
      }
    }
    const rentals = [endedYearsAgo(3), endedYearsAgo(2), endedYearsAgo(3)]
    const [old = '', recent = '', erasedLately = ''] = await seedBookings(
      test.database,
      owner,
      rentals,
    )
    const event = (bookingId: string, fromStatus: string, toStatus: string, years: number) => ({
      tenantId: owner.tenantId,
      bookingId,
      fromStatus,
      toStatus,
      actor: 'staff',
      createdAt: sql`now() - make_interval(years => ${years}, days => 1)`,
    })
    await test.database.orm
      .insert(bookingEvents)
      .values([
        ...Array.from({ length: 1_500 }, () => event(old, 'confirmed', 'confirmed', 3)),
        event(recent, 'pending', 'confirmed', 4),
        event(erasedLately, 'pending', 'confirmed', 4),
        event(erasedLately, 'confirmed', 'confirmed', 1),
      ])

    expect(await runHousekeeping(test.database)).toMatchObject({ bookingEvents: 1_501 })
    const ofOwner = eq(bookingEvents.tenantId, owner.tenantId)
    const remaining = await test.database.orm.select().from(bookingEvents).where(ofOwner)
    expect(remaining.map(({ bookingId }) => bookingId).sort()).toEqual(
      [recent, erasedLately].sort(),
    )
    expect(await test.database.orm.$count(bookings)).toBeGreaterThanOrEqual(3)
    const wrongStatuses = async () => {
      const { invariants } = await auditDatabase(test.database)
      return invariants.find(({ name }) => name.startsWith('the status of a booking'))?.broken
    }
    expect(await wrongStatuses()).toBe(0)
    // The audit checks the status as long as events exist.
    await test.database.orm
      .update(bookings)
      .set({ status: 'cancelled' })
      .where(eq(bookings.id, recent))
    expect(await wrongStatuses()).toBe(1)
  })
})
