import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { lineWriter } from '../../log.ts'

export type AnswerLog = (request: FastifyRequest, reply: FastifyReply) => void

/** Writes one line an answer: ids and figures only, nothing a caller sent. */
export function answerLog(log: Logger): AnswerLog {
  const write = lineWriter(log, 'answered')
  return (request, reply) => {
    const { caller, operation, method, errorCode } = request
    write({
      reqId: request.id,
      traceId: request.traceId,
      method,
      route: operation?.url ?? request.routeOptions.url,
      status: reply.statusCode,
      code: errorCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      tenantId: caller?.tenant.id,
      keyId: caller?.key.id,
    })
  }
}
