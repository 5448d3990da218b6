import process from 'node:process'
import type { ChosenExtra } from '../src/domain/pricing/extras.ts'
import { type PriceInputs, priceRental } from '../src/domain/pricing/priceRental.ts'
import type { Rate } from '../src/domain/pricing/rates.ts'
import { operationsPerSecond } from './rounds.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** Pickups on every hour of two years, so that no price is the one just computed. */
const pickupsMs = Array.from(
  { length: 2 * 365 * 24 },
  (_, hour) => Date.UTC(2027, 0) + hour * hourMs,
)

const plainRate: Rate = {
  id: '0197b1c0-0000-7000-8000-000000000001',
  name: 'Standard',
  currency: 'NOK',
  dailyMinor: 49_900n,
  hourlyMinor: null,
  weeklyMinor: null,
  monthlyMinor: null,
  validFrom: null,
  validTo: null,
}

const fullRate: Rate = {
  ...plainRate,
  hourlyMinor: 9900n,
  weeklyMinor: 299_000n,
  monthlyMinor: 999_000n,
}

const fiveExtras: ChosenExtra[] = Array.from({ length: 5 }, (_, index) => ({
  id: `0197b1c0-0000-7000-8000-00000000001${index}`,
  name: `Extra ${index}`,
  pricing: index % 2 === 0 ? 'per_day' : 'per_rental',
  unitMinor: 5000n,
  maxMinor: index === 0 ? 30_000n : null,
  quantity: index + 1,
}))

/** A season each month over the plain card. */
const monthlySeasons: Rate[] = Array.from({ length: 36 }, (_, month) => ({
  ...fullRate,
  id: `0197b1c0-0000-7000-8000-0000000001${String(month).padStart(2, '0')}`,
  validFrom: new Date(Date.UTC(2027, month)).toISOString().slice(0, 10),
  validTo: new Date(Date.UTC(2027, month, 20)).toISOString().slice(0, 10),
}))

const cases: readonly [string, number, readonly Rate[], readonly ChosenExtra[]][] = [
  ['plain card, 3 days', 3 * dayMs, [plainRate], []],
  ['all tiers, 29 days', 29 * dayMs, [fullRate], []],
  ['all tiers, 3 days 2 hours, 5 extras', 3 * dayMs + 2 * hourMs, [fullRate], fiveExtras],
  ['all tiers, 366 days', 366 * dayMs, [fullRate], []],
  ['36 seasons, 14 days', 14 * dayMs, [plainRate, ...monthlySeasons], []],
]

/** Quotes priced per second on one core, breakdown included. */
export function benchPricing(): void {
  for (const [name, lengthMs, rates, extras] of cases) {
    const quotes = operationsPerSecond((index) =>
      priceRental(inputs(index, lengthMs, rates, extras)),
    )
    const perSecond = Math.round(quotes).toLocaleString('en-US')
    process.stdout.write(`  ${name.padEnd(38)}${perSecond.padStart(10)} quotes/s\n`)
  }
}

function inputs(
  index: number,
  lengthMs: number,
  rates: readonly Rate[],
  extras: readonly ChosenExtra[],
): PriceInputs {
  const pickupMs = pickupsMs[index % pickupsMs.length] ?? 0
  return {
    pickupAt: new Date(pickupMs),
    dropoffAt: new Date(pickupMs + lengthMs),
    timeZone: 'Europe/Oslo',
    gracePeriodMinutes: 29,
    currency: 'NOK',
    seasons: 'per_day',
    rates,
    extras,
    taxPercent: '25',
    pricesIncludeTax: false,
  }
}
