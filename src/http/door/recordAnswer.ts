import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { probePaths } from '../fastify.ts'

/** Counts an answer and writes one line: ids and figures only, nothing a caller sent. */
export function recordAnswer({ log, metrics }: Deps, request: FastifyRequest, reply: FastifyReply) {
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
  const quiet = probePaths.has(route ?? '') && reply.statusCode === 200
  log[quiet ? 'debug' : 'info'](fields, 'answered')
  countAnswer(metrics, request, reply)
}

export function countAnswer(metrics: Metrics, request: FastifyRequest, reply: FastifyReply) {
  const operation = request.operation?.operationId ?? 'other'
  const { statusCode: status, elapsedTime } = reply
  const labels = { operation, status: String(status), code: request.errorCode ?? '' }
  metrics.requests.of(labels).value += 1
  metrics.requestDuration.observe({ operation, status }, elapsedTime / 1000)
}
