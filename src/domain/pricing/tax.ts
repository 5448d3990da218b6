import { divideHalfUp, formatAmount, parseAmount } from '../money.ts'

/** The decimals of a tax percentage. No tax rate in force needs more. */
const percentDecimals = 4

/** 100 percent, in ten-thousandths of a percent. */
const wholePercent = 100n * 10n ** BigInt(percentDecimals)

/**
 * Parses a percentage such as `25` or `7.675` into ten-thousandths of a percent.
 * @throws RangeError for any other text, or for more than 100 percent
 */
export function parsePercent(percent: string): bigint {
  const tenThousandths = parseAmount(percent, percentDecimals)
  if (tenThousandths > wholePercent) throw new RangeError(`"${percent}" is more than 100 percent`)
  return tenThousandths
}

/** Formats ten-thousandths of a percent as a percentage without trailing zeros. */
export function formatPercent(tenThousandths: bigint): string {
  return formatAmount(tenThousandths, percentDecimals).replace(/\.?0+$/, '')
}

/** Removes trailing zeros from a percentage: `25.0000` becomes `25`. */
export function shortPercent(percent: string): string {
  return formatPercent(parsePercent(percent))
}

/** Returns the tax to add to a subtotal, or the tax included in it, rounded half up. */
export function taxOnSubtotal(
  subtotalMinor: bigint,
  percentTenThousandths: bigint,
  included: boolean,
): bigint {
  const base = included ? wholePercent + percentTenThousandths : wholePercent
  return divideHalfUp(subtotalMinor * percentTenThousandths, base)
}
