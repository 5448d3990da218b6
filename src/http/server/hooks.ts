import cors from '@fastify/cors'
import type {
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
} from 'fastify'
import { redemptionRefusals } from '../../domain/bookings.ts'
import { ApiError } from '../../domain/errors.ts'
import { daySeconds } from '../../domain/units.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Deps } from '../chain/dependencies.ts'
import { countAddress, readAddressWindow, releaseBookingSlot } from '../chain/limits.ts'
import { findMalformedRequest } from '../chain/malformedRequest.ts'
import { probePaths } from '../chain/operation.ts'
import { limitHeaders } from './limitHeaders.ts'
import type { RequestSlots } from './requestSlots.ts'
import { standardHeaders, wellFormedOrigin } from './responseHeaders.ts'

/**
 * Writes the standard headers and takes a slot; rejects a request that is malformed or has no route
 * before its body is read.
 */
export function beginRequest(
  deps: Pick<Deps, 'limiter' | 'config'>,
  slots: RequestSlots,
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
    // Unknown paths are refused here, so that nobody waits for a body that has nowhere to go.
    const error = malformed ?? (request.is404 ? new ApiError('NOT_FOUND') : undefined)
    if (error === undefined) return done()
    countAddress(deps, request).then(() => done(error), done)
  }
}

/**
 * Answers preflights, whatever they ask for (decision 21). Its hook runs for them alone: what lets a
 * page read other answers has to be on those that no hook sees, too (`readableBy`, decision 337).
 */
export const preflights: FastifyPluginAsync = async (app) => {
  await app.register(cors, {
    origin: wellFormedOrigin,
    methods: 'GET, HEAD, POST',
    allowedHeaders:
      'Authorization, X-Api-Key, X-Session-Token, Idempotency-Key, Content-Type, If-None-Match',
    maxAge: daySeconds,
    // Without an origin there is nobody to refuse.
    strictPreflight: false,
  })
}

/** Gives an unused booking place back, writes the limit headers, which show it, and counts. */
export function finishResponse(
  deps: Pick<Deps, 'limiter' | 'lifecycle' | 'metrics'>,
  slots: RequestSlots,
): onSendHookHandler {
  return (request, reply, payload, done) => {
    const finish = () => {
      const { limitDecision } = request
      if (limitDecision !== undefined) {
        // Judged when the request came; a database that is away may have taken seconds since.
        const nowSeconds = limitDecision.nowSeconds + Math.floor(reply.elapsedTime / 1000)
        reply.headers(limitHeaders({ windows: limitDecision.windows, nowSeconds }))
      }
      // Tells clients to move on before their connection is closed under them, also on connections
      // opened earlier: the end would otherwise wait for idle ones.
      if (deps.lifecycle.draining) reply.header('connection', 'close')
      countOutcome(deps.metrics, request, reply)
      slots.release(request)
      done(null, payload)
    }
    const givenBack = releaseBookingSlot(deps, request)
    if (givenBack === undefined) finish()
    else givenBack.then(finish, done)
  }
}

/** Counts what came of a quote or a booking, also when the caller is gone by then. */
function countOutcome(metrics: Metrics, request: FastifyRequest, reply: FastifyReply) {
  const operation = request.operation?.operationId
  if (operation === 'createQuote' && reply.statusCode === 201) metrics.quotes.inc()
  if (operation !== 'createBooking') return
  // Refusals of the chain are no attempt to book.
  const refusal = redemptionRefusals.find((code) => code === request.errorCode)
  const outcome = reply.statusCode === 202 ? 'ACCEPTED' : refusal
  if (outcome === undefined) return
  const replayed = String(reply.hasHeader('idempotent-replayed'))
  metrics.bookingAttempts.inc({ outcome, replayed })
}

/** Counts an answer and writes one line: ids and figures only, nothing a caller sent. */
export function recordResponse(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { caller, operation, method, errorCode } = request
  const route = operation?.url ?? request.routeOptions.url
  const fields = {
    reqId: request.id,
    traceId: request.traceId,
    method,
    route,
    status: reply.statusCode,
    code: errorCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    tenantId: caller?.tenant.id,
    keyId: caller?.key.id,
  }
  const quiet = probePaths.has(route ?? '') && reply.statusCode === 200
  log[quiet ? 'debug' : 'info'](fields, 'answered')
  countResponse(metrics, request, reply)
}

function countResponse(metrics: Metrics, request: FastifyRequest, reply: FastifyReply) {
  const operation = request.operation?.operationId ?? 'other'
  const { statusCode: status, elapsedTime } = reply
  const labels = { operation, status: String(status), code: request.errorCode ?? '' }
  metrics.requests.of(labels).value += 1
  metrics.requestDuration.observe({ operation, status }, elapsedTime / 1000)
}
