import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/errors.ts'
import { unauthenticatedWindow, windowState } from '../../domain/limits.ts'
import type { Deps } from '../chain/dependencies.ts'
import { probePaths } from '../chain/operation.ts'

export type RequestSlots = ReturnType<typeof requestSlots>

/**
 * Limits the requests in progress, except probes, to `REQUESTS_IN_PROGRESS_MAX`. A request holds a slot
 * until its response is written, not until the client has read it.
 */
export function requestSlots({
  clock,
  config,
  metrics,
}: Pick<Deps, 'clock' | 'config' | 'metrics'>) {
  const max = config.requestsInProgressMax
  let taken = 0
  metrics.watchRequests(() => taken, max)

  /** Returns an unused window for the headers, since the limiter is not called for a rejection. */
  function unusedWindow() {
    const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
    const nowSeconds = Math.floor(clock.now().getTime() / 1000)
    const windows = [windowState(window, 0, nowSeconds + window.windowSeconds)]
    return { allowed: true, nowSeconds, windows, countedIn: 'process' as const }
  }

  return {
    /** Takes a slot for the request; returns the 503 to send when all are taken. */
    take(request: FastifyRequest): ApiError | undefined {
      if (probePaths.has(request.routeOptions.url ?? '')) return undefined
      if (taken >= max) {
        metrics.overloadRejections.inc()
        request.limitDecision = unusedWindow()
        return new ApiError('SERVICE_UNAVAILABLE')
      }
      taken += 1
      request.holdsSlot = true
      return undefined
    },
    /** Releases the request's slot, if it holds one. */
    release(request: FastifyRequest): void {
      if (request.holdsSlot) taken -= 1
      request.holdsSlot = false
    },
  }
}
