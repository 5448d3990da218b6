import type { onRequestAsyncHookHandler } from 'fastify'
import {
  authenticate,
  type CallerDeps,
  checkAccount,
  checkOrigin,
  checkScope,
  checkSession,
} from './callerChecks.ts'
import { MalformedRequest } from './malformedRequest.ts'
import type { Operation } from './operation.ts'
import { countRejected, countRequest, type LimitDeps } from './requestLimits.ts'

/**
 * Returns a hook that checks a request before its body is read. The order of the checks determines
 * which error a client receives.
 */
export function checkChain(
  deps: CallerDeps & LimitDeps,
  operation: Operation,
): onRequestAsyncHookHandler {
  const { scope, activity, session } = operation.access
  return async (request) => {
    request.operation = operation
    try {
      await authenticate(deps, request) // 401 API_KEY_*
      checkAccount(request) // 403 TENANT_*, SUBSCRIPTION_*, MODULE_*
      checkOrigin(request) // 403 ORIGIN_NOT_ALLOWED
      checkScope(scope, request) // 403 SCOPE_NOT_GRANTED
    } catch (error) {
      await countRejected(deps, activity, error, request)
      throw error
    }
    await countRequest(deps, activity, request) // 429 RATE_LIMITED
    if (session) await checkSession(deps, request) // 401 SESSION_*
    // Fastify would wait forever for the body of a closed connection.
    if (request.raw.destroyed) throw new MalformedRequest('cutShort')
  }
}
