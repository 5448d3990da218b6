import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bookingLink, linkedBooking } from '../../clients/widget/link.ts'
import { firstPickup, periodError, timesOn } from '../../clients/widget/period.ts'
import { dateText, parseDate } from '../../clients/widget/typedDate.ts'

const first = '2026-11-20'

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
  const at = (now: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) })
    onTestFinished(() => void vi.useRealTimers())
  }

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
