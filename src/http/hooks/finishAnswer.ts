import type { onSendHookHandler } from 'fastify'
import type { Deps } from '../../deps.ts'
import { giveBackPlace } from '../checks/limits.ts'
import { leavesBodyUnread } from '../door/body.ts'
import { limitHeaders } from '../door/limitHeaders.ts'
import { countOutcome } from './recordAnswer.ts'

type FinishDeps = Pick<Deps, 'lifecycle' | 'limiter' | 'metrics'>

/**
 * Gives an unused booking place back, then writes the limit headers, since they show it: over those
 * that a refusal has already, for the answers to which no hook comes. Then counts the outcome.
 */
export function finishAnswer(deps: FinishDeps): onSendHookHandler {
  return (request, reply, payload, done) => {
    const finish = () => {
      const { limitDecision } = request
      if (limitDecision !== undefined) {
        // Judged when the request came; a database that is away may have taken seconds since.
        const nowSeconds = limitDecision.nowSeconds + Math.floor(reply.elapsedTime / 1000)
        reply.headers(limitHeaders({ ...limitDecision, nowSeconds }))
      }
      // Tells clients to move on before their connection is closed under them; those who were here
      // before, too, or the end would wait for connections on which nothing comes any more.
      if (deps.lifecycle.draining || leavesBodyUnread(request.raw))
        reply.header('connection', 'close')
      countOutcome(deps.metrics, request, reply)
      done(null, payload)
    }
    const givenBack = giveBackPlace(deps, request)
    if (givenBack === undefined) finish()
    else givenBack.then(finish, done)
  }
}
