import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../domain/errors.ts'

/**
 * Makes browsers bring a session for writes; a token on the server channel is ignored
 * (decision 22).
 */
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
