import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { databaseUrl, runStatements } from './maintenance.ts'

/** A database that nobody else uses. */
export interface TestDatabase {
  /** For `pg`'s `connectionString`. */
  readonly url: string
  /** Removes it, cutting off whoever is still connected. */
  drop(): Promise<void>
}

/** Makes a private copy of the migrated template; any number of tests may do so at once. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await runStatements(
    server,
    `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY file_copy`,
  )
  return {
    url: databaseUrl(server, name),
    drop: () => runStatements(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}
