import { describe, expect, it } from 'vitest'
import { dayRates } from '../../examples/booking-site/dayRates.ts'

const rate = (id: string, validFrom: string | null, validTo: string | null) => ({
  ...{ id, name: id, currency: 'NOK', validFrom, validTo },
  ...{ dailyRate: '499.00', hourlyRate: null, weeklyRate: null, monthlyRate: null },
})
const standard = rate('standard', null, '2027-08-31')
const july = rate('july', '2027-07-01', '2027-07-31')

describe('the rates a visitor is shown for the days of a period', () => {
  it.each([
    ['one', '2027-06-29T10:00Z', '2027-06-30T10:00Z', ['standard']],
    // Half past midnight on 1 July at the station.
    ['the one of the date there', '2027-06-30T22:30Z', '2027-07-01T22:30Z', ['july']],
    ['each of a period over two', '2027-06-30T10:00Z', '2027-07-02T10:00Z', ['standard', 'july']],
    ['not that of the day of return', '2027-06-29T10:00Z', '2027-07-01T08:00Z', ['standard']],
    ['that of an hour', '2027-07-01T10:00Z', '2027-07-01T11:00Z', ['july']],
    ['none if a day has none', '2027-08-31T10:00Z', '2027-09-02T10:00Z', []],
  ])('are %s', (_, pickupDatetime, dropoffDatetime, expected) => {
    const period = { pickupDatetime, dropoffDatetime }
    const found = dayRates([standard, july], period, 'Europe/Oslo')
    expect(found.map(({ id }) => id)).toEqual(expected)
  })
})
