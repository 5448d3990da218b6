import { RentalApiError } from './errors.ts'
import type { Sleep } from './retry.ts'
import type { Booking } from './types.ts'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Default: 5. */
  readonly intervalSeconds?: number
  /**
   * Called when a poll has failed and the next will be tried, and with undefined when one is fine
   * again.
   */
  onTrouble?(error: RentalApiError | undefined): void
}

/** Polls until the staff have decided; errors that may pass are sat out. */
export async function waitUntilDecided(
  poll: () => Promise<Booking>,
  wait: Sleep,
  { signal, intervalSeconds = 5, onTrouble = () => {} }: WaitOptions,
): Promise<Booking> {
  let inTrouble = false
  for (;;) {
    let pauseSeconds = intervalSeconds
    try {
      const booking = await poll()
      if (inTrouble) onTrouble(undefined)
      inTrouble = false
      if (booking.status !== 'pending') return booking
    } catch (error) {
      if (!(error instanceof RentalApiError && error.retryable)) throw error
      onTrouble(error)
      inTrouble = true
      pauseSeconds = Math.max(intervalSeconds, error.retryAfterSeconds ?? 0)
    }
    await wait(pauseSeconds, signal)
  }
}
