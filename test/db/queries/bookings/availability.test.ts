import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countAvailability,
  countOccupancy,
} from '../../../../src/db/queries/bookings/availability.ts'
import { bookingStatuses } from '../../../../src/domain/bookingRules.ts'
import { runs } from '../../../domain/pricing/runs.ts'
import {
  at,
  type History,
  historyOf,
  type Span,
  span,
  writeHistory,
} from '../../../helpers/histories.ts'
import { type OpenTestDatabase, openTestDatabase } from '../../../helpers/openTestDatabase.ts'
import { aKey, aTenant } from '../../../helpers/seed.ts'

let test: OpenTestDatabase
let owner: { tenantId: string; apiKeyId: string }

beforeAll(async () => {
  test = await openTestDatabase(1)
  const tenantId = await aTenant(test.database)
  owner = { tenantId, apiKeyId: (await aKey(test.database, tenantId)).id }
})
afterAll(() => test.drop())

/** Counts availability minute by minute, without the interval logic of the query. */
function countByHand(past: History, { start, end }: Span, confirmedOnly: boolean) {
  const { assetCount, turnaroundMinutes, pendingHoldHours, bookings, blocks } = past
  const windowEnd = end + turnaroundMinutes
  const inServiceDuring = (from: number, to: number) => {
    const touching = blocks.filter((block) => block.start < to && from < block.end)
    const blocked = new Set(touching.map(({ asset }) => asset).filter((one) => one < assetCount))
    return assetCount - blocked.size
  }
  const counting = bookings.filter(({ status, ageHours }) => {
    if (status === 'confirmed') return true
    if (status !== 'pending' || confirmedOnly) return false
    return pendingHoldHours === null || ageHours < pendingHoldHours
  })
  const short: number[] = []
  let peak = 0
  for (let minute = start; minute < windowEnd; minute += 1) {
    const held = counting.filter(
      (booking) => booking.start <= minute && minute < booking.end + turnaroundMinutes,
    )
    peak = Math.max(peak, held.length)
    for (const booking of held) {
      const vehicles = inServiceDuring(booking.start, booking.end + turnaroundMinutes)
      if (held.length + 1 > vehicles) short.push(booking.start)
    }
  }
  const inService = inServiceDuring(start, windowEnd)
  const isShort = inService > peak && short.length > 0
  if (isShort) shortWindows += 1
  const shortPickup = isShort ? at(Math.min(...short)) : null
  return { total: assetCount, inService, peak, shortPickup }
}

/** Windows that leave a booking beside a block without a vehicle. */
let shortWindows = 0

const count = (groupId: string, { start, end }: Span, confirmedOnly = false) =>
  countAvailability(test.database, owner.tenantId, groupId, {
    from: at(start),
    to: at(end),
    confirmedOnly,
  })

describe('countAvailability', () => {
  it.each([
    ['a few', 1, 300],
    ['hundreds of', 60, 20],
  ])('agrees with a minute-by-minute count of %s bookings', async (many, histories, wanted) => {
    const history = fc
      .array(historyOf(...bookingStatuses), { minLength: histories, maxLength: histories })
      .map((merged) => ({
        ...(merged[0] ?? quiet),
        bookings: merged.flatMap(({ bookings }) => bookings),
      }))
    const windows = fc.array(span, { minLength: 3, maxLength: 3 })
    shortWindows = 0
    await fc.assert(
      fc.asyncProperty(history, windows, async (past, periods) => {
        const groupId = await writeHistory(test.database, owner, past)
        for (const window of periods) {
          expect(await count(groupId, window)).toEqual(countByHand(past, window, false))
          expect(await count(groupId, window, true)).toEqual(countByHand(past, window, true))
        }
        const { turnaroundMinutes } = past
        const rentals = periods.map(({ start, end }) => {
          return { groupId, from: at(start), to: at(end + turnaroundMinutes) }
        })
        expect(await countOccupancy(test.database, owner.tenantId, rentals)).toEqual(
          periods.map((window) => {
            const { inService, peak } = countByHand(past, window, true)
            return { inService, confirmed: peak, held: countByHand(past, window, false).peak }
          }),
        )
      }),
      runs(`availability agrees with a minute-by-minute count of ${many} bookings`, wanted),
    )
    if (many === 'a few') expect(shortWindows).toBeGreaterThan(3)
  })
})

const quiet: History = {
  assetCount: 1,
  turnaroundMinutes: 0,
  pendingHoldHours: null,
  bookings: [],
  blocks: [],
}
