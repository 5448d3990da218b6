import { RentalApiError } from './errors.ts'

/** Resolves after the given time; rejects with the signal's reason if the signal aborts first. */
export type Sleep = (seconds: number, signal: AbortSignal | undefined) => Promise<void>

/** The retry limits of one call. */
export interface Patience {
  /** The maximum number of requests, including the first. */
  readonly attemptsMax: number
  /** The maximum total time spent waiting between the requests. */
  readonly waitSecondsMax: number
}

export const sleep: Sleep = (seconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', stop, { once: true })
  })

/**
 * Runs `attempt` until it succeeds, its error is not retryable or a limit is reached. Waits as long
 * as `Retry-After` requires, else with exponential backoff. Throws the last error.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { attemptsMax, waitSecondsMax }: Patience,
  wait: Sleep,
  signal: AbortSignal | undefined,
): Promise<T> {
  let waitedSeconds = 0
  for (let sent = 1; ; sent++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RentalApiError && error.retryable) || sent >= attemptsMax) throw error
      // The first wait is at most half a second. Jitter keeps clients from retrying in step.
      const usualSeconds = 2 ** (sent - 3) * (1 + Math.random())
      const seconds = error.retryAfterSeconds ?? usualSeconds
      waitedSeconds += seconds
      // Fail now: no request would follow the wait.
      if (waitedSeconds > waitSecondsMax) throw error
      await wait(seconds, signal)
    }
  }
}
