import { RentalApiError } from '../typescript/errors.ts'
import { sleep, withRetries } from '../typescript/retry.ts'

/** Retry limits. Visitors prefer an error message to a longer wait. */
export const patience = { attemptsMax: 4, waitSecondsMax: 6 }

let lost = 0

/**
 * Loads a file of the widget, and requests a lost file again. Browsers keep the failure of an address,
 * so that each retry needs an address of its own.
 * @throws RentalApiError with the code NETWORK_ERROR
 */
export function loadPart<Part>(
  name: string,
  load: () => Promise<Part>,
  signal?: AbortSignal,
): Promise<Part> {
  let isRetry = false
  const once = async (): Promise<Part> => {
    try {
      const address = new URL(`v1-${name}.js?${lost}`, import.meta.url).href
      return await (isRetry ? import(/* @vite-ignore */ /* webpackIgnore: true */ address) : load())
    } catch (cause) {
      isRetry = true
      lost += 1
      const message = 'A part of the widget could not be loaded.'
      throw new RentalApiError({ status: 0, code: 'NETWORK_ERROR', message, cause })
    }
  }
  return withRetries(once, patience, sleep, signal)
}
