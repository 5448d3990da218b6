import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { checkAccount } from './hooks/account.ts'
import { authenticate } from './hooks/authenticate.ts'
import { checkOrigin } from './hooks/origin.ts'
import { countAddress, countRequest, judgeLimit } from './hooks/rateLimit.ts'
import { checkScope } from './hooks/scope.ts'
import { checkSession } from './hooks/session.ts'

/**
 * What every request under /api/v1 passes before its body is read, in the order in which it is
 * refused (decision 16). Preflights are answered before they get here. After the chain come
 * validation, idempotency and business.
 */
export function useChain(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', async (request, reply) => {
    try {
      await authenticate(deps, request) // 401 API_KEY_*
    } catch (error) {
      await countAddress(deps, request, reply)
      throw error
    }
    // Counted before it can be refused, so that every refusal shows how the windows stand.
    await countRequest(deps, request, reply)
    checkAccount(request) // 403 TENANT_*, SUBSCRIPTION_*, MODULE_*
    checkOrigin(request) // 403 ORIGIN_NOT_ALLOWED
    checkScope(request) // 403 SCOPE_NOT_GRANTED
    judgeLimit(request) // 429 RATE_LIMITED
    await checkSession(deps, request) // 401 SESSION_*
  })
}
