import { data } from 'currency-codes'

/**
 * Codes ISO 4217 lists although nobody can be charged in them: metals, bond market units, units of
 * account between institutions, the testing code and "no currency".
 */
const notMoney = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '))

const decimalsByCode = new Map(
  data.filter(({ code }) => !notMoney.has(code)).map(({ code, digits }) => [code, digits]),
)

const decimalString = /^(\d+)(?:\.(\d+))?$/

/** The decimals of an ISO 4217 currency (decision 52); undefined if the code names no money. */
export function currencyDecimals(code: string): number | undefined {
  return decimalsByCode.get(code)
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

/** Divides amounts that are never negative; an exact half goes up (decision 51). */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
