import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { inject } from 'vitest'

/** A logical Redis database that nobody else uses. */
export interface TestRedis {
  /** For `new Redis(url)`. */
  readonly url: string
  /** Gives the database back. */
  release(): Promise<void>
}

// A test file never runs this long; a lease left by a killed one becomes free again.
const leaseSeconds = 600

async function databaseCount(redis: Redis): Promise<number> {
  const reply = await redis.config('GET', 'databases')
  return Number(Array.isArray(reply) ? reply[1] : 16)
}

/** Database 0 holds the leases: whoever sets `lease:<n>` first has database n. */
async function leaseDatabase(redis: Redis): Promise<number> {
  const count = await databaseCount(redis)
  for (let database = 1; database < count; database += 1) {
    const lease = `rental-test:lease:${database}`
    if (await redis.set(lease, randomUUID(), 'EX', leaseSeconds, 'NX')) return database
  }
  throw new Error(
    `All ${count - 1} Redis databases are taken by tests: release what createTestRedis gave.`,
  )
}

/**
 * Leases an empty logical database of the tests' Redis. With TEST_REDIS_URL, that server's
 * databases from 1 on are emptied as they are leased. Throws when all are taken.
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
