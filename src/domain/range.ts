import type { ErrorDetail } from './errors.ts'
import { dayAfterMs } from './period.ts'

const rangeDaysMax = 366

/**
 * The problem of a range of more than 366 days on the tenant's clock, if it has it (decision 13).
 */
export function longRangeProblems(
  { from, to }: { readonly from: Date; readonly to: Date },
  timeZone: string,
  [fromName, endPath]: readonly [fromName: string, endPath: string],
): ErrorDetail[] {
  if (to.getTime() <= dayAfterMs(from, rangeDaysMax, timeZone)) return []
  return [{ path: endPath, message: `must be at most ${rangeDaysMax} days after ${fromName}` }]
}
