import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { migrateDatabase } from '../../src/db/migrations/migrate.ts'
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { unprivilegedUser } from '../../src/embedded/runAsUser.ts'
import { startTestRedis } from '../../test/helpers/servers/redis.ts'

/** A migrated, empty PostgreSQL with durable settings, and a Redis. */
export interface Stores {
  readonly databaseUrl: string
  readonly redisUrl: string
  stop(): Promise<void>
}

/** Starts both on throw-away data; `autovacuum: false` keeps the planner without statistics. */
export async function openStores({ autovacuum = true } = {}): Promise<Stores> {
  const redis = await startTestRedis()
  const directory = await mkdtemp(join(tmpdir(), 'rental-bench-'))
  if (process.getuid?.() === 0) await chown(directory, unprivilegedUser.uid, unprivilegedUser.gid)
  const settings = { autovacuum: autovacuum ? 'on' : 'off' }
  const postgres = await startEmbeddedPostgres({ directory, settings, removeOnExit: [directory] })
  await migrateDatabase(postgres.url)
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    async stop() {
      await postgres.stop()
      await redis.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
