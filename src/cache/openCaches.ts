import { hashApiKey } from '../auth/keyFormat.ts'
import type { Config } from '../config/environment.ts'
import { listenForChanges } from '../db/connection/changeNotifications.ts'
import type { Database } from '../db/connection/database.ts'
import { catalogReader } from '../db/queries/catalog/loadCatalog.ts'
import { findKey, type KeyRecord } from '../db/queries/keys/keyLookup.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type CacheOptions, type InvalidatedCache, invalidatedCache } from './invalidatedCache.ts'

/**
 * Maximum number of cached keys, and also of cached secrets that match no key. Each maximum takes
 * about 10 MB.
 */
const keysMax = 10_000

/** A cache of API keys, also revoked and expired ones, with their tenants. */
export type KeyCache = InvalidatedCache<KeyRecord | undefined>

export type CatalogCache = ReturnType<typeof openCatalogCache>

interface CachesOptions extends Pick<CacheOptions, 'nowMs'> {
  readonly config: Config
  readonly database: Database
  readonly databaseUrl: string
  readonly metrics: Metrics
  /** Called while `rental transfer` copies the database. */
  readonly onTransfer: () => void
}

/**
 * Opens the caches of keys and catalogs, and invalidates them on change notifications. Resolves
 * after the first attempt to listen.
 */
export async function openCaches(options: CachesOptions) {
  const { config, database, databaseUrl, metrics, nowMs, onTransfer } = options
  const countOf = (cache: string, result: string) => metrics.cacheLookups.labels({ cache, result })
  const optionsOf = (cache: string) => ({
    nowMs,
    lookups: { hits: countOf(cache, 'hit'), misses: countOf(cache, 'miss') },
  })
  // Cache by the secret itself: hashing would cost more than the rest of the lookup.
  const keys: KeyCache = invalidatedCache({
    ...optionsOf('keys'),
    load: (secret) => findKey(database, hashApiKey(secret)),
    weightMax: keysMax,
  })
  const catalogs = openCatalogCache(database, {
    ...optionsOf('catalogs'),
    rowsMax: config.catalogRowsMax,
  })
  // Connection poolers do not deliver notifications. Behind one, entries expire sooner, unless
  // DATABASE_DIRECT_URL is set.
  const listenUrl =
    config.databaseDirectUrl ?? (config.preparedStatements ? databaseUrl : undefined)
  if (listenUrl === undefined) return { keys, catalogs, close: async () => {} }
  let close = async () => {}
  await new Promise<void>((attempted) => {
    close = listenForChanges(listenUrl, {
      onAccessChange: (tenantId) => keys.invalidateWhere((known) => known?.tenant.id === tenantId),
      onCatalogChange: catalogs.invalidate,
      onTransfer,
      onListening(listening) {
        for (const cache of [keys, catalogs]) {
          cache.setListening(listening)
          if (listening) cache.clear()
        }
        attempted()
      },
    })
  })
  return { keys, catalogs, close }
}

/**
 * Opens a cache of the most recently used catalogs. It holds up to `rowsMax` groups, rates and
 * extras of all tenants.
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
