import cors from '@fastify/cors'
import type { FastifyPluginAsync } from 'fastify'
import { daySeconds } from '../../domain/units.ts'
import { wellFormedOrigin } from '../door/headers.ts'

/**
 * Answers preflights, whatever they ask for (decision 21). Its hook runs for them alone: what lets a
 * page read other answers has to be on those that no hook sees, too (`readableBy`, decision 337).
 */
export const preflights: FastifyPluginAsync = async (app) => {
  await app.register(cors, {
    origin: wellFormedOrigin,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: [
      'Authorization',
      'X-Api-Key',
      'X-Session-Token',
      'Idempotency-Key',
      'Content-Type',
      'If-None-Match',
    ],
    maxAge: daySeconds,
    // Without an origin there is nobody to refuse.
    strictPreflight: false,
  })
}
