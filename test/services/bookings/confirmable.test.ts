import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { countAvailability } from '../../../src/db/queries/bookings/availability.ts'
import { availableCount } from '../../../src/domain/occupancy.ts'
import { reviewBooking } from '../../../src/services/bookings/reviewBooking.ts'
import { runs } from '../../domain/pricing/runs.ts'
import { at, historyOf, type Span, span, writeHistory } from '../../helpers/histories.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'
import { seedBookings } from '../../helpers/seedBookings.ts'

const test = useTestDatabase()
let owner: { tenantId: string; apiKeyId: string }
beforeAll(async () => {
  const tenantId = await aTenant(test.database)
  owner = { tenantId, apiKeyId: (await aKey(test.database, tenantId)).id }
})

/** Returns whether the endpoint reports a window as available. */
async function isAvailable(groupId: string, { start, end }: Span): Promise<boolean> {
  const window = { from: at(start), to: at(end) }
  const count = await countAvailability(test.database, owner.tenantId, groupId, window)
  return count !== undefined && availableCount(count) > 0
}

/** Books a window and returns whether staff can confirm it; rejects the booking if not. */
async function isConfirmed(assetGroupId: string, { start, end }: Span): Promise<boolean> {
  const booking = { pickupAt: at(start), dropoffAt: at(end), status: 'pending' } as const
  const [bookingId = ''] = await seedBookings(test.database, { ...owner, assetGroupId }, [booking])
  const decide = (decision: 'confirm' | 'reject') =>
    reviewBooking(test.database, { bookingId, decision, actor: 'kari' })
  try {
    await decide('confirm')
    return true
  } catch (error) {
    expect(String(error)).toMatch(/would overbook/)
    await decide('reject')
    return false
  }
}

it('a booking can be confirmed exactly when its window is reported as available', async () => {
  const history = historyOf('confirmed', 'confirmed', 'rejected', 'cancelled')
  const windows = fc.array(span, { minLength: 4, maxLength: 4 })
  const outcomes = { confirmed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(history, windows, async (past, periods) => {
      const groupId = await writeHistory(test.database, owner, past)
      // Each confirmed booking reduces the availability of the next window.
      for (const window of periods) {
        const available = await isAvailable(groupId, window)
        expect(await isConfirmed(groupId, window)).toBe(available)
        outcomes[available ? 'confirmed' : 'refused'] += 1
      }
    }),
    runs('what is available can be confirmed', 120),
  )
  expect(outcomes.confirmed).toBeGreaterThan(50)
  expect(outcomes.refused).toBeGreaterThan(50)
})
