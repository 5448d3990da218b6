import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { inject } from 'vitest'

/** A logical Redis database that is leased to one test file. */
export interface TestRedis {
  readonly url: string
  /** Releases the lease. */
  release(): Promise<void>
}

// Longer than any test file runs. The lease of a killed test file expires.
const leaseSeconds = 600

async function databaseCount(redis: Redis): Promise<number> {
  const reply = await redis.config('GET', 'databases')
  return Number(Array.isArray(reply) ? reply[1] : 16)
}

/** Leases a database by setting `lease:<n>` in database 0. */
async function leaseDatabase(redis: Redis): Promise<number> {
  const count = await databaseCount(redis)
  for (let database = 1; database < count; database += 1) {
    const lease = `rental-test:lease:${database}`
    if (await redis.set(lease, randomUUID(), 'EX', leaseSeconds, 'NX')) return database
  }
  throw new Error(
    `All ${count - 1} Redis databases are leased: call release of each createTestRedis.`,
  )
}

/**
 * Leases a logical database of the tests' Redis and empties it. This also applies to the databases
 * of TEST_REDIS_URL from 1 on.
 * @throws Error if all databases are leased
 */
export async function createTestRedis(): Promise<TestRedis> {
  const server = inject('redisUrl')
  const redis = new Redis(server)
  const database = await leaseDatabase(redis)
  const url = new URL(server)
  url.pathname = `/${database}`
  await redis.select(database)
  await redis.flushdb()
  await redis.select(0)
  return {
    url: url.href,
    async release() {
      await redis.del(`rental-test:lease:${database}`)
      await redis.quit()
    },
  }
}
