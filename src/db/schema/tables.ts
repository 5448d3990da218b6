import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import * as schema from './index.ts'

const configs = new Map<string, ReturnType<typeof getTableConfig>>()
function addAfterReferenced(table: PgTable): void {
  const config = getTableConfig(table)
  for (const key of config.foreignKeys) addAfterReferenced(key.reference().foreignTable)
  configs.set(config.name, config)
}
// Bundlers and Node.js order the exports of a module differently.
for (const [, table] of Object.entries(schema).toSorted()) addAfterReferenced(table)

/** All tables with their columns, keys and indexes, each after the tables that it references. */
export const tableConfigs = Array.from(configs.values())
export const tables: readonly string[] = Array.from(configs.keys())
