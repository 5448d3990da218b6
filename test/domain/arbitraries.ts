import fc from 'fast-check'
import type { ChosenExtra } from '../../src/domain/extras.ts'
import type { PriceInputs } from '../../src/domain/pricing.ts'
import type { Rate } from '../../src/domain/rates.ts'

const minuteMs = 60_000

/** Zones that change by an hour, by half of one, at an odd minute, skip a day, or never change. */
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
  'UTC',
]

/** Moments close before a clock change, where wall clock and stopwatch part. */
const clockChanges = [
  '2027-03-28T01:00Z',
  '2027-10-31T01:00Z',
  '2027-03-14T07:00Z',
  '2027-11-07T06:00Z',
  '2010-11-07T02:31Z',
  '2027-04-03T15:00Z',
  '2027-10-02T15:30Z',
  '2011-12-30T10:00Z',
].map((at) => Date.parse(at))

const pickupMs = fc.oneof(
  fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2099, 0) }).map((ms) => ms - (ms % minuteMs)),
  fc
    .tuple(fc.constantFrom(...clockChanges), fc.integer({ min: -4320, max: 180 }))
    .map(([changeMs, minutes]) => changeMs + minutes * minuteMs),
)

/** Up to the longest rental a quote accepts, most of them short, many on an edge of a day. */
export const lengthMs = fc.oneof(
  fc.integer({ min: 1, max: 3 * 1440 }).map((minutes) => minutes * minuteMs),
  fc.integer({ min: 1, max: 45 * 86_400 }).map((seconds) => seconds * 1000),
  fc.integer({ min: 1, max: 366 * 1440 }).map((minutes) => minutes * minuteMs),
  fc
    .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: -61, max: 361 }))
    .map(([days, minutes]) => (days * 1440 + minutes) * minuteMs),
)

const priceMinor = fc.oneof(fc.bigInt({ min: 1n, max: 40n }), fc.bigInt({ min: 1n, max: 100_000n }))
const absentOr = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

/** Tiers that follow each other with a discount, as on a real card, or follow nothing at all. */
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

const rate: fc.Arbitrary<Rate> = fc.record({ tiers, currency }).map((card) => ({
  ...card.tiers,
  currency: card.currency,
  id: 'rate-1',
  name: 'Standard',
  validFrom: null,
  validTo: null,
}))

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

/** Everything a price can depend on. */
export const priceInputs: fc.Arbitrary<PriceInputs> = fc
  .record({
    pickupMs,
    lengthMs,
    timeZone: fc.constantFrom(...zones),
    gracePeriodMinutes: fc.oneof(fc.constantFrom(0, 29, 59), fc.integer({ min: 0, max: 240 })),
    rate,
    extras: fc.array(extra, { maxLength: 4 }),
    taxPercent,
    pricesIncludeTax: fc.boolean(),
  })
  .map(({ pickupMs, lengthMs, ...inputs }) => ({
    ...inputs,
    currency: inputs.rate.currency,
    pickupAt: new Date(pickupMs),
    dropoffAt: new Date(pickupMs + lengthMs),
  }))
