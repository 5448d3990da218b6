import { divideHalfUp, formatAmount, parseAmount } from '../money.ts'

/** 7.675 percent needs three decimals; a fourth leaves room for any rate in force anywhere. */
const percentDecimals = 4

/** 100 percent, counted in ten-thousandths of a percent. */
const wholePercent = 100n * 10n ** BigInt(percentDecimals)

/** Reads `25`, `8.1` or `7.675` (0 to 100) into ten-thousandths of a percent. */
export function parsePercent(percent: string): bigint {
  const tenThousandths = parseAmount(percent, percentDecimals)
  if (tenThousandths > wholePercent) throw new RangeError(`"${percent}" is more than 100 percent`)
  return tenThousandths
}

export function formatPercent(tenThousandths: bigint): string {
  return formatAmount(tenThousandths, percentDecimals).replace(/\.?0+$/, '')
}

/** A percentage without trailing zeros: `25.0000` becomes `25`. */
export function shortPercent(percent: string): string {
  return formatPercent(parsePercent(percent))
}

/** The tax on top of a subtotal, or the part contained in it; rounded once (decision 51). */
export function taxOnSubtotal(
  subtotalMinor: bigint,
  percentTenThousandths: bigint,
  included: boolean,
): bigint {
  const base = included ? wholePercent + percentTenThousandths : wholePercent
  return divideHalfUp(subtotalMinor * percentTenThousandths, base)
}
