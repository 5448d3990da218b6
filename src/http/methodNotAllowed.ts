import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { Deps } from '../deps.ts'
import { DomainError } from '../domain/errors.ts'
import { countAddress } from './hooks/rateLimit.ts'

/**
 * Answers the other methods of every known path with 405 and `Allow` (decision 10). Registered
 * outside the chain: like an unknown path, it asks for no key.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  deps: Deps,
  methodsByUrl: ReadonlyMap<string, ReadonlySet<HTTPMethods>>,
): void {
  for (const [url, allowed] of methodsByUrl) {
    const allow = [...allowed].join(', ')
    const method = app.supportedMethods.filter(
      (other) => other !== 'OPTIONS' && !allowed.has(other as HTTPMethods),
    ) as HTTPMethods[]
    app.route({
      method,
      url,
      onRequest: async (request, reply) => {
        reply.header('allow', allow)
        await countAddress(deps, request, reply)
        throw new DomainError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`)
      },
      handler: () => {},
    })
  }
}
