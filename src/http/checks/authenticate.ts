import type { FastifyRequest } from 'fastify'
import { isWellFormedApiKey } from '../../auth/apiKeys.ts'
import type { Deps } from '../../deps.ts'
import { keyProblem } from '../../domain/access.ts'
import { ApiError } from '../../domain/errors.ts'
import { countHeader } from './soundness.ts'

/**
 * Who is calling, by `Authorization: Bearer` or `X-Api-Key` (decision 25).
 * @throws ApiError one of the API_KEY codes
 */
export async function authenticate(
  { keys, keyUses, clock }: Pick<Deps, 'keys' | 'keyUses' | 'clock'>,
  request: FastifyRequest,
): Promise<void> {
  const key = presentedKey(request)
  const record = isWellFormedApiKey(key) ? await keys.find(key) : undefined
  if (record === undefined) throw new ApiError('API_KEY_INVALID')
  const now = clock.now()
  const { key: identity, tenant } = record
  // A clock that is behind the database's must not revive a revoked key.
  const problem = keyProblem(identity, now > identity.readAt ? now : identity.readAt)
  // Presence decides the channel, so an empty Origin is a browser too, and one that never matches.
  const origin = request.headers.origin ?? null
  request.caller = { key: identity, tenant, origin, sessionId: null }
  if (problem !== undefined) throw new ApiError(problem)
  keyUses.note(key, record, now)
}

/** What is empty counts as not sent (decision 25). */
function presentedKey({ headers, raw }: FastifyRequest): string {
  // Node keeps the first of several Authorization headers; which one was meant is not ours to
  // guess.
  if (countHeader(raw, 'authorization') > 1) throw new ApiError('API_KEY_INVALID')
  const bearer = bearerToken(headers.authorization ?? '')
  const apiKey = headers['x-api-key'] || undefined
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey)
    throw new ApiError('API_KEY_INVALID')
  const key = bearer ?? apiKey
  if (typeof key === 'string') return key
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
