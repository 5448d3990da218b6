import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { redemptionRefusals } from '../../domain/bookings.ts'
import type { Metrics } from '../../metrics/metrics.ts'

/** Asked every second or so, by whoever watches: worth a line only when they bring bad news. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

/** Counts an answer and writes one line: ids and figures only, nothing a caller sent. */
export function recordAnswer(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
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
  const quiet = probes.has(route ?? '') && reply.statusCode === 200
  log[quiet ? 'debug' : 'info'](fields, 'answered')
  countAnswer(metrics, request, reply)
}

/** By operation, status and error code; and how long it took. */
export function countAnswer(
  { requests, requestDuration }: Metrics,
  { operation: declared, errorCode }: FastifyRequest,
  { statusCode: status, elapsedTime }: FastifyReply,
): void {
  const operation = declared?.text.operationId ?? 'other'
  requests.of({ operation, status: String(status), code: errorCode ?? '' }).value += 1
  requestDuration.observe({ operation, status }, elapsedTime / 1000)
}

/** Counts what came of a quote or a booking, also when the caller is gone by then. */
export function countOutcome(
  { quotes, bookingAttempts }: Metrics,
  { operation: declared, errorCode }: FastifyRequest,
  reply: FastifyReply,
): void {
  const operation = declared?.text.operationId
  if (operation === 'createQuote' && reply.statusCode === 201) quotes.inc()
  if (operation !== 'createBooking') return
  // Refusals of the chain are no attempt to book.
  const refusal = redemptionRefusals.find((code) => code === errorCode)
  const outcome = reply.statusCode === 202 ? 'ACCEPTED' : refusal
  if (outcome === undefined) return
  bookingAttempts.inc({ outcome, replayed: String(reply.hasHeader('idempotent-replayed')) })
}
