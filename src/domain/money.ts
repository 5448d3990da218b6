import { currencies } from 'countries-list/currencies'

/** ISO 4217 codes for metals, units of account and tests, in which no price can be charged. */
const notMoney = new Set('XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '))

/** Withdrawn currencies, with their decimals. Older quotes use them and must stay readable. */
const withdrawn = { ANG: 2, BGN: 2, CUC: 2 }

const current = new Map(
  Object.entries(currencies)
    .filter(([code, currency]) => !currency.withdrawn && !notMoney.has(code))
    .map(([code, { decimals }]) => [code, decimals]),
)

const decimalsByCode = new Map([...Object.entries(withdrawn), ...current])

const decimalString = /^(\d+)(?:\.(\d+))?$/

/** Reports whether prices can be set in this currency: a current ISO 4217 code for money. */
export function isCurrency(code: string): boolean {
  return current.has(code)
}

/**
 * Returns the number of decimals of a current currency, or of a withdrawn one in older quotes.
 * @throws RangeError for any other code
 */
export function currencyDecimals(code: string): number {
  const decimals = decimalsByCode.get(code)
  if (decimals === undefined) throw new RangeError(`"${code}" is not an ISO 4217 currency`)
  return decimals
}

/**
 * Parses an amount such as `499`, `499.5` or `499.00` into minor units.
 * @throws RangeError for any other text, or for more decimals than `decimals`
 */
export function parseAmount(decimal: string, decimals: number): bigint {
  const match = decimalString.exec(decimal)
  if (match === null) throw new RangeError(`"${decimal}" is not a plain decimal number`)
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) {
    throw new RangeError(`"${decimal}" has more than ${decimals} decimals`)
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Formats minor units with exactly `decimals` decimals. */
export function formatAmount(minor: bigint, decimals: number): string {
  if (minor < 0n) return `-${formatAmount(-minor, decimals)}`
  const digits = minor.toString()
  if (decimals === 0) return digits
  const padded = digits.padStart(decimals + 1, '0')
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}

/**
 * Formats minor units with exactly the decimals of the currency.
 * @throws RangeError for an unknown currency
 */
export function formatMoney(minor: bigint, currency: string): string {
  return formatAmount(minor, currencyDecimals(currency))
}

/** Formats like `formatMoney`, and returns null for null. */
export function formatMoneyOrNull(minor: bigint | null, currency: string): string | null {
  return minor === null ? null : formatMoney(minor, currency)
}

/** Divides non-negative amounts and rounds half up. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
