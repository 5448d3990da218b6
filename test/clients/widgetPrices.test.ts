import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceGuide } from '../../clients/widget/lazy/guide.ts'
import { taxShares } from '../../clients/widget/taxShares.ts'
import { instantMs, wallClockMs } from '../../clients/widget/zone.ts'
import { formatMoney, formatMoneyOrNull } from '../../src/domain/money.ts'
import { type PriceInputs, priceRental } from '../../src/domain/pricing/priceRental.ts'
import { formatPrices, type Rate } from '../../src/domain/pricing/rates.ts'
import * as domain from '../../src/domain/timeZone.ts'
import { anyInputs } from '../domain/pricing/arbitraries.ts'
import { runs } from '../domain/pricing/runs.ts'
import { standard } from '../domain/pricing/standardRate.ts'

const zones = ['Europe/Oslo', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']
const zone = fc.constantFrom(...zones)
const minuteMs = 60_000
/** The years 2026 to 2030, by the minute. */
const instant = fc.integer({ min: 29_454_000, max: 32_080_000 }).map((minute) => minute * minuteMs)

const listed = (rate: Rate, currency: string) => ({ ...rate, ...formatPrices(rate, currency) })

describe('widget clock', () => {
  it('converts random times like the server in four time zones', () => {
    const check = fc.property(instant, zone, (ms, timeZone) => {
      const at = new Date(ms)
      expect(wallClockMs(at, timeZone)).toBe(domain.wallClockMs(at, timeZone))
      expect(instantMs(ms, timeZone)).toBe(domain.instantMs(ms, timeZone))
    })
    fc.assert(check, { numRuns: 300 })
  })

  it.each([
    ['a skipped hour', '2027-03-28T02:30'],
    ['a repeated hour', '2027-10-31T02:30'],
  ])('converts %s like the server', (_, wall) => {
    const wallMs = Date.parse(`${wall}Z`)
    expect(instantMs(wallMs, 'Europe/Oslo')).toBe(domain.instantMs(wallMs, 'Europe/Oslo'))
  })
})

function priceOrRejection(inputs: PriceInputs) {
  try {
    return priceRental(inputs)
  } catch (error) {
    expect(error).toMatchObject({ code: 'NO_RATE_AVAILABLE' })
    return undefined
  }
}

describe('priceGuide', () => {
  it('returns the price of the quote, or none where the quote is rejected, for random rates and terms', () => {
    const check = fc.property(anyInputs, (inputs) => {
      const { extras, ...config } = inputs
      const { currency, pickupAt, dropoffAt } = config
      const rates = inputs.rates.map((rate) => listed(rate, currency))
      const period = {
        pickupDatetime: pickupAt.toISOString(),
        dropoffDatetime: dropoffAt.toISOString(),
      }
      const chosen = extras.map(({ quantity, unitMinor, maxMinor, ...extra }) => {
        const price = formatMoney(unitMinor, currency)
        return {
          quantity,
          extra: { ...extra, price, maxPrice: formatMoneyOrNull(maxMinor, currency) },
        }
      })
      const guide = priceGuide(rates, period, config, chosen)
      const quote = priceOrRejection(inputs)
      if (quote === undefined) {
        expect(guide).toBe(undefined)
        return
      }
      const { rate, extras: lines, tax, ...rest } = quote.breakdown
      const { subtotal: _, ...amounts } = rest
      expect(guide).toMatchObject({ ...amounts, rate: { lines: rate.lines } })
      expect(guide?.tax.amount).toBe(tax.amount)
      expect(guide?.extras).toEqual(
        lines.map(({ name, quantity, amount }) => ({ name, quantity, amount })),
      )
      const withTax = taxShares(tax.included ? 0 : +tax.percent, amounts.total)
      const shown = [...rate.lines, ...lines].map(({ amount }) => withTax(amount))
      const sum = shown.reduce((before, amount) => before + amount, 0)
      expect(sum.toFixed(4)).toBe(Number(amounts.total).toFixed(4))
    })
    fc.assert(check, runs('widget price'))
  })

  it('returns undefined when a day has no rate', () => {
    const period = {
      pickupDatetime: '2027-07-30T10:00:00Z',
      dropoffDatetime: '2027-08-03T10:00:00Z',
    }
    const july = { ...standard, validFrom: '2027-07-01', validTo: '2027-07-31' }
    const guide = priceGuide([listed(july, 'NOK')], period, { timeZone: 'Europe/Oslo' })
    expect(guide).toBe(undefined)
  })
})
