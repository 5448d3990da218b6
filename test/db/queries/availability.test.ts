import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countAvailability } from '../../../src/db/queries/availability.ts'
import { bookingStatuses } from '../../../src/domain/bookings.ts'
import { runs } from '../../domain/pricing/runs.ts'
import {
  at,
  type History,
  historyOf,
  type Span,
  span,
  writeHistory,
} from '../../helpers/histories.ts'
import { type OpenTestDatabase, openTestDatabase } from '../../helpers/openTestDatabase.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

/** One connection, so that the statistics read below are those of the query before them. */
let test: OpenTestDatabase
let owner: { tenantId: string; apiKeyId: string }

beforeAll(async () => {
  test = await openTestDatabase(1)
  const tenantId = await aTenant(test.database)
  owner = { tenantId, apiKeyId: (await aKey(test.database, tenantId)).id }
})
afterAll(() => test.drop())

interface Asked {
  /** For a rental; false asks about the first minute alone, as the audit does. */
  readonly turnaround: boolean
  readonly confirmedOnly: boolean
}

/**
 * Minute by minute, the way a person with a calendar on the wall would, by the words of decisions
 * 54 to 56: the window is that of the booking it may become, [from, to + turnaround). A vehicle with
 * a block in it leaves the pool. At each minute those bookings count that were picked up by then and
 * whose turnaround is not over: confirmed ones, and pending ones not older than the tenant's hold.
 */
function countByHand(past: History, { start, end }: Span, asked: Asked) {
  const { assetCount, turnaroundMinutes, pendingHoldHours, bookings, blocks } = past
  const windowEnd = asked.turnaround ? end + turnaroundMinutes : end
  const counting = bookings.filter(({ status, ageHours }) => {
    if (status === 'confirmed') return true
    if (status !== 'pending' || asked.confirmedOnly) return false
    return pendingHoldHours === null || ageHours < pendingHoldHours
  })
  const blocked = new Set<number>()
  let peak = 0
  for (let minute = start; minute < windowEnd; minute += 1) {
    for (const block of blocks) {
      if (block.start <= minute && minute < block.end) blocked.add(block.asset)
    }
    const held = counting.filter(
      (booking) => booking.start <= minute && minute < booking.end + turnaroundMinutes,
    )
    peak = Math.max(peak, held.length)
  }
  const outOfService = [...blocked].filter((asset) => asset < assetCount).length
  return { total: assetCount, inService: assetCount - outOfService, peak }
}

const rental: Asked = { turnaround: true, confirmedOnly: false }

const count = (groupId: string, { start, end }: Span, confirmedOnly = false) =>
  countAvailability(test.database, owner.tenantId, groupId, {
    from: at(start),
    to: at(end),
    confirmedOnly,
  })

describe('counting availability', () => {
  it('agrees with counting by hand on random histories', async () => {
    const history = historyOf(...bookingStatuses)
    const windows = fc.array(span, { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(history, windows, async (past, asked) => {
        const groupId = await writeHistory(test.database, owner, past)
        for (const window of asked) {
          expect(await count(groupId, window)).toEqual(countByHand(past, window, rental))
          expect(await count(groupId, window, true)).toEqual(
            countByHand(past, window, { turnaround: true, confirmedOnly: true }),
          )
          const moment = { start: window.start, end: window.start + 1 }
          expect(
            await countAvailability(test.database, owner.tenantId, groupId, {
              from: at(window.start),
              to: null,
              confirmedOnly: true,
            }),
          ).toEqual(countByHand(past, moment, { turnaround: false, confirmedOnly: true }))
        }
      }),
      runs('availability agrees with counting by hand', 300),
    )
  })

  it.each<[string, [number, number][], number]>([
    ['nothing', [], 0],
    ['one within', [[12, 14]], 1],
    ['one around', [[0, 30]], 1],
    ['one that ends at the start', [[5, 10]], 0],
    ['one that starts at the end', [[20, 25]], 0],
    ['one over the start', [[5, 11]], 1],
    [
      'one that follows the other',
      [
        [10, 15],
        [15, 20],
      ],
      1,
    ],
    [
      'the same twice',
      [
        [12, 14],
        [12, 14],
      ],
      2,
    ],
    [
      'three that never meet',
      [
        [10, 12],
        [13, 15],
        [16, 18],
      ],
      1,
    ],
    [
      'a chain that overlaps in pairs',
      [
        [10, 13],
        [12, 16],
        [15, 20],
      ],
      2,
    ],
    [
      'two that meet before the window only',
      [
        [0, 12],
        [0, 9],
        [13, 15],
      ],
      1,
    ],
  ])('finds the peak of %s', async (_, periods, peak) => {
    const bookings = periods.map(
      ([start, end]) => ({ start, end, status: 'confirmed', ageHours: 0 }) as const,
    )
    const past = { ...quiet, assetCount: 3, bookings }
    const groupId = await writeHistory(test.database, owner, past)
    expect(await count(groupId, { start: 10, end: 20 })).toEqual({ total: 3, inService: 3, peak })
  })
})

const quiet: History = {
  assetCount: 1,
  turnaroundMinutes: 0,
  pendingHoldHours: null,
  bookings: [],
  blocks: [],
}
