import type { Config } from '../config.ts'
import { listenForAccessChanges } from '../db/accessChanges.ts'
import type { Database } from '../db/client.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Catalogs, rememberCatalogs } from './catalogs.ts'
import { type Keys, rememberKeys } from './keys.ts'

export interface Caches {
  readonly keys: Keys
  readonly catalogs: Catalogs
  /** Stops listening. */
  close(): Promise<void>
}

/**
 * What is kept in memory, read again as soon as a change of it is announced (decisions 27, 200);
 * `nowMs` is a clock that is never set back.
 */
export function openCaches(
  config: Config,
  database: Database,
  databaseUrl: string,
  { cacheLookups }: Metrics,
  nowMs = () => performance.now(),
): Caches {
  const optionsOf = (cache: string) => ({
    nowMs,
    lookups: {
      hits: cacheLookups.of({ cache, result: 'hit' }),
      misses: cacheLookups.of({ cache, result: 'miss' }),
    },
  })
  const keys = rememberKeys(database, optionsOf('keys'))
  const catalogs = rememberCatalogs(database, {
    ...optionsOf('catalogs'),
    rowsMax: config.catalogRowsMax,
  })
  // Poolers carry no announcements: behind one, entries just expire sooner, unless
  // DATABASE_DIRECT_URL leads past it.
  const listenUrl =
    config.databaseDirectUrl ?? (config.preparedStatements ? databaseUrl : undefined)
  if (listenUrl === undefined) return { keys, catalogs, close: async () => {} }
  const changes = listenForAccessChanges(listenUrl, {
    onAccessChange: keys.clear,
    onCatalogChange: catalogs.forget,
    onGap() {
      keys.clear()
      catalogs.clear()
    },
    onListening(announced) {
      keys.setAnnounced(announced)
      catalogs.setAnnounced(announced)
    },
  })
  return { keys, catalogs, close: changes.close }
}
