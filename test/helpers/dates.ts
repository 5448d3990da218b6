const dayMs = 86_400_000

/** A day that no other test uses, with no clock changes in the five months after it. */
const firstDayMs = Date.parse('2039-05-02T10:00:00Z')

/** Returns 10:00 UTC on the day `days` after 2 May 2039, plus `hours`. The result is always the same. */
export function inDays(days: number, hours = 0): string {
  return new Date(firstDayMs + days * dayMs + hours * 3_600_000).toISOString()
}

/** Returns the instant `days` from now; a negative number is in the past. */
export function fromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString()
}
