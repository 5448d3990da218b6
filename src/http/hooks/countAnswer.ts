import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RedemptionRefusal } from '../../db/bookings.ts'
import type { Metrics } from '../../metrics/metrics.ts'

/** Counts an answer and how long it took, by operation, status and error code. */
export function countAnswer(
  { requests, requestDuration }: Metrics,
  { operation: declared, errorCode }: FastifyRequest,
  { statusCode: status, elapsedTime }: FastifyReply,
): void {
  const operation = declared?.text.operationId ?? 'other'
  requests.of({ operation, status: String(status), code: errorCode ?? '' }).value += 1
  requestDuration.observe({ operation, status }, elapsedTime / 1000)
}

/** What a booking can be refused with by the business itself, as against by the chain. */
const bookingRefusals: ReadonlySet<string> = new Set<RedemptionRefusal>([
  'QUOTE_NOT_FOUND',
  'QUOTE_SESSION_MISMATCH',
  'QUOTE_ALREADY_USED',
  'QUOTE_EXPIRED',
  'REQUEST_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
])

/** Counts what came of a quote or a booking, whether or not the caller is still there to hear it. */
export function countOutcome(
  { quotes, bookingAttempts }: Metrics,
  { operation: declared, errorCode }: FastifyRequest,
  reply: FastifyReply,
): void {
  const operation = declared?.text.operationId
  if (operation === 'createQuote' && reply.statusCode === 201) quotes.inc()
  if (operation !== 'createBooking') return
  const outcome = reply.statusCode === 202 ? 'ACCEPTED' : errorCode
  if (outcome === undefined) return
  if (outcome !== 'ACCEPTED' && !bookingRefusals.has(outcome)) return
  bookingAttempts.inc({ outcome, replayed: String(reply.hasHeader('idempotent-replayed')) })
}
