import fc from 'fast-check'
import type { ChosenExtra } from '../../../src/domain/pricing/extras.ts'
import type { PriceInputs } from '../../../src/domain/pricing/priceRental.ts'
import type { Rate } from '../../../src/domain/pricing/rates.ts'
import { standard } from './standardRate.ts'

const minuteMs = 60_000

/** Time zones with clock changes of various sizes or at unusual minutes, and zones without changes. */
const zones = [
  'Europe/Oslo',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Gaza',
  'America/Nuuk',
  'UTC',
]

const zone = fc.constantFrom(...zones)

/** Clock changes, at which local time and elapsed time differ, each with its zone. */
const clockChanges = (
  [
    ['Europe/Oslo', '2027-03-28T01:00Z'],
    ['Europe/Oslo', '2027-10-31T01:00Z'],
    ['America/New_York', '2027-03-14T07:00Z'],
    ['America/New_York', '2027-11-07T06:00Z'],
    ['America/St_Johns', '2010-11-07T02:31Z'],
    ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
    ['Australia/Lord_Howe', '2027-10-02T15:30Z'],
    ['America/Nuuk', '2027-03-28T01:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00Z'],
  ] as const
).map(([timeZone, at]) => ({ timeZone, changeMs: Date.parse(at) }))

const pickupMs = fc.oneof(
  fc.integer({ min: Date.UTC(2000, 6), max: Date.UTC(2099, 0) }).map((ms) => ms - (ms % minuteMs)),
  fc
    .tuple(fc.constantFrom(...clockChanges), fc.integer({ min: -4320, max: 180 }))
    .map(([{ changeMs }, minutes]) => changeMs + minutes * minuteMs),
)

/** Rental lengths up to the longest that a quote accepts. Most are short, many are whole days. */
export const lengthMs = fc.oneof(
  fc.integer({ min: 1, max: 3 * 1440 }).map((minutes) => minutes * minuteMs),
  fc.integer({ min: 1, max: 45 * 86_400 }).map((seconds) => seconds * 1000),
  fc.integer({ min: 1, max: 366 * 1440 }).map((minutes) => minutes * minuteMs),
  fc
    .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: -61, max: 361 }))
    .map(([days, minutes]) => (days * 1440 + minutes) * minuteMs),
)

/** Rentals across or close to a clock change, where a minute can change the number of days. */
const nearClockChange = fc
  .record({
    change: fc.constantFrom(...clockChanges),
    before: fc.integer({ min: -90, max: 1620 }),
    length: fc.integer({ min: 1, max: 3240 }),
  })
  .map(({ change: { timeZone, changeMs }, before, length }) => ({
    timeZone,
    pickupMs: changeMs - before * minuteMs,
    lengthMs: length * minuteMs,
  }))

const priceMinor = fc.oneof(fc.bigInt({ min: 1n, max: 40n }), fc.bigInt({ min: 1n, max: 100_000n }))
const absentOr = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

/** Prices with discounts for longer units, as on a real rate card, or random prices. */
const tiers = fc.oneof(
  fc.record({
    hourlyMinor: absentOr(priceMinor),
    dailyMinor: fc.oneof(priceMinor, fc.constant(0n)),
    weeklyMinor: absentOr(priceMinor),
    monthlyMinor: absentOr(priceMinor),
  }),
  fc
    .record({
      dailyMinor: fc.bigInt({ min: 100n, max: 100_000n }),
      hour: absentOr(fc.bigInt({ min: 10n, max: 60n })),
      week: absentOr(fc.bigInt({ min: 400n, max: 720n })),
      month: absentOr(fc.bigInt({ min: 1200n, max: 3000n })),
    })
    .map(({ dailyMinor, hour, week, month }) => ({
      dailyMinor,
      hourlyMinor: hour && (dailyMinor * hour) / 100n,
      weeklyMinor: week && (dailyMinor * week) / 100n,
      monthlyMinor: month && (dailyMinor * month) / 100n,
    })),
)

const currency = fc.constantFrom('EUR', 'NOK', 'JPY', 'BHD', 'CLF')

type Tiers = typeof tiers extends fc.Arbitrary<infer T> ? T : never

const rateOf = (id: string, card: Tiers, validFrom: string | null, validTo: string | null) => ({
  ...standard,
  ...card,
  id,
  name: `Card ${id}`,
  validFrom,
  validTo,
})

/** A season: its start in days after the pickup date in UTC, and its length. Null is an open end. */
const season = fc.record({
  card: tiers,
  fromDays: absentOr(fc.integer({ min: -40, max: 70 })),
  days: absentOr(fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 90 }))),
})

type Season = typeof season extends fc.Arbitrary<infer T> ? T : never

const dateAfter = (ms: number, days: number) =>
  new Date(ms + days * 86_400_000).toISOString().slice(0, 10)

function seasonRate({ card, fromDays, days }: Season, pickupMs: number, index: number): Rate {
  const from = fromDays === null ? null : dateAfter(pickupMs, fromDays)
  const to = days === null ? null : dateAfter(pickupMs, (fromDays ?? 0) + days - 1)
  return rateOf(`rate-${index + 2}`, card, from, to)
}

const extra: fc.Arbitrary<ChosenExtra> = fc.record({
  id: fc.uuid(),
  name: fc.string(),
  pricing: fc.constantFrom('per_day', 'per_rental'),
  unitMinor: fc.bigInt({ min: 0n, max: 5000n }),
  maxMinor: absentOr(fc.bigInt({ min: 0n, max: 40_000n })),
  quantity: fc.integer({ min: 1, max: 100 }),
})

const taxPercent = fc.oneof(
  fc.constantFrom('0', '5', '8.1', '10', '25', '7.675', '100'),
  fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 9999 }))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(4, '0')}`),
)

/** All inputs of a price, with seasons and, if `base` is true, one open rate. */
const inputsWith = (seasons: fc.Arbitrary<readonly Season[]>, base: fc.Arbitrary<boolean>) =>
  fc
    .record({
      time: fc.oneof(
        { weight: 3, arbitrary: fc.record({ pickupMs, lengthMs, timeZone: zone }) },
        { weight: 1, arbitrary: nearClockChange },
      ),
      gracePeriodMinutes: fc.oneof(fc.constantFrom(0, 29, 59), fc.integer({ min: 0, max: 240 })),
      currency,
      seasons: fc.constantFrom('per_day', 'pickup'),
      card: tiers,
      windows: seasons,
      base,
      extras: fc.array(extra, { maxLength: 4 }),
      taxPercent,
      pricesIncludeTax: fc.boolean(),
    })
    .map(
      ({ time: { pickupMs, lengthMs, timeZone }, card, windows, base, ...inputs }): PriceInputs => {
        const rates = windows.map((window, index) => seasonRate(window, pickupMs, index))
        if (base) rates.unshift(rateOf('rate-1', card, null, null))
        return {
          ...inputs,
          timeZone,
          rates: rates.map((rate) => ({ ...rate, currency: inputs.currency })),
          pickupAt: new Date(pickupMs),
          dropoffAt: new Date(pickupMs + lengthMs),
        }
      },
    )

export const oneRateInputs = inputsWith(fc.constant([]), fc.constant(true))

const someSeasons = fc.array(season, { minLength: 1, maxLength: 4 })

/** Rentals that have a price: one rate is always valid, others only in their seasons. */
export const priceInputs = fc.oneof(oneRateInputs, inputsWith(someSeasons, fc.constant(true)))

/** Rentals that may have dates without a rate, or be too short. */
export const anyInputs = fc
  .tuple(
    fc.oneof(priceInputs, inputsWith(someSeasons, fc.constant(false))),
    absentOr(fc.integer({ min: 1, max: 9 })),
  )
  .map(([inputs, minDays]): PriceInputs => {
    return { ...inputs, rates: inputs.rates.map((rate) => ({ ...rate, minDays })) }
  })
