/** Far more than one visitor's page or one back end's open bookings. */
const keptMax = 200

/** Puts an entry in as the newest; the oldest goes when there are too many. */
export function keepNewest<Value>(kept: Map<string, Value>, id: string, value: Value): void {
  kept.delete(id)
  const [oldest] = kept.keys()
  if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
  kept.set(id, value)
}
