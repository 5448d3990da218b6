import type { FastifyRequest } from 'fastify'
import { isWellFormedApiKey } from '../../auth/apiKeys.ts'
import { accountProblem, keyProblem, type Scope, scopeNotGranted } from '../../domain/access.ts'
import { ApiError } from '../../domain/errors.ts'
import { originAllowed } from '../../domain/origins.ts'
import type { Deps } from './dependencies.ts'
import { countHeader } from './malformedRequest.ts'

/**
 * Who is calling, by `Authorization: Bearer` or `X-Api-Key` (decision 25).
 * @throws ApiError one of the API_KEY codes
 */
export async function authenticate(
  { keys, keyUses, clock }: Pick<Deps, 'keys' | 'keyUses' | 'clock'>,
  request: FastifyRequest,
) {
  const secret = presentedSecret(request)
  const record = isWellFormedApiKey(secret) ? await keys.find(secret) : undefined
  if (record === undefined) throw new ApiError('API_KEY_INVALID')
  const now = clock.now()
  const { key, tenant } = record
  // A clock that is behind the database's must not revive a revoked key.
  const isBehind = now.getTime() < key.readAt.getTime()
  const problem = keyProblem(key, isBehind ? key.readAt : now)
  // Presence decides the channel, so an empty Origin is a browser too, and one that never matches.
  const origin = request.headers.origin ?? null
  request.caller = { key, tenant, origin, sessionId: null }
  if (problem !== undefined) throw new ApiError(problem)
  keyUses.note(secret, record, now)
}

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
) {
  const { caller, headers } = request
  if (caller.origin === null) return
  const token = headers['x-session-token']
  if (typeof token !== 'string' || token === '') throw new ApiError('SESSION_REQUIRED')
  const binding = { apiKeyId: caller.key.id, origin: caller.origin }
  const sessionId = await sessionTokens.verify(token, binding, clock.now())
  request.caller = { ...caller, sessionId }
}

/** What is empty counts as not sent (decision 25). */
function presentedSecret({ headers, raw }: FastifyRequest): string {
  // Of several Node keeps the first: which one was meant is not ours to guess.
  if (countHeader(raw, 'authorization') > 1) throw new ApiError('API_KEY_INVALID')
  const bearer = bearerToken(headers.authorization ?? '')
  const ofHeader = headers['x-api-key'] || undefined
  if (bearer !== undefined && ofHeader !== undefined && bearer !== ofHeader)
    throw new ApiError('API_KEY_INVALID')
  const secret = bearer ?? ofHeader
  if (typeof secret === 'string') return secret
  throw new ApiError('API_KEY_REQUIRED')
}

/** What stands behind `Bearer`; undefined for nothing and for other schemes. */
function bearerToken(authorization: string): string | undefined {
  const token = /^bearer(?![\w-])(.*)$/i.exec(authorization)?.[1]
  if (token === undefined || token === '') return undefined
  const credentials = /^ +(\S+)$/.exec(token)?.[1]
  if (credentials === undefined) throw new ApiError('API_KEY_INVALID')
  return credentials
}
