import { migrate } from '../../src/db/migrations/migrate.ts'

/** Fills the database that every test's own database is a copy of. */
export async function prepareTemplate(url: string): Promise<void> {
  await migrate(url)
}
