import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import { chainOf } from '../checks/chain.ts'
import { type ApiPluginOptions, apiPrefix, type Operation, type RoutePlugin } from '../fastify.ts'
import { validatorOf } from '../schemas/validation.ts'
import { answerSchema } from '../schemas/values.ts'
import { createBooking } from './createBooking.ts'
import { createQuote } from './createQuote.ts'
import { createSession } from './createSession.ts'
import { getAvailability } from './getAvailability.ts'
import { getBooking } from './getBooking.ts'
import { listAssetGroups } from './listAssetGroups.ts'
import { listRates } from './listRates.ts'
import { refuseOtherMethods } from './methodNotAllowed.ts'

/** Seven operations behind the chain, and 405 for other methods; returns what they declare. */
export async function registerApi(app: FastifyInstance, { deps }: ApiPluginOptions) {
  const declared: Operation[] = []
  const operations: RoutePlugin = async (api) => {
    api.addHook('onRoute', (route) => {
      const operation = declareOperation(route)
      // Fastify adds HEAD to every GET: the same operation without a body.
      if (route.method !== 'HEAD') declared.push(operation)
      route.onRequest = chainOf(deps, operation)
    })

    await api.register(listAssetGroups, { deps })
    await api.register(listRates, { deps })
    await api.register(getAvailability, { deps })
    await api.register(createSession, { deps })
    await api.register(createQuote, { deps })
    await api.register(createBooking, { deps })
    await api.register(getBooking, { deps })
  }
  await app.register(operations, { deps, prefix: apiPrefix })
  refuseOtherMethods(app, deps, declared)
  return declared
}

/**
 * Takes a route's declaration down, puts its validation in place and gives Fastify the answers'
 * schemas in the form it compiles.
 * @throws Error for a route that leaves the chain or the document guessing
 */
function declareOperation(route: RouteOptions): Operation {
  const { url, method, config } = route
  const { access, caching, operation: text } = config ?? {}
  if (access === undefined || text === undefined) {
    throw new Error(
      `The route ${url} does not declare its access (scope, limit, session) and text.`,
    )
  }
  const schema = route.schema as Operation['schema']
  // Fastify would stop at the first part of a request that is wrong.
  route.preValidation = validatorOf(schema)
  const answers = Object.entries(schema.response)
  route.schema = {
    response: Object.fromEntries(answers.map(([status, answer]) => [status, answerSchema(answer)])),
  }
  return { method: method as HTTPMethods, url, access, caching, text, schema }
}
