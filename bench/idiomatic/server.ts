import process from 'node:process'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { type FastifyRequest, fastify } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { Redis } from 'ioredis'
import pg from 'pg'
import { hashApiKey } from '../../src/auth/keyFormat.ts'
import { columnsOf, rowOf } from '../../src/db/connection/statement.ts'
import { apiKeys, apiKeySecrets as secrets, tenants } from '../../src/db/schema/index.ts'
import {
  accountProblem,
  keyProblem,
  type Scope,
  scopeNotGranted,
} from '../../src/domain/accountRules.ts'
import { ApiError } from '../../src/domain/errors.ts'
import { originNotAllowed } from '../../src/domain/origins.ts'
import { operations } from '../../src/http/routes/index.ts'
import { handlersOn } from './handlers.ts'

// The same API, built as the documentation of Fastify and its plugins shows it, with the same
// tables, schemas and prices.

const client = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const db = drizzle({ client })
export type Db = typeof db

const findClient = db
  .select({
    key: columnsOf(apiKeys, 'id', 'scopes', 'origins', 'revokedAt', 'expiresAt'),
    tenant: tenants,
  })
  .from(secrets)
  .innerJoin(apiKeys, rowOf(apiKeys, secrets.tenantId, secrets.apiKeyId))
  .innerJoin(tenants, eq(tenants.id, secrets.tenantId))
  .where(eq(secrets.keyHash, sql.placeholder('hash')))
  .prepare('client_of_key')

declare module 'fastify' {
  interface FastifyRequest {
    client: Awaited<ReturnType<typeof findClient.execute>>[number]
  }
  interface FastifyContextConfig {
    scope?: Scope | null
  }
}

async function authenticate(request: FastifyRequest): Promise<void> {
  const { scope } = request.routeOptions.config
  if (!scope) return
  const [, secret] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (secret === undefined) throw new ApiError('API_KEY_REQUIRED')
  const [found] = await findClient.execute({ hash: hashApiKey(secret) })
  if (found === undefined) throw new ApiError('API_KEY_INVALID')
  const problem = keyProblem(found.key, new Date()) ?? accountProblem(found.tenant)
  if (problem !== undefined) throw new ApiError(problem)
  const { origin } = request.headers
  if (origin && !found.key.origins.includes(origin)) throw originNotAllowed(origin)
  if (!found.key.scopes.includes(scope)) throw scopeNotGranted(scope)
  request.client = found
}

const app = fastify({ logger: true })
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
  const other = (error.statusCode ?? 500) < 500 ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR'
  const { status, code } = error instanceof ApiError ? error : new ApiError(other, error.message)
  return reply.code(status).send({ error: { code, message: error.message } })
})
await app.register(cors, { origin: true })
app.addHook('onRequest', authenticate)
const redis = new Redis(process.env['REDIS_URL'] ?? '')
const keyGenerator = (request: FastifyRequest) => request.client?.key.id ?? request.ip
await app.register(rateLimit, { max: 1e9, timeWindow: '1 minute', redis, keyGenerator })
app.get('/readyz', { config: { rateLimit: false } }, async () => ({ status: 'ready' }))
const handlers = handlersOn(db)
for (const { operationId, method, url, access, schema: operationSchema, response } of operations) {
  const handle = handlers[operationId]
  if (handle === undefined) continue
  const { query: querystring, ...parts } = operationSchema
  const { status, schema } = response
  app.route({
    method,
    url,
    config: { scope: access.scope },
    schema: { ...parts, ...(querystring && { querystring }), response: { [status]: schema } },
    handler: async (request, reply) => {
      reply.code(status)
      return { data: await handle(request as Parameters<typeof handle>[0]) }
    },
  })
}
process.once('SIGINT', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
