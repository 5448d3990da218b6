import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bookingLink, linkedBooking } from '../../clients/widget/link.ts'
import {
  enteredLength,
  fillPeriod,
  firstPickup,
  hoursAt,
  periodError,
  periodOf,
  timesOn,
} from '../../clients/widget/period.ts'
import type { RentalConfig } from '../../clients/widget/rental-booking.d.ts'
import { dateText, parseDate } from '../../clients/widget/typedDate.ts'
import { closedProblem } from '../../src/domain/closedProblem.ts'
import type { StationHours } from '../../src/domain/openingHours.ts'
import { rentalLength, startedHours } from '../../src/domain/pricing/period.ts'

const first = '2026-11-20'

/** Sets the clock for one test. */
const at = (now: string) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) })
  onTestFinished(() => void vi.useRealTimers())
}

it.each([
  ['de', '30.11.', '2026-11-30'],
  ['de', '30.11', '2026-11-30'],
  ['de', '30.11.26', '2026-11-30'],
  ['de', '1. 3. 2027', '2027-03-01'],
  ['de', '30/11/2026', '2026-11-30'],
  ['de', '30112026', '2026-11-30'],
  ['de', '301126', '2026-11-30'],
  // The next such date.
  ['de', '19.11.', '2027-11-19'],
  ['de', '29.2.', undefined],
  ['de', '31.11.2026', undefined],
  ['de', '30.11.20266', undefined],
  ['de', 'morgen', undefined],
  ['de', '30. November', undefined],
  ['de', '30', undefined],
  ['de', '', undefined],
  ['en-US', '11/30/2026', '2026-11-30'],
  ['en-US', '11/30', '2026-11-30'],
  ['en-US', '30/11/2026', '2026-11-30'],
  ['en-US', '12/1/26', '2026-12-01'],
  ['en-US', '2026-12-01', '2026-12-01'],
  ['en-GB', '1/12/26', '2026-12-01'],
  ['en-GB', '2026-12-01', '2026-12-01'],
  ['sv', '2026-12-01', '2026-12-01'],
  ['sv', '261201', '2026-12-01'],
  ['sv', '1/12/2026', '2026-12-01'],
  ['fa', '۲۰۲۶/۱۲/۰۱', '2026-12-01'],
  ['ar-EG', '٠١/١٢/٢٠٢٦', '2026-12-01'],
])('reads a typed date in the order of the language: %s %s', (locale, text, date) => {
  expect(parseDate(text, locale, first)).toBe(date)
})

it.each(['ar-EG', 'da', 'de', 'en-GB', 'en-US', 'fa', 'fr', 'hu', 'it', 'ja', 'nb', 'sv', 'th'])(
  'reads the dates that it writes: %s',
  (locale) => {
    for (const date of ['2026-11-30', '2027-01-02', '2028-02-29'])
      expect([date, parseDate(dateText(date, locale), locale, first)]).toEqual([date, date])
  },
)

describe('period at the station', () => {
  const config = { timeZone: 'Europe/Oslo', minLeadMinutes: 60 }
  it('offers no pickup before the lead time, and tomorrow once today has none', () => {
    at('2026-11-20T17:10:00+01:00')
    expect([firstPickup(config), timesOn(config, 'pickup', first)[0]]).toEqual([first, '18:30'])
    expect(timesOn(config, 'pickup', '2026-11-21')[0]).toBe('07:00')
    expect(timesOn(config, 'dropoff', first)[0]).toBe('07:00')
    vi.setSystemTime('2026-11-20T20:31:00+01:00')
    expect(firstPickup(config)).toBe('2026-11-21')
  })

  it.each([
    ['2026-11-20 18:00', '2026-11-21 18:00', ['pickupDate', 'errorPickup']],
    ['2026-11-20 18:30', '2026-11-21 18:30', undefined],
    ['2026-11-20 18:30', '2026-11-20 18:30', ['dropoffTime', 'sameTime']],
    ['2026-11-20 18:30', '2026-11-20 18:00', ['dropoffTime', 'reversed']],
    ['2026-11-21 18:30', '2026-11-20 18:30', ['dropoffDate', 'reversed']],
    ['2026-11-20 18:30', '2027-11-21 18:30', undefined],
    ['2026-11-20 18:30', '2027-11-21 19:00', ['dropoffDate', 'tooLong']],
    [' 18:30', '2026-11-20 18:30', ['pickupDate', 'missing']],
    ['2026-11-20 18:30', ' 18:30', ['dropoffDate', 'missing']],
  ])('names what is wrong: %s to %s', (pickup, dropoff, error) => {
    at('2026-11-20T17:10:00+01:00')
    const [pickupDate = '', pickupTime = ''] = pickup.split(' ')
    const [dropoffDate = '', dropoffTime = ''] = dropoff.split(' ')
    const fields = { pickupDate, pickupTime, dropoffDate, dropoffTime }
    expect(periodError(config, fields)).toEqual(error)
  })
})

describe('opening hours', () => {
  const workdays = ['tuesday', 'wednesday', 'thursday', 'friday'] as const
  const openingHours: StationHours['openingHours'] = [
    { days: workdays, opens: '13:00', closes: '22:00' },
    { days: workdays, opens: '07:15', closes: '12:00' },
    { days: ['saturday'], opens: '08:00', closes: '24:00' },
  ]
  const specialDays: RentalConfig['specialDays'] = [
    { from: '2026-12-24', opens: '08:00', closes: '12:00', name: 'Christmas Eve' },
    { from: '2026-12-25', to: '2026-12-26', name: 'Christmas' },
  ]
  const config = { timeZone: 'Europe/Oslo', openingHours, specialDays }

  it.each([
    ['a break, from each opening', '2026-12-22', [29, '07:15', '22:00']],
    ['midnight', '2026-12-19', [32, '08:00', '23:30']],
    ['a closed day', '2026-12-20', [0, undefined, undefined]],
    ['a special day', '2026-12-24', [9, '08:00', '12:00']],
    ['a closed special day', '2026-12-26', [0, undefined, undefined]],
  ])('offers half hours on a day with %s', (_, date, expected) => {
    at('2026-12-01T10:00:00Z')
    const times = timesOn(config, 'pickup', date)
    expect([times.length, times[0], times.at(-1)]).toEqual(expected)
  })

  it('offers no time that a clock change skips', () => {
    at('2026-12-01T10:00:00Z')
    const night = [{ from: '2027-03-28', opens: '01:30', closes: '04:00' }]
    const times = timesOn({ ...config, specialDays: night }, 'pickup', '2027-03-28')
    expect(times).toEqual(['01:30', '03:00', '03:30', '04:00'])
  })

  it.each([
    [
      'today an hour before closing',
      '2026-12-22T20:55:00+01:00',
      '2026-12-22 21:00',
      '2026-12-29 21:00',
    ],
    ['after closing', '2026-12-22T22:01:00+01:00', '2026-12-23 07:15', '2026-12-29 07:15'],
    [
      'on a Saturday before closed days',
      '2026-12-20T00:10:00+01:00',
      '2026-12-22 07:15',
      '2026-12-29 07:15',
    ],
    ['over Christmas', '2026-12-24T12:30:00+01:00', '2026-12-29 07:15', '2027-01-01 07:15'],
    [
      'before a day that closes early',
      '2026-12-20T23:30:00+01:00',
      '2026-12-22 07:15',
      '2026-12-29 07:15',
    ],
  ])('proposes the next moment that can be booked: %s', (_, now, pickup, dropoff) => {
    at(now)
    const fields: Record<string, string> = {}
    fillPeriod(config, fields)
    const { pickupDate, pickupTime, dropoffDate, dropoffTime } = fields
    expect([`${pickupDate} ${pickupTime}`, `${dropoffDate} ${dropoffTime}`]).toEqual([
      pickup,
      dropoff,
    ])
    expect(periodError(config, fields)).toBeUndefined()
  })

  it('proposes a later pickup instead of an hour more if the last day opens later', () => {
    at('2026-12-15T23:00:00+01:00')
    const early = { days: ['wednesday'], opens: '07:00', closes: '22:00' } as const
    const late = { days: ['saturday'], opens: '08:00', closes: '22:00' } as const
    const fields: Record<string, string> = {}
    fillPeriod({ timeZone: 'Europe/Oslo', openingHours: [early, late] }, fields)
    expect(fields).toMatchObject({ pickupDate: '2026-12-16', dropoffDate: '2026-12-19' })
    expect(fields).toMatchObject({ pickupTime: '08:00', dropoffTime: '08:00' })
  })

  it('proposes tomorrow at the usual time without opening hours, but not on a closed special day', () => {
    at('2026-12-24T09:00:00+01:00')
    const fields: Record<string, string> = {}
    fillPeriod({ timeZone: 'Europe/Oslo', specialDays }, fields)
    expect(fields).toMatchObject({ pickupDate: '2026-12-27', pickupTime: '10:00' })
  })

  it.each([
    ['2026-12-26 10:00', '2026-12-29 10:00', ['pickupDate', 'closedDay']],
    ['2026-12-22 10:00', '2026-12-26 10:00', ['dropoffDate', 'closedDay']],
    ['2026-12-22 12:30', '2026-12-29 10:00', ['pickupTime', 'closedTime']],
    ['2026-12-22 10:05', '2026-12-29 22:00', undefined],
    // Saturday until 24:00.
    ['2026-12-22 10:00', '2027-01-03 00:00', undefined],
  ])('names what is closed: %s to %s', (pickup, dropoff, error) => {
    at('2026-12-01T10:00:00Z')
    const [pickupDate = '', pickupTime = ''] = pickup.split(' ')
    const [dropoffDate = '', dropoffTime = ''] = dropoff.split(' ')
    const fields = { pickupDate, pickupTime, dropoffDate, dropoffTime }
    expect(periodError(config, fields)).toEqual(error)
  })

  // Each zone changes its clock on two of the Sundays.
  it.each([
    ['Europe/Oslo', '2027-03-28', '2027-10-31'],
    ['America/St_Johns', '2027-03-14', '2027-11-07'],
    ['Australia/Lord_Howe', '2027-04-04', '2027-10-03'],
  ])(
    'offers only times that a quote accepts, also when the clock changes: %s',
    (timeZone, ...changes) => {
      at('2026-11-30T10:00:00Z')
      const night = { days: ['sunday'], opens: '02:30', closes: '06:00' } as const
      const here = { ...config, timeZone, openingHours: [...openingHours, night] }
      const hours: StationHours = {
        openingHours: here.openingHours,
        specialDays: specialDays.map(({ from, to, opens = null, closes = null, name = null }) => {
          return { from, to: to ?? from, opens, closes, name }
        }),
      }
      for (const dropoffDate of [
        ...changes,
        '2026-12-24',
        '2026-12-26',
        '2026-12-28',
        '2027-01-02',
      ]) {
        const times = timesOn(here, 'dropoff', dropoffDate)
        expect(times.length > 0).toBe(hoursAt(here, dropoffDate).intervals.length > 0)
        for (const dropoffTime of times) {
          const fields = { pickupDate: '2026-12-01', pickupTime: '10:15', dropoffDate, dropoffTime }
          const end = new Date(periodOf(here, fields)?.dropoffDatetime ?? '')
          expect([end, closedProblem(hours, end, timeZone)]).toEqual([end, undefined])
        }
      }
    },
  )
})

it.each([
  ['https://a.example/', 'https://a.example/#booking='],
  ['https://a.example/cars?lang=de#prices', 'https://a.example/cars?lang=de#booking='],
  ['https://a.example/#/route', undefined],
  ['https://a.example/#!route', undefined],
])('links to a booking on the page unless the page routes by its fragment: %s', (page, link) => {
  const id = '4f1c2a9e-0000-4000-8000-000000000000'
  const url = bookingLink(page, id)
  expect(url).toBe(link && link + id)
  if (url) expect(linkedBooking(url)).toBe(id)
  expect(linkedBooking(page)).toBe(undefined)
})

it.each([
  ['2027-03-27 22:15', '2027-03-28 04:00'],
  ['2027-03-28 01:30', '2027-03-28 04:00'],
  ['2027-03-27 22:15', '2027-03-29 04:00'],
  ['2027-03-25 10:00', '2027-03-28 09:30'],
  ['2027-10-30 22:00', '2027-10-31 04:15'],
  ['2027-10-29 10:00', '2027-10-31 10:00'],
])('counts the length of a rental as its price does: %s to %s', (pickup, dropoff) => {
  const [pickupDate = '', pickupTime = ''] = pickup.split(' ')
  const [dropoffDate = '', dropoffTime = ''] = dropoff.split(' ')
  const fields = { pickupDate, pickupTime, dropoffDate, dropoffTime }
  const config = { timeZone: 'Europe/Oslo' }
  const { pickupDatetime = '', dropoffDatetime = '' } = periodOf(config, fields) ?? {}
  const period = {
    pickupAt: new Date(pickupDatetime),
    dropoffAt: new Date(dropoffDatetime),
    timeZone: config.timeZone,
  }
  const length = rentalLength(period)
  expect(enteredLength(config, fields)).toEqual([length.days, startedHours(length)])
})
