import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dayDate,
  formatDate,
  localDate,
  localDateTime,
  localMinute,
  rentalLength,
} from '../../../src/domain/pricing/period.ts'
import {
  canonicalTimeZone,
  instantMs,
  isTimeZone,
  wallClockMs,
} from '../../../src/domain/timeZone.ts'
import { oneRateInputs } from './arbitraries.ts'
import {
  firstInstant,
  isSecondOccurrence,
  temporalLength,
  untilLength,
  wallClock,
} from './priceOracle.ts'
import { runs } from './runs.ts'

const period = (pickup: string, dropoff: string, timeZone: string) => ({
  pickupAt: new Date(pickup),
  dropoffAt: new Date(dropoff),
  timeZone,
})

/** Returns the length as whole days and remaining minutes, such as `1d 29m`. */
const length = (pickup: string, dropoff: string, timeZone: string) => {
  const { days, restMinutes } = rentalLength(period(pickup, dropoff, timeZone))
  return `${days}d ${restMinutes}m`
}

describe('rentalLength', () => {
  // The golden prices have the ordinary clock changes.
  it.each([
    [
      'a minute less than 25 hours',
      'Europe/Oslo',
      '2027-10-30T08:00Z',
      '2027-10-31T08:59Z',
      '0d 1499m',
    ],
    // The rental starts at 03:00 and ends when the clock goes from 03:00 back to 02:00.
    [
      '24 hours that end when clocks go back',
      'Europe/Oslo',
      '2027-10-30T01:00Z',
      '2027-10-31T01:00Z',
      '0d 1440m',
    ],
    // The second day would begin at 02:30, which does not exist, so it begins at 03:30.
    [
      'a minute before a skipped day start',
      'Europe/Oslo',
      '2027-03-27T01:30Z',
      '2027-03-28T01:29Z',
      '0d 1439m',
    ],
    ['a day to a skipped time', 'Europe/Oslo', '2027-03-27T01:30Z', '2027-03-28T01:30Z', '1d 0m'],
    // The clock goes from midnight to one, so 5 September has 23 hours.
    [
      'a day to a skipped midnight',
      'America/Santiago',
      '2027-09-04T04:00Z',
      '2027-09-05T04:00Z',
      '1d 0m',
    ],
    // 00:00:30 on the 7th to 23:30 on the 6th.
    [
      'back across midnight',
      'America/St_Johns',
      '2010-11-07T02:30:30Z',
      '2010-11-07T03:00Z',
      '0d 30m',
    ],
    ['366 days', 'Europe/Oslo', '2027-01-01T00:00Z', '2028-01-02T00:00Z', '366d 0m'],
  ])(
    'returns the length of %s in %s from %s to %s: %s',
    (_, timeZone, pickup, dropoff, expected) => {
      expect(length(pickup, dropoff, timeZone)).toBe(expected)
    },
  )

  it('counts a started minute as a whole minute', () => {
    expect(length('2027-06-01T08:00:00Z', '2027-06-01T08:00:01Z', 'Europe/Oslo')).toBe('0d 1m')
    expect(length('2027-06-01T08:00Z', '2027-06-02T08:29:00.001Z', 'Europe/Oslo')).toBe('1d 30m')
  })

  it('returns the length that Temporal computes for random rentals', () => {
    fc.assert(
      fc.property(oneRateInputs, (inputs) => {
        const { pickupAt, dropoffAt, timeZone } = inputs
        // Temporal's `until` is wrong at the second occurrence of a repeated local time.
        if ([pickupAt, dropoffAt].some((at) => isSecondOccurrence(at, timeZone))) {
          expect(rentalLength(inputs)).toEqual(temporalLength(inputs))
        } else {
          expect(rentalLength(inputs)).toEqual(untilLength(inputs))
        }
      }),
      runs('lengths by Temporal', 5000),
    )
  })

  it('rejects a drop-off that is not after the pickup and an unknown time zone', () => {
    expect(() => length('2027-06-01T08:00Z', '2027-06-01T08:00Z', 'UTC')).toThrow(RangeError)
    expect(() => length('nonsense', '2027-06-01T08:00Z', 'UTC')).toThrow(RangeError)
    expect(() => length('2027-06-01T08:00Z', '2027-06-01T09:00Z', 'Mars/Base+02')).toThrow(
      '"Mars/Base+02" is not an IANA time zone',
    )
  })
})

describe('dayDate', () => {
  const dates = (pickup: string, dropoff: string, timeZone: string, count: number) => {
    const rental = period(pickup, dropoff, timeZone)
    const dateOf = (day: number) => formatDate(dayDate(rental, day))
    return Array.from({ length: count }, (_, day) => dateOf(day).slice(5)).join(' ')
  }

  it.each([
    // Half past midnight local time is the day before in UTC.
    ['Europe/Oslo', '2027-03-26T23:30Z', '2027-03-29T22:30Z', '03-27 03-28 03-29'],
    ['Europe/Oslo', '2027-10-29T22:30Z', '2027-11-01T23:30Z', '10-30 10-31 11-01'],
    // The 30th does not exist; that day starts with the 31st.
    ['Pacific/Apia', '2011-12-29T20:00Z', '2011-12-31T20:00Z', '12-29 12-31 12-31'],
    // The clock goes forward at midnight, so that day starts at one.
    ['America/Santiago', '2027-09-04T04:00Z', '2027-09-07T03:00Z', '09-04 09-05 09-06'],
    // The clock goes forward at 23:00, so a day due at 23:30 starts on the 30th.
    ['America/Nuuk', '2025-03-29T01:30Z', '2025-04-01T01:30Z', '03-28 03-30 03-30'],
  ])('returns the local dates of the days in %s from %s', (timeZone, pickup, dropoff, expected) => {
    expect(dates(pickup, dropoff, timeZone, 3)).toBe(expected)
  })
})

describe('time zones', () => {
  it('converts between instants and local times as Temporal does in every zone', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const second = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2101, 0) / 1000 })
    fc.assert(
      fc.property(zone, second, (timeZone, seconds) => {
        const at = new Date(seconds * 1000)
        const wallMs = wallClock(at, timeZone)
        expect(wallClockMs(at, timeZone)).toBe(wallMs)
        expect(instantMs(wallMs, timeZone)).toBe(firstInstant(wallMs, timeZone))
      }),
      runs('local times of every zone', 3000),
    )
  })

  it('converts every minute of a day correctly when the clock changes', () => {
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
        expect(wallClockMs(at, timeZone)).toBe(wallClock(at, timeZone))
        // As local times, these minutes are skipped, unique or repeated.
        for (const hours of [-14, 0, 10]) {
          const wallMs = at.getTime() + hours * 3_600_000
          expect(instantMs(wallMs, timeZone)).toBe(firstInstant(wallMs, timeZone))
        }
      }
    }
  })

  it.each([
    ['2027-05-31T22:00Z', 'Europe/Oslo', '2027-06-01 00:00:00'],
    ['2027-05-31T21:59:59Z', 'Europe/Oslo', '2027-05-31 23:59:59'],
    ['2027-01-01T00:00Z', 'Pacific/Kiritimati', '2027-01-01 14:00:00'],
    ['2027-01-01T00:00Z', 'America/St_Johns', '2026-12-31 20:30:00'],
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29 23:59:59'],
    ['2011-12-30T10:00Z', 'Pacific/Apia', '2011-12-31 00:00:00'],
  ])('converts %s in %s to %s', (at, timeZone, local) => {
    expect(localDateTime(new Date(at), timeZone)).toBe(local)
    expect(localDate(new Date(at), timeZone)).toBe(local.slice(0, 10))
    expect(localMinute(new Date(at), timeZone)).toBe(local.slice(0, -':00'.length))
  })

  it.each(['Europe/Oslo', 'UTC', 'America/Argentina/Ushuaia', 'Antarctica/Troll'])(
    'accepts the time zone %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  it.each([
    ['europe/oslo', 'Europe/Oslo'],
    ['UTC', 'UTC'],
    // Node resolves these to their former names.
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
  ])('corrects the letter case of %s to %s without changing the name', (typed, spelled) => {
    expect(canonicalTimeZone(typed)).toBe(spelled)
  })

  it.each(['', 'Oslo', '+02:00', '-0330', 'Mars/Base', 'Etc/GMT+99'])(
    'rejects %j as a time zone',
    (name) => {
      expect(isTimeZone(name)).toBe(false)
    },
  )
})
