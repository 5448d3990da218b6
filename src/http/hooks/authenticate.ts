import type { FastifyRequest } from 'fastify'
import { isWellFormedApiKey } from '../../auth/apiKeys.ts'
import type { KeyRecord } from '../../db/keys.ts'
import type { Deps } from '../../deps.ts'
import { keyRefusal } from '../../domain/access.ts'
import { DomainError, type ErrorCode } from '../../domain/errors.ts'
import { countHeader } from './soundness.ts'

const refusalMessages: Partial<Record<ErrorCode, string>> = {
  API_KEY_REVOKED: 'This API key was revoked.',
  API_KEY_EXPIRED: 'This API key has expired.',
}

/**
 * Who is calling, by `Authorization: Bearer` or `X-Api-Key` (spec.md "Authentication", decision 25).
 * @throws DomainError one of the API_KEY codes
 */
export async function authenticate(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  request: FastifyRequest,
): Promise<void> {
  const key = presentedKey(request)
  const record = isWellFormedApiKey(key) ? await keys.find(key) : undefined
  if (record === undefined) throw invalidKey()
  const refusal = keyRefusal(record.key, latest(clock.now(), record.key.readAt))
  request.caller = callerOf(record, request)
  if (refusal !== undefined) throw new DomainError(refusal, refusalMessages[refusal] ?? refusal)
}

/** A clock that is behind the database's must not revive a revoked key. */
function latest(here: Date, there: Date): Date {
  return here > there ? here : there
}

function callerOf({ key, tenant }: KeyRecord, { headers }: FastifyRequest) {
  // Presence decides the channel, so an empty Origin is a browser too, and one that never matches.
  return { key, tenant, origin: headers.origin ?? null, sessionId: null }
}

/** What is empty counts as not sent (decision 25). */
function presentedKey({ headers, raw }: FastifyRequest): string {
  // Node keeps the first of several Authorization headers; which one was meant is not ours to guess.
  if (countHeader(raw, 'authorization') > 1) throw invalidKey()
  const bearer = bearerToken(headers.authorization ?? '')
  const apiKey = headers['x-api-key'] || undefined
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey) throw invalidKey()
  const key = bearer ?? apiKey
  if (typeof key === 'string') return key
  throw new DomainError(
    'API_KEY_REQUIRED',
    'Send your API key as "Authorization: Bearer <API_KEY>" or in the header X-Api-Key.',
  )
}

/** What stands behind `Bearer`; undefined for nothing and for other schemes. */
function bearerToken(authorization: string): string | undefined {
  const token = /^bearer(?![\w-])(.*)$/i.exec(authorization)?.[1]
  if (token === undefined || token === '') return undefined
  const credentials = /^ +(\S+)$/.exec(token)?.[1]
  if (credentials === undefined) throw invalidKey()
  return credentials
}

function invalidKey(): DomainError {
  return new DomainError('API_KEY_INVALID', 'This API key is not valid.')
}
