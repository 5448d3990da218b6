import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import supertest from 'supertest'
import { afterAll, beforeAll, expect } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { parseConfig, variables } from '../../src/config/environment.ts'
import { type Deps, openDependencies } from '../../src/lifecycle/openDependencies.ts'
import { type TestClock, testClock } from './clock.ts'
import { contractChecker, observeExchanges } from './contract.ts'
import { createTestDatabase } from './database.ts'
import { privacyProblems, watchedLog } from './privacy.ts'
import { createTestRedis } from './redis.ts'

/** The application with its own database and Redis, listening on a free port. */
export interface TestApp {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly clock: TestClock
  readonly databaseUrl: string
  readonly http: supertest.Agent
  /** The responses of the OpenAPI document seen so far, as `operation status code: message`. */
  readonly met: ReadonlySet<string>
}

/** Limits that tests do not reach by accident. Tests of limits set their own. */
export const roomyLimits = Object.fromEntries(
  variables.filter((name) => name.startsWith('LIMIT_')).map((name) => [name, '100000']),
)

export const sessionSecret = 'a-secret-for-tests-only-of-32-bytes-or-more'

/** A long timeout, because replicas count separately when Redis is slow on a busy machine. */
export const patientRedisTimeoutMs = '30000'

interface TestAppOptions {
  readonly log?: Logger
  /** Default: the test file's own Redis. */
  readonly redisUrl?: string
}

/** Starts the application for the tests of one file. The returned object is filled in `beforeAll`. */
export function useTestApp(
  environment: Record<string, string> = {},
  options: TestAppOptions = {},
): TestApp {
  const [only] = useReplicas(1, environment, options)
  return only as TestApp
}

/** Starts several replicas that share a database, a Redis and a clock. */
export function useReplicas(
  count: number,
  environment: Record<string, string> = {},
  { log: given, redisUrl }: TestAppOptions = {},
): readonly TestApp[] {
  const replicas = Array.from(
    { length: count },
    () => ({}) as { -readonly [Field in keyof TestApp]: TestApp[Field] },
  )
  const stops: (() => Promise<void>)[] = []
  const problems: string[] = []
  const log = given ?? watchedLog(problems)

  beforeAll(async () => {
    const [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()])
    stops.unshift(database.drop, redis.release)
    const config = parseConfig({
      REDIS_URL: redisUrl ?? redis.url,
      REDIS_TIMEOUT_MS: patientRedisTimeoutMs,
      SESSION_SECRETS: sessionSecret,
      ...roomyLimits,
      ...environment,
    })
    const clock = testClock()
    for (const replica of replicas) {
      const { deps, close } = await openDependencies(config, database.url, log, clock.now)
      stops.unshift(close)
      const app = await buildApp(deps)
      stops.unshift(() => app.close())
      await app.listen({ host: '127.0.0.1', port: 0 })
      const met = await checkContract(app, problems)
      const http = supertest(app.server)
      Object.assign(replica, { app, deps, clock, databaseUrl: database.url, http, met })
    }
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
    // In every test, all exchanges must match the OpenAPI document, and neither responses nor the log
    // may contain personal data.
    expect(problems).toEqual([])
  })
  return replicas
}

async function checkContract(
  app: FastifyInstance,
  problems: string[],
): Promise<ReadonlySet<string>> {
  const document = await app.inject('/openapi.json')
  const contract = contractChecker(document.json())
  observeExchanges(app.server, (exchange) => {
    const { method, url } = exchange
    problems.push(...privacyProblems(exchange))
    problems.push(...contract.check(exchange).map((problem) => `${method} ${url}: ${problem}`))
  })
  return contract.met
}
