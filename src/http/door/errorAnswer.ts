import { type ApiError, errorTable } from '../../domain/errors.ts'
import type { Standing } from '../../domain/limits.ts'
import { MalformedRequest } from '../../domain/malformedRequest.ts'
import { waitSeconds } from './limitHeaders.ts'

/**
 * The answer to a refused request, whoever refuses it: a check, Fastify, Node's parser or the cap
 * on requests. `standing` is how the caller's windows stand, as far as that is known: it says when to
 * come back. Their own headers are added where the answer is sent (hooks/answers.ts, or without hooks).
 */
export function errorAnswer(error: ApiError, standing?: Standing) {
  const { code, message, details, status } = error
  const body = JSON.stringify({ error: { code, message, details } })
  const retryAfter = retryAfterSeconds(error, standing)
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

function retryAfterSeconds({ code }: ApiError, standing: Standing | undefined): number | undefined {
  if (code === 'RATE_LIMITED' && standing !== undefined) return waitSeconds(standing)
  const facts = errorTable[code]
  return 'retryAfterSeconds' in facts ? facts.retryAfterSeconds : undefined
}
