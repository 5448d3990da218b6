import { type ApiError, type ErrorFacts, errorTable } from '../../domain/errors.ts'
import type { LimitStatus } from '../../domain/limits.ts'
import { MalformedRequest } from '../chain/malformedRequest.ts'
import { retryAfterSeconds } from './limitHeaders.ts'

/**
 * The answer to a refused request, whoever refuses it: a check, Fastify, Node's parser or the cap
 * on requests. `standing` is how the caller's windows stand, as far as that is known: it says when to
 * come back. Their own headers are added where the answer is sent (`finishAnswer`, or without hooks).
 */
export function errorResponse(error: ApiError, standing?: LimitStatus) {
  const { code, message, details, status } = error
  const body = JSON.stringify({ error: { code, message, details } })
  const facts: ErrorFacts = errorTable[code]
  const isLimit = code === 'RATE_LIMITED' && standing !== undefined
  const retryAfter = isLimit ? retryAfterSeconds(standing) : facts.retryAfterSeconds
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      ...(error instanceof MalformedRequest && { connection: 'close' }),
    },
    body,
  }
}
