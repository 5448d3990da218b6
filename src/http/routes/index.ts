import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { chainOf } from '../checks/chain.ts'
import { type ApiPluginOptions, apiPrefix, type Operation } from '../fastify.ts'
import { createBooking } from './createBooking.ts'
import { createQuote } from './createQuote.ts'
import { createSession } from './createSession.ts'
import { declareOperation } from './declareOperation.ts'
import { getAvailability } from './getAvailability.ts'
import { getBooking } from './getBooking.ts'
import { listAssetGroups } from './listAssetGroups.ts'
import { listRates } from './listRates.ts'
import { refuseOtherMethods } from './methodNotAllowed.ts'

/** Seven operations behind the chain, and 405 for other methods; returns what they declare. */
export async function registerApi(app: FastifyInstance, { deps }: ApiPluginOptions) {
  const declared: Operation[] = []
  await app.register(operations(declared), { deps, prefix: apiPrefix })
  refuseOtherMethods(app, deps, declared)
  return declared
}

function operations(declared: Operation[]): FastifyPluginAsync<ApiPluginOptions> {
  return async (app, { deps }) => {
    app.addHook('onRoute', (route) => {
      const operation = declareOperation(route)
      // Fastify adds HEAD to every GET: the same operation without a body.
      if (route.method !== 'HEAD') declared.push(operation)
      route.onRequest = chainOf(deps, operation)
    })

    await app.register(listAssetGroups, { deps })
    await app.register(listRates, { deps })
    await app.register(getAvailability, { deps })
    await app.register(createSession, { deps })
    await app.register(createQuote, { deps })
    await app.register(createBooking, { deps })
    await app.register(getBooking, { deps })
  }
}
