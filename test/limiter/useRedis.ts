import { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'
import { createTestRedis, type TestRedis } from '../helpers/redis.ts'

/** Provides a connected Redis for the tests of one file. */
export function useRedis() {
  let test: TestRedis
  let redis: Redis
  beforeAll(async () => {
    test = await createTestRedis()
    redis = new Redis(test.url)
  })
  afterAll(async () => {
    redis.disconnect()
    await test.release()
  })
  return {
    get redis() {
      return redis
    },
    get url() {
      return test.url
    },
  }
}

export const window = (name: string, limit: number, windowSeconds = 60) => ({
  name,
  limit,
  windowSeconds,
})
