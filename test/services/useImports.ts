import { beforeEach } from 'vitest'
import { importFile } from '../helpers/fleet.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'

/** Provides a database for each test, and functions that import fleets. */
export function useImports() {
  const test = useTestDatabase(beforeEach)
  return Object.assign(test, {
    load: (file: unknown) => importFile(test.database, file),
    rows: async (text: string): Promise<Record<string, unknown>[]> =>
      (await test.database.pool.query(text)).rows,
  })
}
