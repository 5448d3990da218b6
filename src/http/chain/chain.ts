import type { onRequestAsyncHookHandler } from 'fastify'
import { authenticate, checkAccount, checkOrigin, checkScope, checkSession } from './access.ts'
import type { Deps } from './dependencies.ts'
import { countRefused, countRequest } from './limits.ts'
import { MalformedRequest } from './malformedRequest.ts'
import type { Operation } from './operation.ts'

/**
 * What every request of an operation passes before its body is read, in the order of refusals
 * (decision 16): after malformed requests and routing, before validation, idempotency and business.
 */
export function checkChain(deps: Deps, operation: Operation): onRequestAsyncHookHandler {
  const { scope, activity, session } = operation.access
  return async (request) => {
    request.operation = operation
    try {
      await authenticate(deps, request) // 401 API_KEY_*
      checkAccount(request) // 403 TENANT_*, SUBSCRIPTION_*, MODULE_*
      checkOrigin(request) // 403 ORIGIN_NOT_ALLOWED
      checkScope(scope, request) // 403 SCOPE_NOT_GRANTED
    } catch (error) {
      await countRefused(deps, activity, error, request)
      throw error
    }
    await countRequest(deps, activity, request) // 429 RATE_LIMITED
    if (session) await checkSession(deps, request) // 401 SESSION_*
    // The framework would wait for ever for a body that nobody sends any more, and never answer.
    if (request.raw.destroyed) throw new MalformedRequest('cutShort')
  }
}
