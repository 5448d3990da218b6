/** Vehicles left at the peak of bookings; none, never fewer, when overbooked (decision 54). */
export function availableCount(counted: { readonly inService: number; readonly peak: number }) {
  return Math.max(0, counted.inService - counted.peak)
}
