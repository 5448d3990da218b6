import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../db/failures.ts'

export interface Looking {
  readonly signal: AbortSignal
  readonly pollMs: number
  /** Hears that the database went away (an error), or is there again. */
  onAvailability(failure: unknown): void
}

/**
 * Looks every `pollMs`, at once where there is more, until `signal` is aborted; a database that is
 * away is waited for.
 */
export async function* keepLooking<Seen>(
  look: () => Promise<Seen>,
  { signal, pollMs, onAvailability }: Looking,
  hasMore: (seen: Seen) => boolean = () => false,
): AsyncGenerator<Seen> {
  let available = true
  while (!signal.aborted) {
    let again = false
    try {
      const seen = await look()
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
