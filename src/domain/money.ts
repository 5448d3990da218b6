import { currencies } from 'countries-list/currencies'

/**
 * Codes ISO 4217 lists although nobody can be charged in them: metals, bond market units, units of
 * account between institutions, the testing code and "no currency".
 */
const notMoney = new Set('XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '))

/** Withdrawn since a release of ours accepted them: what was quoted in them stays readable. */
const withdrawn = { ANG: 2, BGN: 2, CUC: 2 }

const current = new Map(
  Object.entries(currencies)
    .filter(([code, currency]) => !currency.withdrawn && !notMoney.has(code))
    .map(([code, { decimals }]) => [code, decimals]),
)

const decimalsByCode = new Map([...Object.entries(withdrawn), ...current])

const decimalString = /^(\d+)(?:\.(\d+))?$/

/** Whether prices can be set in it today: a code of ISO 4217 that names money (decision 224). */
export function isCurrency(code: string): boolean {
  return current.has(code)
}

/**
 * The decimals of a currency of today, or of one that prices were set in once (decision 52).
 * @throws RangeError for any other code: an amount whose decimals are unknown can't be written
 */
export function currencyDecimals(code: string): number {
  const decimals = decimalsByCode.get(code)
  if (decimals === undefined) throw new RangeError(`"${code}" is not an ISO 4217 currency`)
  return decimals
}

/** Reads `499`, `499.5` or `499.00` into minor units (decisions 51 and 52). */
export function parseAmount(decimal: string, decimals: number): bigint {
  const match = decimalString.exec(decimal)
  if (match === null) throw new RangeError(`"${decimal}" is not a plain decimal number`)
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) {
    throw new RangeError(`"${decimal}" has more than ${decimals} decimals`)
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Writes minor units with exactly the currency's decimals (decision 6). */
export function formatAmount(minor: bigint, decimals: number): string {
  if (minor < 0n) return `-${formatAmount(-minor, decimals)}`
  const digits = minor.toString()
  if (decimals === 0) return digits
  const padded = digits.padStart(decimals + 1, '0')
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}

export function formatMoney(minor: bigint, currency: string): string {
  return formatAmount(minor, currencyDecimals(currency))
}

export function formatMoneyOrNull(minor: bigint | null, currency: string): string | null {
  return minor === null ? null : formatMoney(minor, currency)
}

/** Divides amounts that are never negative; an exact half goes up (decision 51). */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
