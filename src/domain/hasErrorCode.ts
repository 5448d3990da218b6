/** Whether an error, or what caused it, has one of these codes: of the system or of PostgreSQL. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  return (
    ('code' in error && codes.includes(String(error.code))) || hasErrorCode(error.cause, ...codes)
  )
}
