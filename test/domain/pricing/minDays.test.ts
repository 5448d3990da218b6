import { expect, it } from 'vitest'
import { ApiError } from '../../../src/domain/errors.ts'
import { explainQuote } from '../../../src/domain/pricing/explain.ts'
import { priceRental } from '../../../src/domain/pricing/priceRental.ts'
import { takeSnapshot } from '../../../src/domain/pricing/priceSnapshot.ts'
import { standard } from './standardRate.ts'

const summer = { ...standard, id: 'summer', validFrom: '2027-06-10', validTo: '2027-06-20' }

/** A rental from 10:00 in Oslo, at a standard rate and a summer rate. */
const rental = (from: string, to: string, minDays: { standard?: number; summer?: number }) => ({
  pickupAt: new Date(`2027-${from}+02:00`),
  dropoffAt: new Date(`2027-${to}+02:00`),
  timeZone: 'Europe/Oslo',
  gracePeriodMinutes: 29,
  currency: 'NOK',
  seasons: 'per_day' as const,
  rates: [
    { ...standard, minDays: minDays.standard ?? null },
    { ...summer, minDays: minDays.summer ?? null },
  ],
  extras: [],
  taxPercent: '25',
  pricesIncludeTax: false,
})

it.each([
  ['two days', '06-01T10:00', '06-03T10:00', { standard: 3 }, '3 days'],
  ['a day and a free rest', '06-01T10:00', '06-02T10:29', { standard: 2 }, '2 days'],
  ['the last day at another rate', '06-19T10:00', '06-22T10:00', { summer: 7 }, '7 days'],
])('rejects a rental with too few charged days: %s', (_, from, to, minDays, days) => {
  for (const seasons of ['per_day', 'pickup'] as const) {
    const price = () => priceRental({ ...rental(from, to, minDays), seasons })
    expect(price).toThrow(`rented for at least ${days}.`)
    expect(price).toThrow(ApiError)
  }
})

it('explains a stored quote with the days that the rate requires', () => {
  const inputs = rental('06-01T10:00', '06-03T10:00', { standard: 2 })
  const steps = explainQuote(takeSnapshot(inputs, priceRental(inputs).usedRates))
  expect(steps).toContain(
    'The rate of the pickup date requires at least 2 charged days; the rental has 2.',
  )
})
