import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { availableCount, groupDays, occupancyOf } from '../../src/domain/occupancy.ts'
import { dayNumber } from '../../src/domain/pricing/period.ts'
import { dayMs, minuteMs } from '../../src/domain/units.ts'
import { runs } from './pricing/runs.ts'

describe('availableCount', () => {
  it.each([
    [5, 0, 5],
    [5, 5, 0],
    [5, 7, 0],
    [0, 0, 0],
  ])(
    'for %i vehicles in service and a peak of %i, returns %i available',
    (inService, peak, count) => {
      expect(availableCount({ inService, peak })).toBe(count)
    },
  )
})

/** Occupancy of one vehicle with an hour of turnaround and these confirmed rentals. */
const occupancyOfRentals = (...rentals: readonly (readonly [from: string, to: string])[]) =>
  occupancyOf({
    vehicles: 1,
    turnaroundMinutes: 60,
    confirmed: {
      pickupsMs: rentals.map(([from]) => Date.parse(from)),
      dropoffsMs: rentals.map(([, to]) => Date.parse(to)),
    },
    pending: { pickupsMs: [], dropoffsMs: [] },
    blocks: [
      {
        assetId: 'a',
        fromMs: Date.parse('2030-03-02T08:00Z'),
        toMs: Date.parse('2030-03-02T09:00Z'),
      },
    ],
  })

describe('occupancyOf', () => {
  it('ignores blocks and rentals (turnaround included) that end when the period starts or start when it ends', () => {
    const returned = ['2030-03-01T08:00Z', '2030-03-01T09:00Z'] as const
    const next = ['2030-03-01T12:00Z', '2030-03-01T13:00Z'] as const
    const occupancy = occupancyOfRentals(returned, next)
    const taken = (from: string, to: string) =>
      occupancy(Date.parse(from), Date.parse(to)).confirmed
    expect(taken('2030-03-01T10:00Z', '2030-03-01T12:00Z')).toBe(0)
    expect(taken('2030-03-01T09:59Z', '2030-03-01T12:00Z')).toBe(1)
    expect(taken('2030-03-01T10:00Z', '2030-03-01T12:01Z')).toBe(1)
    const inService = (from: string, to: string) =>
      occupancy(Date.parse(from), Date.parse(to)).inService
    expect(inService('2030-03-02T07:00Z', '2030-03-02T08:00Z')).toBe(1)
    expect(inService('2030-03-02T09:00Z', '2030-03-02T10:00Z')).toBe(1)
    expect(inService('2030-03-02T07:00Z', '2030-03-02T08:01Z')).toBe(0)
  })
})

/** A range of 40 minutes, so that ends and starts often coincide. */
const minute = fc.integer({ min: 0, max: 40 })
const spanOfMinutes = fc.tuple(minute, minute).filter(([from, to]) => from < to)
const rentalOfMinutes = fc.tuple(spanOfMinutes, fc.boolean())

type Rental = readonly [span: readonly [from: number, to: number], confirmed: boolean]

const timesOf = (rentals: readonly Rental[]) => ({
  pickupsMs: rentals.map(([[from]]) => from * minuteMs),
  dropoffsMs: rentals.map(([[, to]]) => to * minuteMs),
})

describe('occupancyOf on random rentals and blocks', () => {
  it('returns the same counts as a minute-by-minute count of random rentals and blocks', () => {
    const stocks = fc.record({
      vehicles: fc.integer({ min: 0, max: 4 }),
      turnaroundMinutes: fc.integer({ min: 0, max: 3 }),
      rentals: fc.array(rentalOfMinutes, { maxLength: 6 }),
      blocks: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), spanOfMinutes), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(stocks, fc.array(spanOfMinutes), ({ rentals, blocks, ...stock }, windows) => {
        const occupancy = occupancyOf({
          ...stock,
          confirmed: timesOf(rentals.filter(([, confirmed]) => confirmed)),
          pending: timesOf(rentals.filter(([, confirmed]) => !confirmed)),
          blocks: blocks.map(([assetId, [from, to]]) => ({
            ...{ assetId, fromMs: from * minuteMs, toMs: to * minuteMs },
          })),
        })
        for (const [from, to] of windows) {
          const minutes = Array.from({ length: to - from }, (_, index) => from + index)
          const taken = (at: number, all: boolean) =>
            rentals.filter(
              ([[pickup, dropoff], confirmed]) =>
                (all || confirmed) && pickup <= at && at < dropoff + stock.turnaroundMinutes,
            ).length
          const blocked = blocks.filter(([, span]) => span[0] < to && span[1] > from)
          expect(occupancy(from * minuteMs, to * minuteMs)).toEqual({
            inService: Math.max(0, stock.vehicles - new Set(blocked.map(([id]) => id)).size),
            confirmed: Math.max(...minutes.map((at) => taken(at, false))),
            held: Math.max(...minutes.map((at) => taken(at, true))),
          })
        }
      }),
      runs('occupancy agrees with a minute-by-minute count', 300),
    )
  })
})

describe('groupDays', () => {
  const timeZone = 'Europe/Oslo'
  const confirmedOn = (date: string, occupancy: ReturnType<typeof occupancyOf>) => {
    const day = dayNumber(new Date(`${date}T12:00Z`), timeZone)
    const days = groupDays(occupancy, { fromDay: day, toDay: day + 1 }, timeZone, [day + 1])
    return days.map(({ confirmed }) => confirmed)
  }

  it('splits days at local midnight when a day has 23 or 25 hours', () => {
    const afterShortDay = occupancyOfRentals(['2030-04-01T00:30+02:00', '2030-04-01T08:00+02:00'])
    expect(confirmedOn('2030-03-31', afterShortDay)).toEqual([0, 1])
    const endOfLongDay = occupancyOfRentals(['2030-10-27T22:10+01:00', '2030-10-27T22:50+01:00'])
    expect(confirmedOn('2030-10-27', endOfLongDay)).toEqual([1, 0])
  })

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
    const none = { inService: 0, confirmed: 0, held: 0 }
    const occupancy = (fromMs: number) => counts[fromMs / dayMs] ?? none
    const lines = groupDays(occupancy, { fromDay: 0, toDay: 7 }, 'UTC', [1, 6])
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
