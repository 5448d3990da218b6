import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chargedDays,
  localDate,
  localDateTime,
  rentalLength,
  startedHours,
  wallClockMinutes,
} from '../../src/domain/period.ts'
import { isTimeZone, wallClockMs } from '../../src/domain/zone.ts'
import { wallClock } from './priceOracle.ts'
import { runs } from './runs.ts'

const minutes = (pickup: string, dropoff: string, timeZone: string) =>
  wallClockMinutes(new Date(pickup), new Date(dropoff), timeZone)

describe('length on the wall clock', () => {
  it.each([
    ['an ordinary day', 'Europe/Oslo', '2027-06-01T08:00Z', '2027-06-02T08:00Z', 1440],
    // 27 March 10:00 to 28 March 10:00 on the wall, 23 hours on a stopwatch.
    ['the clock goes forward', 'Europe/Oslo', '2027-03-27T09:00Z', '2027-03-28T08:00Z', 1440],
    // 30 October 10:00 to 31 October 10:00 on the wall, 25 hours on a stopwatch.
    ['the clock goes back', 'Europe/Oslo', '2027-10-30T08:00Z', '2027-10-31T09:00Z', 1440],
    ['a zone on the half hour', 'Asia/Kolkata', '2027-03-27T09:00Z', '2027-03-28T09:00Z', 1440],
    ['a zone on the quarter', 'Asia/Kathmandu', '2027-03-27T09:00Z', '2027-03-27T10:15Z', 75],
    // Lord Howe moves by half an hour: 4 April 2027 10:00+11 to 5 April 10:00+10:30.
    ['half an hour back', 'Australia/Lord_Howe', '2027-04-03T12:00Z', '2027-04-04T12:30Z', 1440],
    ['half an hour forward', 'Australia/Lord_Howe', '2027-10-02T12:30Z', '2027-10-03T12:00Z', 1440],
    // Apia went from 29 December 24:00 to 31 December 00:00: a wall-clock day nobody lived through.
    ['a skipped day', 'Pacific/Apia', '2011-12-29T20:00Z', '2011-12-30T20:00Z', 2880],
    // Until 2011 Newfoundland changed its clocks one minute past midnight, 03:31 UTC.
    ['a change off the quarter', 'America/St_Johns', '2010-03-14T03:30Z', '2010-03-14T03:32Z', 62],
    ['nothing but UTC', 'UTC', '2027-01-01T00:00Z', '2027-01-01T00:01Z', 1],
  ])('%s in %s', (_, timeZone, pickup, dropoff, expected) => {
    expect(minutes(pickup, dropoff, timeZone)).toBe(expected)
  })

  it.each([
    // 02:30 summer time to 02:30 winter time: nothing on the wall.
    ['2027-10-31T00:30Z', '2027-10-31T01:30Z', 60],
    // 02:50 summer time to 02:10 winter time: backwards on the wall.
    ['2027-10-31T00:50Z', '2027-10-31T01:10Z', 20],
    // 02:30 summer time to 02:31 winter time: one minute on the wall is enough.
    ['2027-10-31T00:30Z', '2027-10-31T01:31Z', 1],
  ])('counts elapsed minutes only where the wall clock did not move on: %s to %s', (a, b, n) => {
    expect(minutes(a, b, 'Europe/Oslo')).toBe(n)
  })

  it('counts a started minute', () => {
    expect(minutes('2027-06-01T08:00:00Z', '2027-06-01T08:00:01Z', 'Europe/Oslo')).toBe(1)
    expect(minutes('2027-06-01T08:00:30Z', '2027-06-01T08:29:30.001Z', 'Europe/Oslo')).toBe(30)
  })

  it('refuses a drop-off that is not after the pickup, and a zone that is none', () => {
    expect(() => minutes('2027-06-01T08:00Z', '2027-06-01T08:00Z', 'UTC')).toThrow(RangeError)
    expect(() => minutes('nonsense', '2027-06-01T08:00Z', 'UTC')).toThrow(RangeError)
    expect(() => minutes('2027-06-01T08:00Z', '2027-06-01T09:00Z', 'Mars/Base+02')).toThrow(
      '"Mars/Base+02" is not an IANA time zone',
    )
  })
})

describe('days and rest', () => {
  it.each([
    [1, 29, 0, 1],
    [29, 29, 0, 29],
    [1439, 29, 0, 1439],
    [1440, 29, 1, 0],
    [1469, 29, 1, 0],
    [1470, 29, 1, 30],
    [1441, 0, 1, 1],
    [10_079, 29, 6, 1439],
    [10_080, 29, 7, 0],
    [2879, 1439, 1, 0],
  ])('%i minutes with %i of grace', (length, grace, days, restMinutes) => {
    expect(rentalLength(length, grace)).toEqual({ days, restMinutes })
  })

  it.each([
    [{ days: 0, restMinutes: 1 }, 1, 1],
    [{ days: 0, restMinutes: 60 }, 1, 1],
    [{ days: 0, restMinutes: 61 }, 2, 1],
    [{ days: 2, restMinutes: 0 }, 0, 2],
    [{ days: 2, restMinutes: 30 }, 1, 3],
  ])('%j is charged as %i hours, or an extra as %i days', (length, hours, days) => {
    expect(startedHours(length)).toBe(hours)
    expect(chargedDays(length)).toBe(days)
  })
})

describe('the zone', () => {
  it('shows the time Intl shows, in every zone there is', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const second = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2101, 0) / 1000 })
    const epoch = wallClock(new Date(0), 'UTC')
    fc.assert(
      fc.property(zone, second, (timeZone, seconds) => {
        const at = new Date(seconds * 1000)
        expect(wallClockMs(at, timeZone)).toBe(wallClock(at, timeZone) - epoch)
      }),
      runs('local times of every zone', 3000),
    )
  })

  it('is right in every minute of a day in which the clock changes', () => {
    const epoch = wallClock(new Date(0), 'UTC')
    const days = [
      ['America/St_Johns', '2010-03-14'],
      ['Australia/Lord_Howe', '2027-04-03'],
      ['Europe/Oslo', '2027-10-31'],
      ['Pacific/Apia', '2011-12-30'],
      ['Asia/Gaza', '2010-03-26'],
    ] as const
    for (const [timeZone, day] of days) {
      for (let minute = 0; minute < 1440; minute += 1) {
        const at = new Date(Date.parse(day) + minute * 60_000)
        expect(wallClockMs(at, timeZone)).toBe(wallClock(at, timeZone) - epoch)
      }
    }
  })

  it('stays right when more days were asked about than are remembered', () => {
    const before = localDateTime(new Date('2027-06-01T08:00Z'), 'Europe/Oslo')
    for (let day = 0; day <= 20_000; day += 1) wallClockMs(new Date(day * 86_400_000), 'UTC')
    expect(localDateTime(new Date('2027-06-01T08:00Z'), 'Europe/Oslo')).toBe(before)
  })

  it.each([
    ['2027-05-31T22:00Z', 'Europe/Oslo', '2027-06-01 00:00:00'],
    ['2027-05-31T21:59:59Z', 'Europe/Oslo', '2027-05-31 23:59:59'],
    ['2027-01-01T00:00Z', 'Pacific/Kiritimati', '2027-01-01 14:00:00'],
    ['2027-01-01T00:00Z', 'America/St_Johns', '2026-12-31 20:30:00'],
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29 23:59:59'],
    ['2011-12-30T10:00Z', 'Pacific/Apia', '2011-12-31 00:00:00'],
  ])('%s in %s is %s', (at, timeZone, local) => {
    expect(localDateTime(new Date(at), timeZone)).toBe(local)
    expect(localDate(new Date(at), timeZone)).toBe(local.slice(0, 10))
  })

  it.each(['Europe/Oslo', 'UTC', 'America/Argentina/Ushuaia', 'Antarctica/Troll'])(
    '%s is one',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  it.each(['', 'Oslo', '+02:00', '-0330', 'Mars/Base', 'Etc/GMT+99'])('%j is none', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})
