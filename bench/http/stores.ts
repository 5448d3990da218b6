import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { unprivilegedUser } from '../../src/embedded/runAsUser.ts'
import { startTestRedis } from '../../test/helpers/servers/redis.ts'

/** A migrated, empty PostgreSQL with durable settings, and a Redis. */
export interface Stores {
  readonly databaseUrl: string
  readonly redisUrl: string
  stop(): Promise<void>
}

/**
 * Starts both on throw-away data, or takes the empty database of BENCH_DATABASE_URL and the Redis
 * of TEST_REDIS_URL, whose contents are then the bench's to fill.
 */
export async function openStores(): Promise<Stores> {
  const redis = await startTestRedis()
  const postgres = await openPostgres()
  await migrate(postgres.url)
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    async stop() {
      await postgres.stop()
      await redis.stop()
    },
  }
}

async function openPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['BENCH_DATABASE_URL']
  if (given !== undefined) return { url: given, stop: async () => {} }
  const directory = await mkdtemp(join(tmpdir(), 'rental-bench-'))
  if (process.getuid?.() === 0) await chown(directory, unprivilegedUser.uid, unprivilegedUser.gid)
  const server = await startEmbeddedPostgres({ directory, removeOnExit: [directory] })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
