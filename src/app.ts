import cors from '@fastify/cors'
import { type FastifyInstance, fastify } from 'fastify'
import type { Deps } from './deps.ts'
import { parseJsonBodies } from './http/body.ts'
import { answerOutsideRequests } from './http/clientErrors.ts'
import { sendError } from './http/errors.ts'
import { corsOptions } from './http/hooks/cors.ts'
import { countAnswer, countOutcome } from './http/hooks/countAnswer.ts'
import { answerLog } from './http/hooks/logAnswer.ts'
import { countAddress, showAddress } from './http/hooks/rateLimit.ts'
import { unsoundness } from './http/hooks/soundness.ts'
import { standardHeaders } from './http/hooks/standardHeaders.ts'
import { closeOnUnreadBody } from './http/hooks/unreadBody.ts'
import { unknownPath } from './http/notFound.ts'
import { docs } from './http/routes/docs.ts'
import { health } from './http/routes/health.ts'
import { registerApi } from './http/routes/index.ts'
import { metrics } from './http/routes/metrics.ts'
import { serveOpenApi } from './http/routes/openapi.ts'
import { serverOptions } from './http/server.ts'

/** The whole application on the given dependencies, ready to listen. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const logAnswer = answerLog(deps.log)
  const app = fastify(serverOptions(deps, logAnswer))
  app.setErrorHandler((error, request, reply) => sendError(deps.log, error, request, reply))
  app.setNotFoundHandler(() => {
    throw unknownPath()
  })
  parseJsonBodies(app)
  deps.tracing?.traceRequests(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(standardHeaders(request.id))
    if (request.method !== 'OPTIONS') return done()
    showAddress(deps, request, reply).then(() => done(), done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    closeOnUnreadBody(request, reply)
    // Tells clients to move on before their connection is closed under them; those who were here
    // before, too, or the end would wait for connections on which nothing comes any more.
    if (deps.lifecycle.draining) reply.header('connection', 'close')
    countOutcome(deps.metrics, request, reply)
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply)
    countAnswer(deps.metrics, request, reply)
    done()
  })
  await app.register(cors, corsOptions)
  app.addHook('onRequest', (request, reply, done) => {
    // Unknown paths here, so that nobody waits for the body of a request that has nowhere to go.
    const refusal = unsoundness(request) ?? (request.is404 ? unknownPath() : undefined)
    if (refusal === undefined) return done()
    countAddress(deps, request, reply).then(() => done(refusal), done)
  })
  answerOutsideRequests(app.server, deps)

  await app.register(health, { deps })
  await app.register(metrics, { deps })
  await app.register(docs, { deps })
  await serveOpenApi(app, await registerApi(app, { deps }))
  return app
}
