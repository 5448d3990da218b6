import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import supertest from 'supertest'
import { afterAll, beforeAll } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import { type TestClock, testClock } from './clock.ts'
import { createTestDatabase } from './database.ts'
import { createTestRedis } from './redis.ts'

/** The whole application on a database and a Redis of its own, listening on a free port. */
export interface TestApp {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly clock: TestClock
  readonly databaseUrl: string
  /** Real HTTP to the listening server. */
  readonly http: supertest.Agent
}

/** High enough not to be met by chance; tests about limits set their own. */
export const roomyLimits = {
  LIMIT_READS_PER_MINUTE: '100000',
  LIMIT_QUOTES_PER_MINUTE: '100000',
  LIMIT_SESSIONS_PER_MINUTE: '100000',
  LIMIT_VISITOR_SESSIONS_PER_MINUTE: '100000',
  LIMIT_BOOKINGS_PER_MINUTE: '100000',
  LIMIT_BOOKINGS_PER_DAY: '100000',
  LIMIT_UNAUTHENTICATED_PER_MINUTE: '100000',
}

export const sessionSecret = 'a-secret-for-tests-only-of-32-bytes-or-more'

/** Starts the application for the tests of one file; the returned object is filled before they run. */
export function useTestApp(environment: Record<string, string> = {}): TestApp {
  const running = {} as { -readonly [Field in keyof TestApp]: TestApp[Field] }
  let stop = async () => {}

  beforeAll(async () => {
    const [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()])
    const config = parseConfig({
      REDIS_URL: redis.url,
      SESSION_SECRETS: sessionSecret,
      ...roomyLimits,
      ...environment,
    })
    const clock = testClock()
    const { deps, close } = await openDeps(config, database.url, pino({ level: 'silent' }), clock)
    const app = await buildApp(deps)
    await app.listen({ host: '127.0.0.1', port: 0 })
    Object.assign(running, {
      app,
      deps,
      clock,
      databaseUrl: database.url,
      http: supertest(app.server),
    })
    stop = async () => {
      await app.close()
      await close()
      await database.drop()
      await redis.release()
    }
  })
  afterAll(() => stop())
  return running
}
