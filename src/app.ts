import { type FastifyInstance, fastify } from 'fastify'
import type { Deps } from './deps.ts'
import { ApiError } from './domain/errors.ts'
import { countAddress, noteAddress } from './http/checks/limits.ts'
import { unsoundness } from './http/checks/soundness.ts'
import { parseJsonBodies } from './http/door/body.ts'
import { sendError } from './http/door/errors.ts'
import { serverOptions } from './http/door/server.ts'
import { answerOutsideRequests } from './http/door/sockets.ts'
import { apiRoot } from './http/fastify.ts'
import { finishAnswer, probes, recordAnswer } from './http/hooks/answers.ts'
import { standardHeaders } from './http/hooks/headers.ts'
import { preflights } from './http/hooks/preflights.ts'
import { documentPages, widget } from './http/pages/files.ts'
import { home } from './http/pages/home.ts'
import { health, metrics } from './http/pages/probes.ts'
import { registerApi } from './http/routes/index.ts'

/** The whole application on the given dependencies, ready to listen. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = fastify(serverOptions(deps))
  app.setErrorHandler((error, request, reply) => sendError(deps.log, error, request, reply))
  parseJsonBodies(app)
  deps.tracing?.traceRequests(app, apiRoot)

  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    const isProbe = probes.has(request.routeOptions.url ?? '')
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
  })
  app.addHook('onSend', finishAnswer(deps))
  app.addHook('onResponse', (request, reply, done) => {
    recordAnswer(deps, request, reply)
    done()
  })
  answerOutsideRequests(app.server, deps)

  await app.register(preflights)
  for (const pages of [home, health, metrics, documentPages, widget]) {
    await app.register(pages, { deps })
  }
  await registerApi(app, deps)
  return app
}
