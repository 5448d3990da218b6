import type { FastifyReply, FastifyRequest } from 'fastify'
import { redemptionRefusals } from '../../domain/bookings.ts'
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

/**
 * Counts what came of a quote or a booking, whether or not the caller is still there to hear it.
 */
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
