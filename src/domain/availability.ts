/** Vehicles left at the peak of bookings; none, never fewer, when overbooked (decision 54). */
export function availableCount(count: { readonly inService: number; readonly peak: number }) {
  return Math.max(0, count.inService - count.peak)
}
