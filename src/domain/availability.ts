/** A half-open stretch of time, [start, end). */
export interface Period {
  readonly start: Date | number
  readonly end: Date | number
}

/** Most periods at any one moment of the window; those that only touch never meet (decision 54). */
export function peakConcurrent(periods: readonly Period[], window: Period): number {
  const changes: { at: number; by: 1 | -1 }[] = []
  for (const period of periods) {
    const start = Math.max(Number(period.start), Number(window.start))
    const end = Math.min(Number(period.end), Number(window.end))
    if (start < end) changes.push({ at: start, by: 1 }, { at: end, by: -1 })
  }
  // At the same moment what ends leaves before what starts arrives.
  changes.sort((a, b) => a.at - b.at || a.by - b.by)
  let concurrent = 0
  let peak = 0
  for (const { by } of changes) {
    concurrent += by
    peak = Math.max(peak, concurrent)
  }
  return peak
}

/** Assets left at the peak; an overbooked window has none, never fewer (decision 54). */
export function availableCount(assetsInService: number, peak: number): number {
  return Math.max(0, assetsInService - peak)
}
