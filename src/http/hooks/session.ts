import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { DomainError } from '../../domain/errors.ts'

/**
 * Makes browsers bring a session for writes; a token on the server channel is ignored
 * (spec.md "Authentication" 5, decision 22).
 */
export async function checkSession(
  { sessionTokens, clock }: Pick<Deps, 'sessionTokens' | 'clock'>,
  { caller, headers }: FastifyRequest,
): Promise<void> {
  if (caller.origin === null) return
  const token = headers['x-session-token']
  if (typeof token !== 'string' || token === '') {
    throw new DomainError(
      'SESSION_REQUIRED',
      'Browsers send the token of POST /sessions in the header X-Session-Token.',
    )
  }
  const binding = { apiKeyId: caller.key.id, origin: caller.origin }
  caller.sessionId = await sessionTokens.verify(token, binding, clock.now())
}
