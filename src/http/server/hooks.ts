import cors from '@fastify/cors'
import type {
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
} from 'fastify'
import type { Logger } from 'pino'
import { redemptionErrorCodes } from '../../domain/bookingRules.ts'
import { ApiError } from '../../domain/errors.ts'
import { didYouMean } from '../../domain/nearestName.ts'
import { daySeconds } from '../../domain/units.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { findMalformedRequest } from '../chain/malformedRequest.ts'
import { probePaths } from '../chain/operation.ts'
import {
  countAddress,
  type LimitDeps,
  readAddressWindow,
  uncountBooking,
} from '../chain/requestLimits.ts'
import { limitHeaders } from './limitHeaders.ts'
import type { RequestSlots } from './requestSlots.ts'
import { replacedSecretHeaders, standardHeaders, wellFormedOrigin } from './responseHeaders.ts'

/**
 * Returns a hook that writes the standard headers and takes a request slot. It rejects malformed
 * requests and unknown paths before the body is read; `paths` are those of the operations.
 */
export function beginRequest(
  deps: LimitDeps,
  slots: RequestSlots,
  paths: readonly string[],
): onRequestHookHandler {
  return (request, reply, done) => {
    const { origin } = request.headers
    const isProbe = probePaths.has(request.routeOptions.url ?? '')
    reply.headers(standardHeaders(request.id, isProbe ? undefined : origin))
    const overloaded = slots.take(request)
    if (overloaded !== undefined) return done(overloaded)
    const malformed = findMalformedRequest(request)
    if (request.method === 'OPTIONS' && malformed === undefined) {
      readAddressWindow(deps, request).then(() => done(), done)
      return
    }
    // Reject unknown paths here, before the body is received.
    const error = malformed ?? (request.is404 ? unknownPath(request.url, paths) : undefined)
    if (error === undefined) return done()
    countAddress(deps, request).then(() => done(error), done)
  }
}

const extrasHint =
  ". The extras are in the site's config, which the rental company writes with `rental site config`."

function unknownPath(url: string, paths: readonly string[]): ApiError {
  const path = url.replace(/\?.*/s, '').replace(/[\da-f-]{36}/gi, '{id}')
  const hint = path.endsWith('/extras') ? extrasHint : didYouMean(path, paths) || '.'
  return new ApiError('NOT_FOUND', `There is nothing at this path${hint}`)
}

/**
 * Responds to all CORS preflights. The plugin's hook runs for preflights only; `standardHeaders` sets
 * the CORS headers of other responses. The requested header names are reflected, because monitoring
 * scripts add headers to every request of a page (docs/decisions.md#preflights-reflect-the-requested-header-names).
 */
export const preflights: FastifyPluginAsync = async (app) => {
  await app.register(cors, {
    origin: wellFormedOrigin,
    methods: 'GET, HEAD, POST',
    maxAge: daySeconds,
    // The default rejects an OPTIONS request without Origin with a 400.
    strictPreflight: false,
  })
}

interface FinishDeps extends Pick<LimitDeps, 'limiter'> {
  readonly metrics: Metrics
  readonly lifecycle: { readonly draining: boolean }
}

/**
 * Returns a hook that uncounts a booking that was not made, writes the headers of limits and of a replaced
 * secret, and counts the outcome.
 */
export function finishResponse(deps: FinishDeps, slots: RequestSlots): onSendHookHandler {
  return (request, reply, payload, done) => {
    const finish = () => {
      const { limitDecision } = request
      if (limitDecision !== undefined) {
        // The limit was checked on arrival; waiting for the database may have taken seconds since.
        const nowSeconds = limitDecision.nowSeconds + Math.floor(reply.elapsedTime / 1000)
        reply.headers(limitHeaders({ windows: limitDecision.windows, nowSeconds }))
      }
      const { replacedAt, expiresAt } = request.caller?.key ?? {}
      if (replacedAt && expiresAt) reply.headers(replacedSecretHeaders(replacedAt, expiresAt))
      // Makes clients close their keep-alive connections; shutdown would otherwise wait for them.
      if (deps.lifecycle.draining) reply.header('connection', 'close')
      countOutcome(deps.metrics, request, reply)
      slots.release(request)
      done(null, payload)
    }
    const released = uncountBooking(deps, request)
    if (released === undefined) finish()
    else released.then(finish, done)
  }
}

/**
 * Counts quotes and booking attempts. Runs before sending, so closed connections are counted too.
 */
function countOutcome(metrics: Metrics, request: FastifyRequest, reply: FastifyReply) {
  const operation = request.operation?.operationId
  if (operation === 'createQuote' && reply.statusCode === 201) metrics.quotes.inc()
  if (operation !== 'createBooking') return
  // Errors of the check chain are not booking attempts.
  const errorCode = redemptionErrorCodes.find((code) => code === request.errorCode)
  const outcome = reply.statusCode === 202 ? 'ACCEPTED' : errorCode
  if (outcome === undefined) return
  const replayed = String(reply.hasHeader('idempotent-replayed'))
  metrics.bookingAttempts.inc({ outcome, replayed })
}

/**
 * Counts a response and logs one line. The line has ids and numbers only, nothing the client sent.
 */
export function recordResponse(
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { caller, operation, method, errorCode, unavailableReason: reason } = request
  const route = operation?.url ?? request.routeOptions.url
  const fields = {
    reqId: request.id,
    traceId: request.traceId,
    method,
    route,
    status: reply.statusCode,
    code: errorCode,
    reason,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    tenantId: caller?.tenant.id,
    keyId: caller?.key.id,
  }
  // Changes of readiness are logged with their reason, which probe lines would bury.
  const quiet = probePaths.has(route ?? '')
  log[quiet ? 'debug' : 'info'](fields, 'request completed')
  if (reason !== undefined) metrics.unavailable.inc({ reason })
  countResponse(metrics, request, reply)
}

function countResponse(metrics: Metrics, request: FastifyRequest, reply: FastifyReply) {
  const operation = request.operation?.operationId ?? 'other'
  const { statusCode: status, elapsedTime } = reply
  const labels = { operation, status: String(status), code: request.errorCode ?? '' }
  metrics.requests.inc(labels)
  metrics.requestDuration.observe({ operation, status }, elapsedTime / 1000)
}
