import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/environment.ts'
import { type ApiError, Unavailable } from '../../domain/errors.ts'
import { unauthenticatedWindow, windowState } from '../../domain/limits.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { probePaths } from '../chain/operation.ts'

export type RequestSlots = ReturnType<typeof requestSlots>

/** The slots that every key may hold, however few there are in all. */
const slotsPerKeyMin = 20
const keyShare = 1 / 5

interface SlotDeps {
  readonly config: Pick<Config, 'requestsInProgressMax' | 'unauthenticatedPerMinute'>
  readonly metrics: Pick<Metrics, 'watchRequests'>
  readonly now: () => Date
}

const keyBusy =
  'Too many requests of this API key are in progress. Retry after the number of seconds in Retry-After, with the same Idempotency-Key if the request had one.'

/**
 * Limits the requests in progress, except probes, to `REQUESTS_IN_PROGRESS_MAX`, and those of a key
 * to its share (docs/decisions.md#a-slot-is-for-work). A request holds a slot until its response is
 * written, but not while its body is received.
 */
export function requestSlots({ config, metrics, now }: SlotDeps) {
  const max = config.requestsInProgressMax
  const keyMax = Math.max(slotsPerKeyMin, Math.floor(max * keyShare))
  let taken = 0
  const takenByKey = new Map<string, number>()
  metrics.watchRequests(() => taken, max)

  /** Returns an unused window for the headers, since the limiter is not called for a rejection. */
  function unusedWindow() {
    const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
    const nowSeconds = Math.floor(now().getTime() / 1000)
    const windows = [windowState(window, 0, nowSeconds + window.windowSeconds)]
    return { allowed: true, nowSeconds, windows, countedIn: 'process' as const }
  }

  function reject(request: FastifyRequest, error: ApiError): ApiError {
    request.limitDecision ??= unusedWindow()
    return error
  }

  /** Takes a slot for the request; returns the 503 to send when all are taken. */
  function take(request: FastifyRequest): ApiError | undefined {
    if (request.holdsSlot || probePaths.has(request.routeOptions.url ?? '')) return undefined
    if (taken >= max) return reject(request, new Unavailable('request_slots'))
    taken += 1
    request.holdsSlot = true
    return undefined
  }

  return {
    take,
    /**
     * Takes a slot again after the body was received, and counts it for the caller's key. Returns
     * the 503 to send when all slots, or those of the key, are taken.
     */
    takeForKey(request: FastifyRequest): ApiError | undefined {
      const { id } = request.caller.key
      const ofKey = takenByKey.get(id) ?? 0
      if (ofKey >= keyMax) return reject(request, new Unavailable('key_slots', keyBusy))
      const overloaded = take(request)
      if (overloaded !== undefined) return overloaded
      takenByKey.set(id, ofKey + 1)
      request.holdsKeySlot = true
      return undefined
    },
    release(request: FastifyRequest): void {
      if (request.holdsSlot) taken -= 1
      request.holdsSlot = false
      if (!request.holdsKeySlot) return
      request.holdsKeySlot = false
      const { id } = request.caller.key
      const others = (takenByKey.get(id) ?? 1) - 1
      if (others === 0) takenByKey.delete(id)
      else takenByKey.set(id, others)
    },
  }
}
