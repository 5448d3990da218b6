import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Deps } from '../../deps.ts'
import { redemptionRefusals } from '../../domain/bookings.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { giveBackPlace } from '../checks/limits.ts'
import { mustClose } from '../door/body.ts'
import { limitHeaders } from '../door/limitHeaders.ts'

/** Counts what came of a quote or a booking, also when the caller is gone by then. */
export function countOutcome(metrics: Metrics, request: FastifyRequest, reply: FastifyReply) {
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

/** Gives an unused booking place back, writes the limit headers, which show it, and counts. */
export function finishAnswer(deps: Deps): onSendHookHandler {
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
      if (deps.lifecycle.draining || mustClose(request.raw)) reply.header('connection', 'close')
      countOutcome(deps.metrics, request, reply)
      done(null, payload)
    }
    const givenBack = giveBackPlace(deps, request)
    if (givenBack === undefined) finish()
    else givenBack.then(finish, done)
  }
}
