import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { availableCount, peakConcurrent } from '../../src/domain/availability.ts'
import { runs } from './runs.ts'

const period = ([start, end]: readonly [number, number]) => ({ start, end })
const window = period([10, 20])

describe('peak of bookings', () => {
  it.each([
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
    ['an empty one', [[12, 12]], 0],
  ] as const)('%s', (_, bookings, peak) => {
    expect(peakConcurrent(bookings.map(period), window)).toBe(peak)
  })

  it('takes dates as well', () => {
    const day = (date: string) => new Date(`2027-06-${date}T10:00Z`)
    const bookings = [
      { start: day('01'), end: day('03') },
      { start: day('02'), end: day('04') },
    ]
    expect(peakConcurrent(bookings, { start: day('02'), end: day('05') })).toBe(2)
    expect(peakConcurrent(bookings, { start: day('03'), end: day('05') })).toBe(1)
  })

  it('is what counting at every moment gives', () => {
    const moment = fc.integer({ min: 0, max: 30 })
    const periods = fc.array(fc.tuple(moment, moment).map(period), { maxLength: 12 })
    fc.assert(
      fc.property(periods, fc.tuple(moment, moment).map(period), (bookings, asked) => {
        let peak = 0
        for (let at = asked.start; at < asked.end; at += 1) {
          const covering = bookings.filter(({ start, end }) => start <= at && at < end)
          peak = Math.max(peak, covering.length)
        }
        expect(peakConcurrent(bookings, asked)).toBe(peak)
      }),
      runs('peak counted moment by moment', 2000),
    )
  })
})

describe('available count', () => {
  it.each([
    [5, 0, 5],
    [5, 5, 0],
    [5, 7, 0],
    [0, 0, 0],
  ])('%i in service, peak %i: %i', (assetsInService, peak, count) => {
    expect(availableCount(assetsInService, peak)).toBe(count)
  })
})
