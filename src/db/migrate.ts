import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { migrationsFolder, pendingMigrations } from './pendingMigrations.ts'

/** Any fixed number: whoever migrates holds it, everybody else waits for it. */
const migrationLock = 7_311_042

/**
 * Applies the migrations that are not applied yet and returns their names. Drizzle takes no lock of
 * its own, so concurrent starts queue here: one migrates, the others then find nothing to do.
 */
export function migrate(databaseUrl: string): Promise<string[]> {
  return connected(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const pending = await pendingMigrations(client)
    await applyMigrations(drizzle({ client }), { migrationsFolder })
    return pending
  })
}

/** The names of the migrations that `migrate` would apply; changes nothing. */
export function planMigration(databaseUrl: string): Promise<string[]> {
  return connected(databaseUrl, pendingMigrations)
}

async function connected<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    // Ending the session gives the lock back, also after a failed migration.
    await client.end()
  }
}
