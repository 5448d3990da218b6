import { hashApiKey } from '../auth/apiKeys.ts'
import type { Config } from '../config/environment.ts'
import { listenForAccessChanges } from '../db/connection/changeNotifications.ts'
import type { Database } from '../db/connection/database.ts'
import { catalogReader } from '../db/queries/catalog.ts'
import { findKey, type KeyRecord } from '../db/queries/keyLookup.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type CacheOptions, type InvalidatedCache, invalidatedCache } from './invalidatedCache.ts'

/** So many good keys are remembered and as many unknown ones: about 10 MB each. */
const keysMax = 10_000

/** Keys and their tenants, whatever their state, remembered for a while (decision 27). */
export type Keys = InvalidatedCache<KeyRecord | undefined>

export type Catalogs = ReturnType<typeof openCatalogCache>

interface CachesOptions extends Pick<CacheOptions, 'nowMs'> {
  readonly config: Config
  readonly database: Database
  readonly databaseUrl: string
  readonly metrics: Metrics
}

/** What is kept until a change is announced (decisions 27, 200). */
export function openCaches({ config, database, databaseUrl, metrics, nowMs }: CachesOptions) {
  const countOf = (cache: string, result: string) => metrics.cacheLookups.of({ cache, result })
  const optionsOf = (cache: string) => ({
    nowMs,
    lookups: { hits: countOf(cache, 'hit'), misses: countOf(cache, 'miss') },
  })
  // By their text: whoever can read this memory can read the requests, too, and a hash for each of
  // them would cost more than the rest of the look-up.
  const keys: Keys = invalidatedCache({
    ...optionsOf('keys'),
    load: (secret) => findKey(database, hashApiKey(secret)),
    weightMax: keysMax,
  })
  const catalogs = openCatalogCache(database, {
    ...optionsOf('catalogs'),
    rowsMax: config.catalogRowsMax,
  })
  // Poolers carry no announcements: behind one, entries just expire sooner, unless
  // DATABASE_DIRECT_URL leads past it.
  const listenUrl =
    config.databaseDirectUrl ?? (config.preparedStatements ? databaseUrl : undefined)
  if (listenUrl === undefined) return { keys, catalogs, close: async () => {} }
  const close = listenForAccessChanges(listenUrl, {
    onAccessChange: keys.clear,
    onCatalogChange: catalogs.forget,
    onListening(announced) {
      for (const cache of [keys, catalogs]) {
        cache.setAnnounced(announced)
        if (announced) cache.clear()
      }
    },
  })
  return { keys, catalogs, close }
}

/**
 * Remembers the catalogs of the tenants who are asked for most lately; `rowsMax` groups, rates and
 * extras over all tenants, each of which takes about 0.75 KB.
 */
export const openCatalogCache = (
  database: Database,
  { rowsMax, ...options }: CacheOptions & { readonly rowsMax: number },
) =>
  invalidatedCache({
    ...options,
    load: catalogReader(database),
    weightOf: ({ rowCount }) => 1 + rowCount,
    weightMax: rowsMax,
  })
