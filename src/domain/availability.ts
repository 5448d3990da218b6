/**
 * Vehicles left at the peak of bookings; an overbooked window has none, never fewer (decision 54).
 */
export function availableCount({
  inService,
  peak,
}: {
  readonly inService: number
  readonly peak: number
}): number {
  return Math.max(0, inService - peak)
}
