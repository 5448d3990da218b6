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

function presentedKey({ headers, raw }: FastifyRequest): string {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const apiKey = headers['x-api-key']
  // Node keeps the first of several Authorization headers; which one was meant is not ours to guess.
  if (countHeader(raw, 'authorization') > 1) throw invalidKey()
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey) throw invalidKey()
  const key = bearer ?? apiKey
  if (typeof key === 'string' && key !== '') return key
  throw new DomainError(
    'API_KEY_REQUIRED',
    'Send your API key as "Authorization: Bearer <API_KEY>" or in the header X-Api-Key.',
  )
}

function invalidKey(): DomainError {
  return new DomainError('API_KEY_INVALID', 'This API key is not valid.')
}
