import type { onSendAsyncHookHandler } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bookingsDay } from '../../domain/limits.ts'
import { limitHeaders } from '../limitHeaders.ts'

/**
 * Gives the place among the day's bookings back that a request has taken, unless it made a booking
 * or may have (decisions 39 and 240). Before the answer, whose headers would otherwise be wrong.
 */
export function giveBackPlace({ limiter }: Pick<Deps, 'limiter'>): onSendAsyncHookHandler {
  return async (request, reply) => {
    const { counted, caller, mayHaveBooked } = request
    if (counted === undefined || mayHaveBooked) return
    request.counted = undefined
    reply.headers(limitHeaders(await limiter.giveBack(caller.key.id, counted, bookingsDay)))
  }
}
