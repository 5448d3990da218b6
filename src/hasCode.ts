/**
 * Whether an error, or what caused it, carries one of these codes: of the system or of PostgreSQL.
 */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && codes.includes(String(error.code))) || hasCode(error.cause, ...codes)
}
