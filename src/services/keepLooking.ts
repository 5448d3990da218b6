import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../db/failures.ts'

/** Not announced by the database: a NOTIFY would hold up all commits, one after the other. */
const pollMs = 500

export interface Looking {
  readonly signal: AbortSignal
  /** Receives the error when the database goes away, and undefined when it is back. */
  onAvailability(failure: unknown): void
}

/** Looks twice a second, at once where there is more; waits for a database that is away. */
export async function* keepLooking<Seen>(
  read: () => Promise<Seen>,
  { signal, onAvailability }: Looking,
  hasMore: (seen: Seen) => boolean = () => false,
): AsyncGenerator<Seen> {
  let available = true
  while (!signal.aborted) {
    let again = false
    try {
      const seen = await read()
      if (!available) onAvailability(undefined)
      available = true
      again = hasMore(seen)
      yield seen
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (available) onAvailability(error)
      available = false
    }
    if (!again) await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}
