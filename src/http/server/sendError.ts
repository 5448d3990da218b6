import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isDatabaseUnavailable } from '../../db/connection/failures.ts'
import { ApiError, Unavailable } from '../../domain/errors.ts'
import { MalformedRequest } from '../chain/malformedRequest.ts'
import { acceptsHtml, errorPage, hasErrorPage, pageHeaders } from './errorPage.ts'
import { errorResponse } from './errorResponse.ts'
import { unsupportedMediaType } from './jsonBodies.ts'

/**
 * Sends the error response for a thrown value. Logs unexpected errors; never sends their details.
 */
export function sendError(log: Logger, thrown: unknown, reply: FastifyReply): FastifyReply {
  const { request } = reply
  const error = apiErrorOf(thrown, request)
  request.errorCode = error.code
  if (error instanceof Unavailable) request.unavailableReason = error.reason
  const reason = { reqId: request.id, traceId: request.traceId, err: thrown }
  if (error.code === 'INTERNAL_ERROR') log.error(reason, 'request failed')
  // Other reasons for 503 are a field of the request's line.
  if (request.unavailableReason === 'database') log.warn(reason, 'database unavailable')
  const { status, headers, body } = errorResponse(error, request.limitDecision)
  reply.code(status).headers(headers)
  if (!hasErrorPage(request)) return reply.send(body)
  if (!acceptsHtml(request)) return reply.header('vary', pageHeaders.vary).send(body)
  return reply.removeHeader('content-length').headers(pageHeaders).send(errorPage(error))
}

function apiErrorOf(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown
  // Check this first: a client that disconnects mid-body causes the same error as a lost database.
  if (thrown === request.raw.errored) return new MalformedRequest('cutShort')
  if (isDatabaseUnavailable(thrown)) return new Unavailable('database')
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType(request)
  return frameworkErrors[code] ?? new ApiError('INTERNAL_ERROR')
}

/** API errors for the Fastify errors that a client can cause. */
const frameworkErrors: Readonly<Record<string, ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new ApiError('PAYLOAD_TOO_LARGE'),
  FST_ERR_BAD_URL: new ApiError('VALIDATION_ERROR', 'The path is not a valid URL path.'),
}
