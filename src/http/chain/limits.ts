import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/errors.ts'
import {
  bookingsDay,
  type LimitDecision,
  type LimitedActivity,
  unauthenticatedWindow,
  windowsOf,
} from '../../domain/limits.ts'
import { addressBlock } from './addressBlock.ts'
import type { Deps } from './dependencies.ts'

type LimitDeps = Pick<Deps, 'limiter' | 'config'>

/**
 * Counts a request that may be served in the windows of its key and visitor (decisions 37 to 41).
 * @throws ApiError RATE_LIMITED
 */
export async function countRequest(
  deps: LimitDeps,
  activity: LimitedActivity,
  request: FastifyRequest,
) {
  judge(request, await consumeKeyWindows(deps, activity, request))
  request.holdsBookingSlot = activity === 'bookings'
}

/**
 * Counts a request that was refused before the limits by its address, never by its key: a key is in
 * the source of a page, and whoever found it there must not use up what its site needs (decision
 * 39). A look-up that failed is nobody's doing and counts nowhere.
 * @throws ApiError RATE_LIMITED
 */
export async function countRefused(
  deps: LimitDeps,
  activity: LimitedActivity,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  if (!(error instanceof ApiError)) return readAddressWindow(deps, request)
  if (error.code.startsWith('API_KEY_')) return countAddress(deps, request)
  // Asked together, so that they share a call.
  const [, ofKey] = await Promise.all([
    countAddress(deps, request),
    consumeKeyWindows(deps, activity, request, { count: false }),
  ])
  request.limitDecision = ofKey
}

/**
 * Counts a request that no key answers for by its address, to keep guessing slow (decision 40).
 * @throws ApiError RATE_LIMITED
 */
export async function countAddress(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  judge(request, await consumeAddressWindow(deps, request.ip))
}

/** Shows how the window of its address stands on the answer, without counting the request. */
export async function readAddressWindow(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  request.limitDecision = await consumeAddressWindow(deps, request.ip, { count: false })
}

/** Counts a request of this address, unless `count` is false, and tells how its window stands. */
function consumeAddressWindow(
  { limiter, config }: LimitDeps,
  address: string | undefined,
  options?: { readonly count: boolean },
): Promise<LimitDecision> {
  const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
  return limiter.consume(addressBlock(address), [window], options)
}

/**
 * Gives the place among the day's bookings back that a request has taken, unless it made a booking
 * or may have (decisions 39 and 240). Undefined when there is nothing to give back.
 */
export function releaseBookingSlot({ limiter }: Pick<Deps, 'limiter'>, request: FastifyRequest) {
  const { limitDecision, caller, holdsBookingSlot } = request
  if (!holdsBookingSlot || limitDecision === undefined) return undefined
  request.holdsBookingSlot = false
  return limiter.release(caller.key.id, limitDecision, bookingsDay).then((after) => {
    request.limitDecision = after
  })
}

function judge(request: FastifyRequest, decision: LimitDecision): void {
  request.limitDecision = decision
  if (!decision.allowed) throw new ApiError('RATE_LIMITED')
}

function consumeKeyWindows(
  { limiter, config }: LimitDeps,
  activity: LimitedActivity,
  request: FastifyRequest,
  options?: { readonly count: boolean },
) {
  const { key, origin } = request.caller
  const visitor = () => (origin === null ? undefined : addressBlock(request.ip))
  const windows = windowsOf(activity, { ...config.limits, ...key.limits }, visitor)
  return limiter.consume(key.id, windows, options)
}
