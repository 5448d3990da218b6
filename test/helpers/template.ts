import { migrateDatabase } from '../../src/db/migrations/migrate.ts'

/** Migrates the template that test databases are copied from. */
export async function prepareTemplate(url: string): Promise<void> {
  await migrateDatabase(url)
}
