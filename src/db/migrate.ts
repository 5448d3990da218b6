import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { projectRoot } from '../projectRoot.ts'

const migrationsFolder = join(projectRoot, 'migrations')

/** Any fixed number: whoever migrates holds it, everybody else waits for it. */
const migrationLock = 7_311_042

/**
 * Applies the migrations that are not applied yet and returns how many that were. Drizzle takes no
 * lock of its own, so concurrent starts queue here: one migrates, the others then find nothing to do.
 */
export async function migrate(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const before = await countApplied(client)
    await applyMigrations(drizzle({ client }), { migrationsFolder })
    return (await countApplied(client)) - before
  } finally {
    // Ending the session gives the lock back, also after a failed migration.
    await client.end()
  }
}

async function countApplied(client: pg.Client): Promise<number> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (table.rows[0]?.exists !== true) return 0
  const applied = await client.query<{ count: number }>(
    'select count(*)::int as count from drizzle.__drizzle_migrations',
  )
  return applied.rows[0]?.count ?? 0
}
