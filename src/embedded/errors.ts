/** The embedded database can't be used; the message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

export class DataInUseError extends EmbeddedPostgresError {}

/** Told what the embedded database does that takes a while, or puts data elsewhere. */
export type Log = (message: string, fields?: Record<string, unknown>) => void

/** What to say in place of a program's last words. */
const plainly: readonly (readonly [RegExp, string])[] = [
  [
    // PostgreSQL says the same when the system's shared memory or semaphores are used up.
    /^(?!.*(shared memory|semaphores)).*No space left on device/,
    'the disk is full. Free some space, or set DATA_DIR to a directory on another disk.',
  ],
  [
    // The loader that the program names is not there.
    /\/(initdb|postgres): not found$/,
    'it needs glibc, which this system (Alpine or another with musl) does not have. ' +
      'Set DATABASE_URL to a PostgreSQL server (15 or newer).',
  ],
]

/** Puts what a program wrote last behind a plain sentence about what went wrong. */
export function startFailure(sentence: string, lines: readonly string[], cause?: unknown): Error {
  const known = plainly.find(([pattern]) => lines.some((line) => pattern.test(line)))
  const said = lines.length === 0 ? 'It wrote no output.' : `Its output:\n${lines.join('\n')}`
  const why = known === undefined ? `. ${said}` : `: ${known[1]}`
  return new EmbeddedPostgresError(`The embedded database ${sentence}${why}`, { cause })
}
