const dayMs = 86_400_000

/** Ten in the morning, UTC, `days` days from today; plus so many hours. */
export function inDays(days: number, hours = 0): string {
  const today = new Date()
  today.setUTCHours(10, 0, 0, 0)
  return new Date(today.getTime() + days * dayMs + hours * 3_600_000).toISOString()
}
