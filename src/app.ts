import { type FastifyInstance, fastify } from 'fastify'
import { apiRoot } from './http/chain/operation.ts'
import { guide, home } from './http/pages/filledPages.ts'
import { health, metrics } from './http/pages/probes.ts'
import { clientFiles, documentPages } from './http/pages/staticFiles.ts'
import { operationPaths, registerApi } from './http/routes/index.ts'
import { beginRequest, finishResponse, preflights, recordResponse } from './http/server/hooks.ts'
import { parseJsonBodies } from './http/server/jsonBodies.ts'
import { requestSlots } from './http/server/requestSlots.ts'
import { sendError } from './http/server/sendError.ts'
import { serverOptions } from './http/server/serverOptions.ts'
import type { Deps } from './lifecycle/openDependencies.ts'

export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = fastify(serverOptions(deps))
  app.setErrorHandler((error, _request, reply) => sendError(deps.log, error, reply))
  parseJsonBodies(app)
  deps.tracing?.traceRequests(app, apiRoot)

  const slots = requestSlots(deps)
  app.addHook('onRequest', beginRequest(deps, slots, operationPaths))
  app.addHook('onSend', finishResponse(deps, slots))
  app.addHook('onResponse', (request, reply, done) => {
    recordResponse(deps, request, reply)
    done()
  })
  await app.register(preflights)
  for (const serve of [home, guide, health, metrics, documentPages, clientFiles])
    await serve(app, deps)
  await registerApi(app, deps, slots)
  return app
}
