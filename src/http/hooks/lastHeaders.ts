import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Deps } from '../../deps.ts'
import { giveBackPlace } from '../checks/limits.ts'
import { limitHeaders } from '../door/limitHeaders.ts'
import { countOutcome } from './countAnswer.ts'
import { leavesBodyUnread } from './unreadBody.ts'

type LastDeps = Pick<Deps, 'lifecycle' | 'limiter' | 'metrics'>

/** What can only be said of an answer when all else is known: how the limits stand, and what is next. */
export function lastHeaders(deps: LastDeps): onSendHookHandler {
  return (request, reply, payload, done) => {
    const finish = () => {
      writeLastHeaders(deps, request, reply)
      countOutcome(deps.metrics, request, reply)
      done(null, payload)
    }
    const givenBack = giveBackPlace(deps, request)
    if (givenBack === undefined) finish()
    else givenBack.then(finish, done)
  }
}

function writeLastHeaders({ lifecycle }: LastDeps, request: FastifyRequest, reply: FastifyReply) {
  if (request.standing !== undefined) reply.headers(limitHeaders(request.standing))
  // Tells clients to move on before their connection is closed under them; those who were here
  // before, too, or the end would wait for connections on which nothing comes any more.
  if (lifecycle.draining || leavesBodyUnread(request)) reply.header('connection', 'close')
}
