/** Reports whether an error or one of its causes has one of these system or PostgreSQL codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  return (
    ('code' in error && codes.includes(String(error.code))) || hasErrorCode(error.cause, ...codes)
  )
}
