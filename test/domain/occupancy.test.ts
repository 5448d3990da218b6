import { describe, expect, it } from 'vitest'
import { availableCount, groupDays } from '../../src/domain/occupancy.ts'

describe('availableCount', () => {
  it.each([
    [5, 0, null, 5],
    [5, 5, null, 0],
    [5, 7, null, 0],
    [0, 0, null, 0],
    [5, 1, new Date(0), 0],
  ])(
    'for %i vehicles in service, a peak of %i and %s without a vehicle, returns %i available',
    (inService, peak, shortPickup, count) => {
      expect(availableCount({ inService, peak, shortPickup })).toBe(count)
    },
  )
})

describe('groupDays', () => {
  it('merges consecutive days with equal counts, except before a requested start day', () => {
    const counts = [
      { inService: 2, confirmed: 0, held: 0 },
      { inService: 2, confirmed: 0, held: 0 },
      { inService: 1, confirmed: 0, held: 0 },
      { inService: 1, confirmed: 1, held: 1 },
      { inService: 1, confirmed: 1, held: 2 },
      { inService: 1, confirmed: 1, held: 2 },
      { inService: 1, confirmed: 1, held: 2 },
      { inService: 1, confirmed: 2, held: 2 },
    ]
    const lines = groupDays(counts, 0, [1, 6])
    expect(lines).toEqual([
      { ...counts[0], fromDay: 0, toDay: 0 },
      { ...counts[1], fromDay: 1, toDay: 1 },
      { ...counts[2], fromDay: 2, toDay: 2 },
      { ...counts[3], fromDay: 3, toDay: 3 },
      { ...counts[4], fromDay: 4, toDay: 5 },
      { ...counts[6], fromDay: 6, toDay: 6 },
      { ...counts[7], fromDay: 7, toDay: 7 },
    ])
  })
})
