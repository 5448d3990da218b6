import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 10

/** Far beyond what anything takes that is waited for: a slow machine is no failure. */
const patienceMs = 60_000

/**
 * Resolves with what `condition` gives as soon as that is neither false nor undefined.
 * Throws when the time is up before.
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
