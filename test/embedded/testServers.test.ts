import { Redis } from 'ioredis'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts'
import { createTestRedis, type TestRedis } from '../helpers/redis.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function database(): Promise<{ database: TestDatabase; client: pg.Client }> {
  const database = await createTestDatabase()
  cleanups.push(() => database.drop())
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  cleanups.push(() => client.end())
  return { database, client }
}

async function leased(): Promise<{ lease: TestRedis; client: Redis }> {
  const lease = await createTestRedis()
  cleanups.push(() => lease.release())
  const client = new Redis(lease.url)
  cleanups.push(() => client.quit())
  return { lease, client }
}

describe('the servers of the tests', () => {
  it('give every caller a database of its own, also when many ask at once', async () => {
    const copies = await Promise.all(Array.from({ length: 8 }, database))
    for (const { client } of copies) await client.query('CREATE TABLE mine (id int)')
    expect(new Set(copies.map(({ database }) => database.url)).size).toBe(8)
  })

  it('give every caller an empty Redis database of its own', async () => {
    const [first, second] = await Promise.all([leased(), leased()])
    await first.client.set('mine', '1')
    expect(await second.client.get('mine')).toBeNull()
    expect(first.lease.url).not.toBe(second.lease.url)
  })
})
