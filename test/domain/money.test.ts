import { describe, expect, it } from 'vitest'
import {
  currencyDecimals,
  divideHalfUp,
  formatAmount,
  isCurrency,
  parseAmount,
} from '../../src/domain/money.ts'
import { formatPercent, parsePercent, taxOnSubtotal } from '../../src/domain/pricing/tax.ts'

describe('currencies', () => {
  it.each([
    ['NOK', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['XOF', 0],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
    // Intl follows CLDR, which differs from ISO 4217 for these.
    ['IQD', 3],
    ['HUF', 2],
    ['MGA', 2],
    // Introduced in 2025 and 2024.
    ['XCG', 2],
    ['ZWG', 2],
  ])('accepts %s with %i decimals', (code, decimals) => {
    expect(currencyDecimals(code)).toBe(decimals)
    expect(isCurrency(code)).toBe(true)
  })

  it.each(['ANG', 'BGN', 'CUC'])(
    'rejects the withdrawn currency %s for new prices but returns its decimals',
    (code) => {
      expect(isCurrency(code)).toBe(false)
      expect(currencyDecimals(code)).toBe(2)
    },
  )

  const notMoney = 'XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')
  it.each([...notMoney, 'HRK', 'ZZZ', 'nok', '', 'toString'])(
    'rejects %j, which is not a currency',
    (code) => {
      expect(isCurrency(code)).toBe(false)
      expect(() => currencyDecimals(code)).toThrow(`"${code}" is not an ISO 4217 currency`)
    },
  )
})

describe('amounts', () => {
  it.each([
    ['499', 2, 49900n],
    ['499.5', 2, 49950n],
    ['499.00', 2, 49900n],
    ['0.05', 2, 5n],
    ['0', 2, 0n],
    ['12000', 0, 12000n],
    ['1.234', 3, 1234n],
    ['1.2', 3, 1200n],
    ['90071992547409931.27', 2, 9007199254740993127n],
  ])('parses %s with %i decimals', (decimal, decimals, minor) => {
    expect(parseAmount(decimal, decimals)).toBe(minor)
  })

  it.each(['', '1 ', '-1', '1e3', '1.', '1,5', 'NaN', '١', '1\n'])(
    'rejects the amount %j',
    (decimal) => {
      expect(() => parseAmount(decimal, 2)).toThrow(/is not a plain decimal number/)
    },
  )

  it.each([
    ['1.005', 2],
    ['1.0', 0],
    ['1.0000', 3],
  ])('rejects %s when the currency has %i decimals', (decimal, decimals) => {
    expect(() => parseAmount(decimal, decimals)).toThrow(`has more than ${decimals} decimals`)
  })

  it.each([
    [49900n, 2, '499.00'],
    [5n, 2, '0.05'],
    [0n, 2, '0.00'],
    [0n, 0, '0'],
    [12000n, 0, '12000'],
    [1n, 3, '0.001'],
    [-5n, 2, '-0.05'],
    [9007199254740993127n, 2, '90071992547409931.27'],
  ])('formats %s with %i decimals as %s', (minor, decimals, decimal) => {
    expect(formatAmount(minor, decimals)).toBe(decimal)
  })
})

describe('rounding and tax', () => {
  it.each([
    [1n, 2n, 1n],
    [149n, 100n, 1n],
    [150n, 100n, 2n],
    [151n, 100n, 2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [0n, 7n, 0n],
  ])('rounds %s / %s to %s, half up', (numerator, denominator, quotient) => {
    expect(divideHalfUp(numerator, denominator)).toBe(quotient)
  })

  it.each([
    ['0', 0n, '0'],
    ['25', 250_000n, '25'],
    ['25.0000', 250_000n, '25'],
    ['8.1', 81_000n, '8.1'],
    ['7.675', 76_750n, '7.675'],
    ['0.0001', 1n, '0.0001'],
    ['10', 100_000n, '10'],
    ['100', 1_000_000n, '100'],
  ])('parses %s percent', (percent, tenThousandths, written) => {
    expect(parsePercent(percent)).toBe(tenThousandths)
    expect(formatPercent(tenThousandths)).toBe(written)
  })

  it.each(['100.0001', '101', '-1', '', '7.67512', '1e1'])('rejects %j percent', (percent) => {
    expect(() => parsePercent(percent)).toThrow(RangeError)
  })

  it.each([
    // 250 × 25 % = 62.5
    [250n, '25', false, 63n],
    // 249 × 25 % = 62.25
    [249n, '25', false, 62n],
    // 1250 × 25 / 125 = 250
    [1250n, '25', true, 250n],
    // 999 × 8.1 / 108.1 = 74.856…
    [999n, '8.1', true, 75n],
    [999n, '0', true, 0n],
  ])(
    'calculates the tax on %s at %s percent, tax included %s',
    (subtotal, percent, included, tax) => {
      expect(taxOnSubtotal(subtotal, parsePercent(percent), included)).toBe(tax)
    },
  )
})
