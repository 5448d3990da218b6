import type { onRequestHookHandler } from 'fastify'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../domain/errors.ts'
import { countAddress, noteAddress } from '../checks/limits.ts'
import { unsoundness } from '../checks/soundness.ts'
import { standardHeaders } from '../door/headers.ts'
import { probePaths } from '../fastify.ts'

/** Writes the standard headers; refuses what is unsound or has no route before its body is read. */
export function beginRequest(deps: Deps): onRequestHookHandler {
  return (request, reply, done) => {
    const { origin } = request.headers
    const isProbe = probePaths.has(request.routeOptions.url ?? '')
    reply.headers(standardHeaders(request.id, isProbe ? undefined : origin))
    const unsound = unsoundness(request)
    if (request.method === 'OPTIONS' && unsound === undefined) {
      noteAddress(deps, request).then(() => done(), done)
      return
    }
    // Unknown paths are refused here, so that nobody waits for a body that has nowhere to go.
    const error = unsound ?? (request.is404 ? new ApiError('NOT_FOUND') : undefined)
    if (error === undefined) return done()
    countAddress(deps, request).then(() => done(error), done)
  }
}
