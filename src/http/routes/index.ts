import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { ApiError } from '../../domain/errors.ts'
import type { CallerDeps } from '../chain/callerChecks.ts'
import { checkChain } from '../chain/chain.ts'
import { apiPrefix, getAndHead, type HandlerDeps, type Operation } from '../chain/operation.ts'
import { countAddress, type LimitDeps } from '../chain/requestLimits.ts'
import { parseRequest } from '../schemas/validation.ts'
import { serializerSchema } from '../schemas/values.ts'
import { ignoreBodies } from '../server/jsonBodies.ts'
import type { RequestSlots } from '../server/requestSlots.ts'
import { createBooking } from './createBooking.ts'
import { createQuote } from './createQuote.ts'
import { createSession } from './createSession.ts'
import { getAvailability } from './getAvailability.ts'
import { getBooking } from './getBooking.ts'
import { listAssetGroups } from './listAssetGroups.ts'
import { listRates } from './listRates.ts'

export type ApiDeps = CallerDeps & LimitDeps & HandlerDeps

/** All operations, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  listAssetGroups,
  listRates,
  getAvailability,
  createSession,
  createQuote,
  createBooking,
  getBooking,
]

/** The paths of all operations as the document writes them. */
export const operationPaths = operations.map(({ url }) => url.replace(/:(\w+)/g, '{$1}'))

/** Registers the operations behind the check chain, and a 405 for other methods of their paths. */
export async function registerApi(
  app: FastifyInstance,
  deps: ApiDeps,
  slots: RequestSlots,
): Promise<void> {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!url.startsWith(apiPrefix) || config?.operation || config?.rejectsAll) return
    throw new Error(`Bug: ${method} ${url} declares no operation, and would be open to everybody`)
  })
  for (const operation of operations) {
    await app.register(operationPlugin(deps, slots, operation))
    rejectOtherMethods(app, deps, operation)
  }
}

/** Every GET operation also accepts HEAD. */
const methodsOf = ({ method }: Operation) => (method === 'GET' ? getAndHead : [method])

/** Returns a plugin, because the body parsers differ between operations. */
function operationPlugin(
  deps: ApiDeps,
  slots: RequestSlots,
  operation: Operation,
): FastifyPluginAsync {
  const { method, url, cacheControl, schema, response } = operation
  return async (app) => {
    if (method === 'POST' && schema.body === undefined) ignoreBodies(app)
    app.route({
      method: methodsOf(operation),
      url,
      config: { operation, cacheControl },
      schema: { response: { [response.status]: serializerSchema(response.schema) } },
      onRequest: checkChain(deps, operation),
      // A slot is for work: a client that sends its body slowly must not hold one.
      preParsing: (request, _reply, _payload, done) => {
        slots.release(request)
        done()
      },
      // Fastify's own validation would stop at the first invalid part of the request.
      preValidation: (request, _reply, done) =>
        done(slots.takeForKey(request) ?? parseRequest(schema, request)),
      handler: (request, reply) => operation.handler(deps, request, reply.code(response.status)),
    })
  }
}

/** Registers a 405 with `Allow` for the other methods of a path. No key is required. */
function rejectOtherMethods(app: FastifyInstance, deps: LimitDeps, operation: Operation): void {
  // The CORS plugin handles OPTIONS on every path.
  const allowed = methodsOf(operation)
  const allow = allowed.join(', ')
  app.route({
    method: app.supportedMethods.filter((other) => ![...allowed, 'OPTIONS'].includes(other)),
    url: operation.url,
    config: { rejectsAll: true },
    onRequest: async (request, reply) => {
      reply.header('allow', allow)
      await countAddress(deps, request)
      throw new ApiError('METHOD_NOT_ALLOWED', `This path accepts only ${allow}.`)
    },
    handler: () => {},
  })
}
