const dayMs = 86_400_000

/** No clock changes for five months after it, and nothing else in the tests happens then. */
const firstDayMs = Date.parse('2039-05-02T10:00:00Z')

/** Ten in the morning, UTC, `days` days into a far summer: the same one whenever a test runs. */
export function inDays(days: number, hours = 0): string {
  return new Date(firstDayMs + days * dayMs + hours * 3_600_000).toISOString()
}

/** For what is judged by today: so many days ago when negative. */
export function fromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString()
}
