import { randomUUID } from 'node:crypto'
import { accessChecks } from './access.ts'
import { bookingChecks } from './booking.ts'
import { browserChecks, originChecks } from './browser.ts'
import { cachingChecks } from './caching.ts'
import { catalogChecks } from './catalog.ts'
import { createProbe, type OnWait, type Walk } from './probe.ts'

export interface Deployment {
  readonly baseUrl: string
  readonly apiKey: string
  readonly origin?: string | undefined
}

interface Finding {
  readonly rule: string
  /** What was seen instead; absent when the rule holds. */
  readonly problem?: string
}

/**
 * Walks the whole contract against a deployment, rule by rule, and tells what holds and what
 * doesn't. Leaves two pending bookings of "Conformance Kit" behind. `onWait` hears of the seconds
 * that a limit makes it wait.
 */
export async function conform({ baseUrl, apiKey, origin }: Deployment, onWait: OnWait = () => {}) {
  const probe = createProbe(baseUrl, apiKey, onWait)
  const found = { groupId: '', quoteId: '', bookingId: '', bookingText: '' }
  const walk: Walk = { probe, origin, attempt: randomUUID(), ...found }
  const checks = {
    ...accessChecks,
    ...catalogChecks,
    ...bookingChecks,
    ...cachingChecks,
    ...browserChecks,
    ...(origin !== undefined && originChecks),
  }
  const findings: Finding[] = []
  for (const [rule, check] of Object.entries(checks)) {
    try {
      await check(walk)
      findings.push({ rule })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      findings.push({ rule, problem })
    }
  }
  return findings
}

/** Why there is nothing to check: no answer, or the key is refused; undefined when it is taken. */
export async function reasonNotToCheck({ baseUrl, apiKey }: Deployment) {
  try {
    const { status, text } = await createProbe(baseUrl, apiKey).ask('/asset-groups')
    if (status !== 401 && status !== 403) return undefined
    return `${baseUrl} refuses the key: ${status} ${text.slice(0, 300)}`
  } catch (error) {
    const { cause = error } = error as Error
    return `${baseUrl} does not answer: ${cause instanceof Error ? cause.message : cause}`
  }
}
