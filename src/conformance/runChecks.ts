import { bookingChecks } from './booking.ts'
import { browserChecks, originChecks } from './browser.ts'
import { cachingChecks } from './caching.ts'
import { accessChecks } from './keys.ts'
import { catalogChecks } from './lists.ts'
import { apiAt, beginRun, NothingToBook, type OnWait } from './runContext.ts'

interface Deployment {
  readonly baseUrl: string
  readonly apiKey: string
  readonly origin?: string | undefined
}

/**
 * Checks a deployment against every rule of the contract, and returns the findings. It leaves two
 * pending bookings of "Conformance Kit", whose ids it returns.
 */
export async function runChecks(
  { baseUrl, apiKey, origin }: Deployment,
  onWait: OnWait = () => {},
) {
  const context = beginRun(apiAt(baseUrl, apiKey, onWait), origin)
  const checks = {
    ...accessChecks,
    ...catalogChecks,
    ...bookingChecks,
    ...cachingChecks,
    ...browserChecks,
    ...(origin !== undefined && originChecks),
  }
  /** `problem` describes what was observed. It is missing if the rule holds. */
  const findings: { readonly rule: string; readonly problem?: string }[] = []
  for (const [rule, check] of Object.entries(checks)) {
    try {
      await check(context)
      findings.push({ rule })
    } catch (error) {
      findings.push({ rule, problem: reasonOf(error) })
      if (error instanceof NothingToBook) break
    }
  }
  return { findings, bookings: [...context.booked] }
}

/**
 * Returns why a deployment cannot be checked: it is unreachable, or rejects the key or the origin.
 * Returns undefined if it can be.
 */
export async function reasonNotToCheck({ baseUrl, apiKey, origin }: Deployment) {
  const { send } = apiAt(baseUrl, apiKey)
  const rejection = async (headers: Record<string, string>) => {
    const { status, text } = await send('/asset-groups', { headers })
    return status === 401 || status === 403 ? `${status} ${text.slice(0, 300)}` : undefined
  }
  try {
    const ofKey = await rejection({})
    if (ofKey !== undefined) return `${baseUrl} rejects the key: ${ofKey}`
    const ofOrigin = origin === undefined ? undefined : await rejection({ origin })
    if (ofOrigin === undefined) return undefined
    return `${baseUrl} rejects the key from ${origin}. Use an origin on the key's allow list, or omit --origin: ${ofOrigin}`
  } catch (error) {
    return `${baseUrl} is unreachable: ${reasonOf(error)}`
  }
}

/** Returns the message of the cause: `fetch` wraps errors, one for each address of a host. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as Error
  const [first = cause] = cause instanceof AggregateError ? cause.errors : []
  return first instanceof Error ? first.message : String(first)
}
