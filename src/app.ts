import { type FastifyInstance, fastify } from 'fastify'
import type { Deps } from './deps.ts'
import { parseJsonBodies } from './http/door/body.ts'
import { sendError } from './http/door/errors.ts'
import { beginRequest, finishAnswer, preflights, recordAnswer } from './http/door/hooks.ts'
import { serverOptions } from './http/door/server.ts'
import { answerOutsideRequests } from './http/door/sockets.ts'
import { apiRoot } from './http/fastify.ts'
import { documentPages, home, widget } from './http/pages/files.ts'
import { health, metrics } from './http/pages/probes.ts'
import { registerApi } from './http/routes/index.ts'

/** The whole application on the given dependencies, ready to listen. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = fastify(serverOptions(deps))
  app.setErrorHandler((error, _request, reply) => sendError(deps.log, error, reply))
  parseJsonBodies(app)
  deps.tracing?.traceRequests(app, apiRoot)

  app.addHook('onRequest', beginRequest(deps))
  app.addHook('onSend', finishAnswer(deps))
  app.addHook('onResponse', (request, reply, done) => {
    recordAnswer(deps, request, reply)
    done()
  })
  answerOutsideRequests(app.server, deps)

  await app.register(preflights)
  for (const serve of [home, health, metrics, documentPages, widget]) await serve(app, deps)
  await registerApi(app, deps)
  return app
}
