/** The error when the embedded database cannot be used; its message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** The error when another PostgreSQL process uses the data directory. */
export class DataInUseError extends EmbeddedPostgresError {}

/** A log function for slow steps, and for data that is stored elsewhere. */
export type Log = (
  message: string,
  fields?: Record<string, unknown>,
  level?: 'info' | 'error',
) => void

/** Returns an error whose message ends with the program's last output lines. */
export function startFailure(sentence: string, lines: readonly string[], cause?: unknown): Error {
  const output = lines.length === 0 ? 'It wrote no output.' : `Its output:\n${lines.join('\n')}`
  return new EmbeddedPostgresError(`The embedded database ${sentence}. ${output}`, { cause })
}
