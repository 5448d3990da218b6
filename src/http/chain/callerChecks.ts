import type { FastifyRequest } from 'fastify'
import { isWellFormedApiKey } from '../../auth/keyFormat.ts'
import type { SessionTokens } from '../../auth/sessionTokens.ts'
import type { KeyUses } from '../../cache/keyUses.ts'
import type { KeyCache } from '../../cache/openCaches.ts'
import {
  accountProblem,
  keyProblem,
  type Scope,
  scopeNotGranted,
} from '../../domain/accountRules.ts'
import { ApiError } from '../../domain/errors.ts'
import { isOriginAllowed, originNotAllowed } from '../../domain/origins.ts'
import { countHeader } from './malformedRequest.ts'

export interface CallerDeps {
  readonly keys: Pick<KeyCache, 'find'>
  readonly keyUses: Pick<KeyUses, 'record'>
  readonly sessionTokens: Pick<SessionTokens, 'verify'>
  readonly now: () => Date
}

const mistypedKey =
  'This API key is cut off or mistyped: its checksum is wrong. Copy the whole key again.'
const bearerInHeader =
  'X-Api-Key takes only the key: leave out "Bearer", which belongs to Authorization.'
const decoratedKey = 'Send the API key alone: leave out the quotation marks or brackets around it.'
const twoKeys = 'The request has two different API keys. Send one key, in one header.'
const malformedBearer = 'The Authorization header is malformed: send "Bearer", a space and the key.'

/**
 * Identifies the caller by `Authorization: Bearer` or `X-Api-Key`.
 * @throws ApiError one of the API_KEY codes
 */
export async function authenticate(
  { keys, keyUses, now }: Omit<CallerDeps, 'sessionTokens'>,
  request: FastifyRequest,
) {
  const secret = readSecret(request)
  if (!isWellFormedApiKey(secret)) throw new ApiError('API_KEY_INVALID', mistakeIn(secret))
  const record = await keys.find(secret)
  if (record === undefined) throw new ApiError('API_KEY_INVALID')
  const usedAt = now()
  const { key, tenant } = record
  // If this clock is behind the database's, a revoked key must still be rejected.
  const isBehind = usedAt.getTime() < key.readAt.getTime()
  const problem = keyProblem(key, isBehind ? key.readAt : usedAt)
  // An empty Origin counts as a browser too, and never matches the allow list.
  const origin = request.headers.origin ?? null
  request.caller = { key, tenant, origin, sessionId: null }
  if (problem !== undefined) throw new ApiError(problem)
  keyUses.record(secret, record, usedAt)
}

/**
 * Rejects callers whose tenant is suspended, behind on payment or without online booking.
 * @throws ApiError
 */
export function checkAccount({ caller }: FastifyRequest): void {
  const problem = accountProblem(caller.tenant)
  if (problem !== undefined) throw new ApiError(problem)
}

const originRequired =
  'This API key is for websites only: a POST needs the Origin header of a browser. A server needs a key of its own.'

/**
 * Requires the Origin, if sent, to be on the key's allow list. A browser-only key requires one for
 * every POST; browsers send none with a GET to their own site.
 * @throws ApiError ORIGIN_NOT_ALLOWED
 */
export function checkOrigin({ caller, method }: FastifyRequest): void {
  const { origin, key } = caller
  if (origin === null && key.browserOnly && method === 'POST')
    throw new ApiError('ORIGIN_NOT_ALLOWED', originRequired)
  if (origin !== null && !isOriginAllowed(origin, key.origins)) throw originNotAllowed(origin)
}

/**
 * Requires the key to have the scope; null accepts every key.
 * @throws ApiError SCOPE_NOT_GRANTED
 */
export function checkScope(scope: Scope | null, { caller }: FastifyRequest): void {
  if (scope === null || caller.key.scopes.includes(scope)) return
  throw scopeNotGranted(scope)
}

/**
 * Requires a session token from browsers; tokens sent by servers are ignored.
 * @throws ApiError one of the SESSION codes
 */
export async function checkSession(
  { sessionTokens, now }: Pick<CallerDeps, 'sessionTokens' | 'now'>,
  request: FastifyRequest,
) {
  const { caller, headers } = request
  if (caller.origin === null) return
  const token = headers['x-session-token']
  if (typeof token !== 'string' || token === '') throw new ApiError('SESSION_REQUIRED')
  const binding = { apiKeyId: caller.key.id, origin: caller.origin }
  const sessionId = await sessionTokens.verify(token, binding, now())
  request.caller = { ...caller, sessionId }
}

/** Returns what to change in a key with the wrong format or checksum. */
function mistakeIn(secret: string): string {
  if (/^bearer\b/i.test(secret)) return bearerInHeader
  return /^["'`<{[].*["'`>}\]]$/s.test(secret) ? decoratedKey : mistypedKey
}

/** Returns the key that the request carries; an empty header counts as not sent. */
function readSecret({ headers, raw }: FastifyRequest): string {
  // Node keeps only the first of duplicate headers, so duplicates are rejected.
  if (countHeader(raw, 'authorization') > 1) throw new ApiError('API_KEY_INVALID', twoKeys)
  const bearer = bearerToken(headers.authorization ?? '')
  const ofHeader = headers['x-api-key'] || undefined
  if (bearer !== undefined && ofHeader !== undefined && bearer !== ofHeader)
    throw new ApiError('API_KEY_INVALID', twoKeys)
  const secret = bearer ?? ofHeader
  if (typeof secret === 'string') return secret
  throw new ApiError('API_KEY_REQUIRED')
}

/** Returns the token; undefined if it is empty or the scheme is not Bearer. */
function bearerToken(authorization: string): string | undefined {
  const token = /^bearer(?![\w-])(.*)$/i.exec(authorization)?.[1]
  if (token === undefined || token === '') return undefined
  const credentials = /^ +(\S+)$/.exec(token)?.[1]
  if (credentials === undefined) throw new ApiError('API_KEY_INVALID', malformedBearer)
  return credentials
}
