import { RentalApiError } from './errors.ts'
import type { Sleep } from './retry.ts'
import type { Booking } from './types.ts'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Between two polls. Default: 5, then 15, then 30 for as long as it takes. */
  readonly intervalSeconds?: number | undefined
  /** After so long there is one last poll. Default: none, people may take days. */
  readonly deadlineSeconds?: number
  /**
   * Called when a poll has failed and the next will be tried, and with undefined when one is fine
   * again.
   */
  onTrouble?(error: RentalApiError | undefined): void
}

interface Waiting {
  readonly sleep: Sleep
  readonly nowMs: () => number
}

/** Most decisions that come soon come at once; who waits for the others need not ask often. */
const firstPausesSeconds = [5, 15]

/** Polls until the staff have decided; errors that may pass are sat out, unless the last poll has one. */
export async function waitUntilDecided(
  poll: () => Promise<Booking>,
  { sleep, nowMs }: Waiting,
  { signal, intervalSeconds, deadlineSeconds = Infinity, onTrouble = () => {} }: WaitOptions,
): Promise<Booking> {
  const endMs = nowMs() + deadlineSeconds * 1000
  let inTrouble = false
  for (let polls = 0, isLast = false; ; polls++) {
    let pauseSeconds = intervalSeconds ?? firstPausesSeconds[polls] ?? 30
    try {
      const booking = await poll()
      if (inTrouble) onTrouble(undefined)
      inTrouble = false
      if (booking.status !== 'pending' || isLast) return booking
    } catch (error) {
      if (!(error instanceof RentalApiError && error.retryable) || isLast) throw error
      onTrouble(error)
      inTrouble = true
      pauseSeconds = Math.max(pauseSeconds, error.retryAfterSeconds ?? 0)
    }
    const leftSeconds = Math.max(0, (endMs - nowMs()) / 1000)
    isLast = pauseSeconds >= leftSeconds
    await sleep(Math.min(pauseSeconds, leftSeconds), signal)
  }
}
