import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** Asked every second or so, by whoever watches: worth a line only when they bring bad news. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

/** Writes one line an answer: ids and figures only, nothing a caller sent. */
export function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { caller, operation, method, errorCode } = request
  const route = operation?.url ?? request.routeOptions.url
  const fields = {
    reqId: request.id,
    traceId: request.traceId,
    method,
    route,
    status: reply.statusCode,
    code: errorCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    tenantId: caller?.tenant.id,
    keyId: caller?.key.id,
  }
  const quiet = probes.has(route ?? '') && reply.statusCode === 200
  log[quiet ? 'debug' : 'info'](fields, 'answered')
}
