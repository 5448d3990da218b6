/** The embedded database can't be used; the message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

export class DataInUseError extends EmbeddedPostgresError {}

/** Told what the embedded database does that takes a while, or puts data elsewhere. */
export type Log = (message: string, fields?: Record<string, unknown>) => void

function runsOnMusl(): boolean {
  if (process.platform !== 'linux') return false
  const { header } = process.report.getReport() as { header: Record<string, unknown> }
  return header['glibcVersionRuntime'] === undefined
}

/** Puts what a program wrote last behind a plain sentence about what went wrong. */
export function startFailure(sentence: string, lines: readonly string[], cause?: unknown): Error {
  if (runsOnMusl()) {
    return new EmbeddedPostgresError(
      'The embedded database needs glibc, which this system (Alpine or another with musl) ' +
        'does not have. Set DATABASE_URL to a PostgreSQL server (15 or newer).',
    )
  }
  // PostgreSQL says the same when the system's shared memory or semaphores are used up.
  const full = /^(?!.*(shared memory|semaphores)).*No space left on device/
  if (lines.some((line) => full.test(line))) {
    return new EmbeddedPostgresError(
      `The embedded database ${sentence}: the disk is full. ` +
        'Free some space, or set DATA_DIR to a directory on another disk.',
      { cause },
    )
  }
  const said = lines.length === 0 ? 'It wrote no output.' : `Its output:\n${lines.join('\n')}`
  return new EmbeddedPostgresError(`The embedded database ${sentence}. ${said}`, { cause })
}
