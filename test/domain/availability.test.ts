import { describe, expect, it } from 'vitest'
import { availableCount } from '../../src/domain/availability.ts'
import { groupDays } from '../../src/domain/groupDays.ts'
import { loadOf } from '../../src/domain/groupLoad.ts'
import { dayNumber } from '../../src/domain/period.ts'

describe('available count', () => {
  it.each([
    [5, 0, 5],
    [5, 5, 0],
    [5, 7, 0],
    [0, 0, 0],
  ])('%i in service, peak %i: %i', (inService, peak, count) => {
    expect(availableCount({ inService, peak })).toBe(count)
  })
})

/** One vehicle, an hour between two rentals, and confirmed rentals between two instants each. */
const loadOfRentals = (...rentals: readonly (readonly [from: string, to: string])[]) =>
  loadOf({
    vehicles: 1,
    turnaroundMinutes: 60,
    holdings: rentals.map(([from, to]) => ({
      ...{ pickupMs: Date.parse(from), dropoffMs: Date.parse(to), confirmed: true },
    })),
    blocks: [
      {
        assetId: 'a',
        fromMs: Date.parse('2030-03-02T08:00Z'),
        toMs: Date.parse('2030-03-02T09:00Z'),
      },
    ],
  })

describe('what stands in the way of a booking', () => {
  it('is nothing that ends as it begins, turnaround included, and nothing that begins as it ends', () => {
    const returned = ['2030-03-01T08:00Z', '2030-03-01T09:00Z'] as const
    const next = ['2030-03-01T12:00Z', '2030-03-01T13:00Z'] as const
    const load = loadOfRentals(returned, next)
    const taken = (from: string, to: string) => load(Date.parse(from), Date.parse(to)).confirmed
    expect(taken('2030-03-01T10:00Z', '2030-03-01T12:00Z')).toBe(0)
    expect(taken('2030-03-01T09:59Z', '2030-03-01T12:00Z')).toBe(1)
    expect(taken('2030-03-01T10:00Z', '2030-03-01T12:01Z')).toBe(1)
    const inService = (from: string, to: string) => load(Date.parse(from), Date.parse(to)).inService
    expect(inService('2030-03-02T07:00Z', '2030-03-02T08:00Z')).toBe(1)
    expect(inService('2030-03-02T09:00Z', '2030-03-02T10:00Z')).toBe(1)
    expect(inService('2030-03-02T07:00Z', '2030-03-02T08:01Z')).toBe(0)
  })
})

describe('the days of a group', () => {
  const timeZone = 'Europe/Oslo'
  const confirmedOn = (date: string, load: ReturnType<typeof loadOf>) => {
    const day = dayNumber(new Date(`${date}T12:00Z`), timeZone)
    const days = groupDays(load, { fromDay: day, toDay: day + 1, timeZone, breaks: [day + 1] })
    return days.map(({ confirmed }) => confirmed)
  }

  it('meet at midnight, also where the clock was changed: of 23 hours and of 25', () => {
    const afterShortDay = loadOfRentals(['2030-04-01T00:30+02:00', '2030-04-01T08:00+02:00'])
    expect(confirmedOn('2030-03-31', afterShortDay)).toEqual([0, 1])
    const endOfLongDay = loadOfRentals(['2030-10-27T22:10+01:00', '2030-10-27T22:50+01:00'])
    expect(confirmedOn('2030-10-27', endOfLongDay)).toEqual([1, 0])
  })
})
