import { RentalApiError } from './errors.ts'

/** Resolves after so many seconds; rejects with the signal's reason when that comes first. */
export type Sleep = (seconds: number, signal: AbortSignal | undefined) => Promise<void>

/** How patient one call is. */
export interface Patience {
  /** Requests that are sent at most, the first included. */
  readonly attemptsMax: number
  /** Seconds spent waiting between them at most, all together. */
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
 * Runs `attempt` again while its error says that this may help and the patience lasts: after
 * `Retry-After` where the API gives one, else after a wait that doubles. Throws the last error.
 */
export async function retrying<T>(
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
      // At first up to half a second; callers that failed together don't come back together.
      const usualSeconds = 2 ** (sent - 3) * (1 + Math.random())
      const seconds = error.retryAfterSeconds ?? usualSeconds
      waitedSeconds += seconds
      // To wait and then give up anyway would only keep the caller from saying so.
      if (waitedSeconds > waitSecondsMax) throw error
      await wait(seconds, signal)
    }
  }
}
