import { afterEach, beforeEach } from 'vitest'
import { importFile } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'

/** Provides a database for each test, and functions that import fleets. */
export function useImports() {
  let test: OpenTestDatabase
  beforeEach(async () => {
    test = await openTestDatabase()
  })
  afterEach(() => test.drop())

  return {
    get database() {
      return test.database
    },
    load: (file: unknown) => importFile(test.database, file),
    rows: async (text: string): Promise<Record<string, unknown>[]> =>
      (await test.database.pool.query(text)).rows,
  }
}
