import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 10

/** Far longer than any condition takes, so that tests pass on slow machines. */
const patienceMs = 60_000

/**
 * Polls until `condition` returns neither false nor undefined, and resolves with that value.
 * @throws Error after the timeout
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  timeoutMs = patienceMs,
): Promise<Exclude<T, false | undefined>> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const value = await condition()
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>
    if (performance.now() > deadlineMs) {
      throw new Error(`The condition did not come true within ${timeoutMs} ms: ${condition}`)
    }
    await delay(pollMs)
  }
}
