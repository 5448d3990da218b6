import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { accountProblem, type Scope, scopeNotGranted } from '../../domain/access.ts'
import { ApiError } from '../../domain/errors.ts'
import { originAllowed } from '../../domain/origins.ts'

/** Refuses callers whose tenant may not be served, reads included (decision 29). */
export function checkAccount({ caller }: FastifyRequest): void {
  const problem = accountProblem(caller.tenant)
  if (problem !== undefined) throw new ApiError(problem)
}

/** Holds browsers to the key's allow list; callers without Origin pass (decisions 19 and 20). */
export function checkOrigin({ caller }: FastifyRequest): void {
  if (caller.origin === null || originAllowed(caller.origin, caller.key.origins)) return
  throw new ApiError('ORIGIN_NOT_ALLOWED')
}

export function checkScope(scope: Scope | null, { caller }: FastifyRequest): void {
  if (scope === null || caller.key.scopes.includes(scope)) return
  throw scopeNotGranted(scope)
}

/** Makes browsers bring a session for writes; a server's token is ignored (decision 22). */
export async function checkSession(
  { sessionTokens, clock }: Pick<Deps, 'sessionTokens' | 'clock'>,
  request: FastifyRequest,
): Promise<void> {
  const { caller, headers } = request
  if (caller.origin === null) return
  const token = headers['x-session-token']
  if (typeof token !== 'string' || token === '') throw new ApiError('SESSION_REQUIRED')
  const binding = { apiKeyId: caller.key.id, origin: caller.origin }
  const sessionId = await sessionTokens.verify(token, binding, clock.now())
  request.caller = { ...caller, sessionId }
}
