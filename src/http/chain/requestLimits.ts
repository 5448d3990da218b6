import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/environment.ts'
import { ApiError } from '../../domain/errors.ts'
import {
  countsBookings,
  type LimitDecision,
  type LimitedActivity,
  unauthenticatedWindow,
  windowsOf,
} from '../../domain/limits.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

export interface LimitDeps {
  readonly limiter: Limiter
  readonly config: Pick<Config, 'limits' | 'unauthenticatedPerMinute'>
  readonly metrics: Pick<Metrics, 'limiterDecisions'>
  /** Identifies a visitor by address; see `visitorIds`. */
  readonly visitorId: (address: string | undefined) => string
}

/**
 * Counts an accepted request in the windows of its key and visitor.
 * @throws ApiError RATE_LIMITED
 */
export async function countRequest(
  deps: LimitDeps,
  activity: LimitedActivity,
  request: FastifyRequest,
) {
  applyDecision(deps, activity, request, await consumeKeyWindows(deps, activity, request))
  request.uncountsBooking = activity === 'bookings'
}

/**
 * Counts a request that was rejected before the limits, by its address and not by its key. Keys are
 * public, so abuse of a key must not use up its limit. Internal errors are not counted.
 * @throws ApiError RATE_LIMITED
 */
export async function countRejected(
  deps: LimitDeps,
  activity: LimitedActivity,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  if (!(error instanceof ApiError)) return readAddressWindow(deps, request)
  if (error.code.startsWith('API_KEY_')) return countAddress(deps, request)
  // Called in the same tick, so that both share one Redis call.
  const [, ofKey] = await Promise.all([
    countAddress(deps, request),
    consumeKeyWindows(deps, activity, request, { count: false }),
  ])
  request.limitDecision = ofKey
}

/**
 * Counts a request without a valid key by its address.
 * @throws ApiError RATE_LIMITED
 */
export async function countAddress(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  applyDecision(deps, 'unauthenticated', request, await consumeAddressWindow(deps, request.ip))
}

/** Sets the limit headers to the window of the address, without counting the request. */
export async function readAddressWindow(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  request.limitDecision = await consumeAddressWindow(deps, request.ip, { count: false })
}

/**
 * Counts a request of the address, unless `count` is false, and returns the state of its window.
 */
function consumeAddressWindow(
  { limiter, config, visitorId }: LimitDeps,
  address: string | undefined,
  options?: { readonly count: boolean },
): Promise<LimitDecision> {
  const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
  return limiter.consume(visitorId(address), [window], options)
}

/**
 * Uncounts the request in the daily windows, unless a booking was made or may have been made.
 * Returns undefined when the request is not counted there.
 */
export function uncountBooking({ limiter }: Pick<LimitDeps, 'limiter'>, request: FastifyRequest) {
  const { limitDecision, caller, uncountsBooking } = request
  if (!uncountsBooking || limitDecision === undefined) return undefined
  request.uncountsBooking = false
  const releaseAll = async (counted: LimitDecision) => {
    for (const { name } of counted.windows.filter(countsBookings)) {
      const after = await limiter.release(caller.key.id, request.limitDecision ?? counted, name)
      request.limitDecision = after
    }
  }
  return releaseAll(limitDecision)
}

function applyDecision(
  { metrics }: Pick<LimitDeps, 'metrics'>,
  limit: LimitedActivity | 'unauthenticated',
  request: FastifyRequest,
  limitDecision: LimitDecision,
): void {
  request.limitDecision = limitDecision
  const { allowed, countedIn } = limitDecision
  const decision = allowed ? 'allowed' : 'refused'
  metrics.limiterDecisions.inc({ limit, decision, counted_in: countedIn })
  if (!allowed) throw new ApiError('RATE_LIMITED')
}

function consumeKeyWindows(
  { limiter, config, visitorId }: LimitDeps,
  activity: LimitedActivity,
  request: FastifyRequest,
  options?: { readonly count: boolean },
) {
  const { key, origin } = request.caller
  // Browsers send no Origin with a GET to their own site.
  const isServer = origin === null && !key.browserOnly
  const visitor = () => (isServer ? undefined : visitorId(request.ip))
  const windows = windowsOf(activity, { ...config.limits, ...key.limits }, visitor)
  return limiter.consume(key.id, windows, options)
}
