/**
 * SQLSTATE classes and codes that say "not now": connection lost (08), resources exhausted (53),
 * operator intervention (57P01-57P03, and 57014 for a statement that took too long), lock not
 * available, serialization failure, deadlock, read-only database, idle transaction ended.
 */
const unavailableStates = /^(08...|53...|57P0[1-4]|57014|55P03|40001|40P01|25006|25P03)$/

/** What the driver, the pool and the system say when no answer came at all. */
const unavailableMessages =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Whether a database call failed for a reason that passes, so that the caller should try again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (unavailableStates.test(code) || systemCodes.has(code)) return true
  // Drizzle wraps what the driver threw; several refused addresses come as one AggregateError.
  return unavailableMessages.test(error.message) || isDatabaseUnavailable(error.cause)
}
