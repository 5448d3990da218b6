/** The embedded database can't be used; the message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

export class DataInUseError extends EmbeddedPostgresError {}

/** Told what the embedded database does that takes a while, or puts data elsewhere. */
export type Log = (message: string, fields?: Record<string, unknown>) => void

/** Puts what a program wrote last behind a plain sentence about what went wrong. */
export function startFailure(sentence: string, lines: readonly string[], cause?: unknown): Error {
  const said = lines.length === 0 ? 'It wrote no output.' : `Its output:\n${lines.join('\n')}`
  return new EmbeddedPostgresError(`The embedded database ${sentence}. ${said}`, { cause })
}
