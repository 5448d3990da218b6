import { describe, expect, it } from 'vitest'
import { currencyDecimals, parseAmount } from '../../../src/domain/money.ts'
import type { ChosenExtra } from '../../../src/domain/pricing/extras.ts'
import { type PriceInputs, priceRental } from '../../../src/domain/pricing/priceRental.ts'
import type { Rate } from '../../../src/domain/pricing/rates.ts'
import {
  cards,
  chosenExtras,
  clockChanges,
  extras,
  lengths,
  seasons,
  taxes,
} from './pricing.golden.ts'
import { standard } from './standardRate.ts'

type Row = Readonly<Record<string, string>>

function readTable(table: string): Row[] {
  const [header = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return rows.map((cells) => {
    if (cells.length !== header.length) throw new Error(`Not a full row: ${cells.join(' | ')}`)
    return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']))
  })
}

const cardRows = new Map(readTable(cards).map((row) => [row['card'], row]))

function rentalOn(card: string | undefined): PriceInputs {
  const row = cardRows.get(card)
  if (row === undefined) throw new Error(`No card ${card}`)
  const { currency = '', daily = '', hourly = '', weekly = '', monthly = '', tax = '' } = row
  const minor = (amount: string) => parseAmount(amount, currencyDecimals(currency))
  const tierMinor = (amount: string) => (amount === '-' ? null : minor(amount))
  const rate: Rate = {
    ...standard,
    currency,
    dailyMinor: minor(daily),
    hourlyMinor: tierMinor(hourly),
    weeklyMinor: tierMinor(weekly),
    monthlyMinor: tierMinor(monthly),
  }
  return {
    pickupAt: new Date('2027-06-01T10:00+02:00'),
    dropoffAt: new Date('2027-06-02T10:00+02:00'),
    timeZone: 'Europe/Oslo',
    gracePeriodMinutes: 29,
    currency,
    seasons: 'per_day',
    rates: [rate],
    extras: [],
    taxPercent: tax.replace(' incl', ''),
    pricesIncludeTax: tax.endsWith(' incl'),
  }
}

/** Adds a length such as `1d 00:29` or `1d 00:29:01`. */
function later(start: Date, length = ''): Date {
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = (length.match(/\d+/g) ?? []).map(Number)
  return new Date(start.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
}

/** Parses extras such as `2 seat 1 cleaning`. */
function readExtras(cell = ''): ChosenExtra[] {
  return [...cell.matchAll(/(\d+) (\S+)/g)].map(([, quantity, name = '']) => {
    const extra = extras[name]
    if (extra === undefined) throw new Error(`No extra ${name}`)
    return { id: `extra-${name}`, name, ...extra, quantity: Number(quantity) }
  })
}

const unitLetters = { month: 'M', week: 'W', day: 'D', hour: 'h' }

const price = (inputs: PriceInputs) => {
  const { breakdown } = priceRental(inputs)
  const lines = breakdown.rate.lines.map((line) => `${line.quantity}${unitLetters[line.unit]}`)
  const shown = `${breakdown.days}d ${breakdown.hours}h`
  return { ...breakdown, lines: lines.join(' '), shown, tax: breakdown.tax.amount }
}

const zones: Row = {
  Oslo: 'Europe/Oslo',
  New_York: 'America/New_York',
  Lord_Howe: 'Australia/Lord_Howe',
  Apia: 'Pacific/Apia',
  Kathmandu: 'Asia/Kathmandu',
}

/** Returns the rates of the seasons table. */
function seasonsOf({ rates: [rate] }: PriceInputs): Rate[] {
  if (rate === undefined) throw new Error('No rate')
  const season = (name: string, validFrom: string, validTo: string, tiers: Partial<Rate>) => {
    return { ...rate, id: name, name, validFrom, validTo, ...tiers }
  }
  return [
    season('always', '2026-01-01', '2027-12-31', { dailyMinor: 5000n, weeklyMinor: 30_000n }),
    season('summer', '2027-06-15', '2027-08-15', {
      dailyMinor: 8000n,
      weeklyMinor: 50_000n,
      hourlyMinor: 1000n,
    }),
    season('festival', '2027-07-01', '2027-07-03', { dailyMinor: 12_000n }),
    season('winter', '2028-12-01', '2028-12-31', { dailyMinor: 2000n }),
  ]
}

describe('prices calculated by hand', () => {
  it.each(readTable(lengths))('charges rate $card for $length: $arithmetic', (row) => {
    const rental = rentalOn(row['card'])
    const priced = price({
      ...rental,
      dropoffAt: later(rental.pickupAt, row['length']),
      gracePeriodMinutes: Number(row['grace'] || rental.gracePeriodMinutes),
    })
    const { shown, lines, total } = row
    expect(priced).toMatchObject({ shown, lines, subtotal: total, total })
  })

  it.each(readTable(taxes))('taxes rate $card for $length: $arithmetic', (row) => {
    const rental = rentalOn(row['card'])
    const priced = price({ ...rental, dropoffAt: later(rental.pickupAt, row['length']) })
    const { lines, subtotal, tax, total } = row
    expect(priced).toMatchObject({ lines, subtotal, tax, total })
  })

  it.each(readTable(chosenExtras))(
    'charges rate $card with extras $chosen for $length: $arithmetic',
    (row) => {
      const rental = rentalOn(row['card'])
      const priced = price({
        ...rental,
        dropoffAt: later(rental.pickupAt, row['length']),
        extras: readExtras(row['chosen']),
      })
      expect(priced).toMatchObject({ lines: row['lines'], total: row['total'] })
      expect(priced.extras.map((line) => `${line.quantity} ${line.name}`).join(' ')).toBe(
        row['chosen'],
      )
    },
  )

  it.each(readTable(clockChanges))(
    'charges a rental in $zone from $pickup to $dropoff: $arithmetic',
    (row) => {
      const priced = price({
        ...rentalOn('full'),
        pickupAt: new Date(row['pickup'] ?? ''),
        dropoffAt: new Date(row['dropoff'] ?? ''),
        timeZone: zones[row['zone'] ?? ''] ?? '',
      })
      const { shown, lines, total } = row
      expect(priced).toMatchObject({ shown, lines, total })
    },
  )

  it.each(readTable(seasons))(
    'charges a rental from $pickup for $length with seasons $seasons: $arithmetic',
    (row) => {
      const rental = rentalOn('days')
      const pickupAt = new Date(row['pickup'] ?? '')
      const inputs: PriceInputs = {
        ...rental,
        pickupAt,
        dropoffAt: later(pickupAt, row['length']),
        seasons: row['seasons'] === 'pickup' ? 'pickup' : 'per_day',
        rates: seasonsOf(rental),
      }
      if (row['lines'] === 'none') {
        expect(() => priceRental(inputs)).toThrow('No rate is configured for this asset group on')
        return
      }
      const { breakdown } = priceRental(inputs)
      const lines = breakdown.rate.lines.map(
        ({ rateName, quantity, unit }) => `${rateName[0]}${quantity}${unitLetters[unit]}`,
      )
      expect(lines.join(' ')).toBe(row['lines'])
      expect(breakdown.total).toBe(row['total'])
      expect(breakdown.rate.name[0]).toBe(row['lines']?.[0])
    },
  )
})
