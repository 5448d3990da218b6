import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../domain/errors.ts'
import { countAddress } from '../checks/limits.ts'
import type { Operation } from '../fastify.ts'

/** 405 and `Allow` for the other methods of known paths (decision 10); no key is asked for. */
export function refuseOtherMethods(
  app: FastifyInstance,
  deps: Deps,
  operations: readonly Operation[],
): void {
  for (const url of new Set(operations.map((operation) => operation.url))) {
    const allowed = allowedMethods(operations.filter((operation) => operation.url === url))
    const allow = allowed.join(', ')
    app.route({
      method: app.supportedMethods.filter(
        // OPTIONS is answered for every path.
        (method) => method !== 'OPTIONS' && !allowed.includes(method),
      ) as HTTPMethods[],
      url,
      onRequest: async (request, reply) => {
        reply.header('allow', allow)
        await countAddress(deps, request)
        throw new ApiError('METHOD_NOT_ALLOWED', `This path accepts only ${allow}.`)
      },
      handler: () => {},
    })
  }
}

/** HEAD is answered wherever GET is. */
function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = operations.map(({ method }) => String(method))
  return [...(methods.includes('GET') ? ['HEAD'] : []), ...methods]
}
