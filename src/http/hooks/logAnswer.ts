import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** Writes one line an answer: ids and figures only, nothing a caller sent. */
export function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { caller, operation, method, errorCode } = request
  const fields = {
    reqId: request.id,
    traceId: request.traceId,
    method,
    route: operation?.url ?? request.routeOptions.url,
    status: reply.statusCode,
    code: errorCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    tenantId: caller?.tenant.id,
    keyId: caller?.key.id,
  }
  log.info(fields, 'answered')
}
