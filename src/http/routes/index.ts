import type { FastifyInstance, FastifyPluginAsync, HTTPMethods } from 'fastify'
import { useChain } from '../chain.ts'
import type { RouteOptions } from '../fastify.ts'
import { answerConditionally } from '../hooks/etag.ts'
import { refuseOtherMethods } from '../methodNotAllowed.ts'
import { createBooking } from './createBooking.ts'
import { createQuote } from './createQuote.ts'
import { createSession } from './createSession.ts'
import { getAvailability } from './getAvailability.ts'
import { getBooking } from './getBooking.ts'
import { listAssetGroups } from './listAssetGroups.ts'
import { listRates } from './listRates.ts'

const prefix = '/api/v1'

/** The public API: seven operations behind the chain, and 405 for the other methods of their paths. */
export async function registerApi(app: FastifyInstance, { deps }: RouteOptions): Promise<void> {
  const methodsByUrl = new Map<string, Set<HTTPMethods>>()
  await app.register(operations(methodsByUrl), { deps, prefix })
  refuseOtherMethods(app, deps, methodsByUrl)
}

function operations(methodsByUrl: Map<string, Set<HTTPMethods>>): FastifyPluginAsync<RouteOptions> {
  return async (app, { deps }) => {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (config?.access === undefined) {
        throw new Error(`The route ${url} does not declare its access: scope, limit, session.`)
      }
      const known = methodsByUrl.get(url) ?? new Set()
      methodsByUrl.set(url, known.add(method as HTTPMethods))
    })
    useChain(app, deps)
    app.addHook('onSend', answerConditionally)

    await app.register(listAssetGroups, { deps })
    await app.register(listRates, { deps })
    await app.register(getAvailability, { deps })
    await app.register(createSession, { deps })
    await app.register(createQuote, { deps })
    await app.register(createBooking, { deps })
    await app.register(getBooking, { deps })
  }
}
