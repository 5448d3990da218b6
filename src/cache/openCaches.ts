import { hashApiKey } from '../auth/apiKeys.ts'
import type { Config } from '../config.ts'
import { listenForAccessChanges } from '../db/accessChanges.ts'
import { catalogReader } from '../db/catalog.ts'
import type { Database } from '../db/client.ts'
import { findKey, type KeyRecord } from '../db/keys.ts'
import type { Catalog } from '../domain/catalog.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type AnnouncedCache, announcedCache, type CacheOptions } from './announcedCache.ts'

/** Of good keys and of unknown ones: about 10 MB each. */
const keysMax = 10_000

/** Keys and their tenants, whatever their state, remembered for a while (decision 27). */
export type Keys = AnnouncedCache<KeyRecord>

export type Catalogs = ReturnType<typeof rememberCatalogs>

interface CachesOptions {
  readonly config: Config
  readonly database: Database
  readonly databaseUrl: string
  readonly metrics: Metrics
  /** Never set back. */
  readonly nowMs?: () => number
}

/** What is kept until a change is announced (decisions 27, 200). */
export function openCaches({
  config,
  database,
  databaseUrl,
  metrics: { cacheLookups },
  nowMs = () => performance.now(),
}: CachesOptions) {
  const optionsOf = (cache: string) => ({
    nowMs,
    lookups: {
      hits: cacheLookups.of({ cache, result: 'hit' }),
      misses: cacheLookups.of({ cache, result: 'miss' }),
    },
  })
  // By their text: whoever can read this memory can read the requests, too, and a hash for each of
  // them would cost more than the rest of the look-up.
  const keys: Keys = announcedCache({
    ...optionsOf('keys'),
    load: (apiKey) => findKey(database, hashApiKey(apiKey)),
    weightMax: keysMax,
  })
  const catalogs = rememberCatalogs(database, {
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
export function rememberCatalogs(
  database: Database,
  { rowsMax, ...options }: CacheOptions & { readonly rowsMax: number },
) {
  const cache = announcedCache<Catalog>({
    ...options,
    load: catalogReader(database),
    weightOf: ({ rowCount }) => 1 + rowCount,
    weightMax: rowsMax,
  })
  return {
    ...cache,
    /** The tenant's catalog, at once when it is known; it may have changed a moment ago. */
    find(tenantId: string): Promise<Catalog> | Catalog {
      const found = cache.find(tenantId)
      return found instanceof Promise ? found.then(offered) : offered(found)
    },
    /** The tenant's catalog as it is now: the same object if it has not changed. */
    renew: async (tenantId: string) => offered(await cache.renew(tenantId)),
  }
}

function offered(catalog: Catalog | undefined): Catalog {
  if (catalog === undefined) throw new Error('Bug: a caller without a tenant')
  return catalog
}
