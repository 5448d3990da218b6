import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { databaseUrl, runStatements } from './maintenance.ts'

/** A private database of one test. */
export interface TestDatabase {
  readonly url: string
  /** Drops the database and closes all its connections. */
  drop(): Promise<void>
}

/** Creates a private copy of the migrated template. Concurrent calls are safe. */
export const createTestDatabase = () =>
  createDatabase(`TEMPLATE ${inject('templateDatabase')} STRATEGY file_copy`)

/** Creates a private database with these options of CREATE DATABASE. */
export async function createDatabase(options: string): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await runStatements(server, `CREATE DATABASE ${name} ${options}`)
  return {
    url: databaseUrl(server, name),
    drop: () => runStatements(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}
