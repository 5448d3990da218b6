import { RentalApiError } from './errors.ts'
import type { Sleep } from './retry.ts'
import type { Booking } from './types.ts'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** The pause between two polls. Default: 5, then 15, then always 30. */
  readonly intervalSeconds?: number | undefined
  /** The time until the last poll. Default: no deadline; the staff may take days. */
  readonly deadlineSeconds?: number
  /**
   * Receives the error of a failed poll when polling continues, and undefined when a poll succeeds
   * again.
   */
  onTrouble?(error: RentalApiError | undefined): void
}

interface Waiting {
  readonly sleep: Sleep
  readonly nowMs: () => number
}

/** Most decisions are either made at once or take long, so later polls are less frequent. */
const firstPausesSeconds = [5, 15]

/**
 * Polls until the booking is no longer pending or the deadline is reached.
 * @throws RentalApiError if the error is not retryable, or if the last poll before the deadline
 * failed
 */
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
