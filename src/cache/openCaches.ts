import { hashApiKey } from '../auth/apiKeys.ts'
import type { Config } from '../config.ts'
import { listenForAccessChanges } from '../db/accessChanges.ts'
import { readCatalog } from '../db/catalog.ts'
import type { Database } from '../db/client.ts'
import { findKey, type KeyRecord } from '../db/keys.ts'
import type { Catalog } from '../domain/catalog.ts'
import type { Metrics } from '../metrics/metrics.ts'
import {
  type AnnouncedCache,
  type AnnouncedCacheOptions,
  announcedCache,
  cacheTimes,
} from './announcedCache.ts'

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

/** Of good keys and of unknown ones: about 10 MB each. */
const keysMax = 10_000

/** Keys and their tenants, whatever their state, remembered for a while (decision 27). */
export interface Keys extends Pick<AnnouncedCache<KeyRecord>, 'clear' | 'setAnnounced'> {
  /** The record of a key, at once when it is known; undefined when there is no such key. */
  find(apiKey: string): Promise<KeyRecord | undefined> | KeyRecord | undefined
}

/**
 * Remembers which keys there are and which there are not, by their text: whoever can read this
 * memory can read the requests, too, and a hash for each of them would cost more than the rest of
 * the look-up.
 */
export function rememberKeys(
  database: Database,
  options: Pick<AnnouncedCacheOptions<KeyRecord>, 'lookups' | 'nowMs'>,
): Keys {
  return announcedCache<KeyRecord>({
    ...cacheTimes,
    ...options,
    load: (apiKey) => findKey(database, hashApiKey(apiKey)),
    weightMax: keysMax,
  })
}

/** What tenants offer, remembered for a while. */
export interface Catalogs
  extends Pick<AnnouncedCache<Catalog>, 'forget' | 'clear' | 'setAnnounced'> {
  /** The tenant's catalog, at once when it is known; it may have changed a moment ago. */
  find(tenantId: string): Promise<Catalog> | Catalog
  /** The tenant's catalog as it is now: the same object if it has not changed. */
  renew(tenantId: string): Promise<Catalog>
}

export interface CatalogsOptions extends Pick<AnnouncedCacheOptions<Catalog>, 'lookups' | 'nowMs'> {
  /** Of groups, rates and extras over all tenants: each takes about 0.75 KB. */
  readonly rowsMax: number
}

/** Remembers the catalogs of the tenants who are asked for most lately. */
export function rememberCatalogs(
  database: Database,
  { rowsMax, ...options }: CatalogsOptions,
): Catalogs {
  const cache = announcedCache<Catalog>({
    ...cacheTimes,
    ...options,
    load: (tenantId, outdated) => readCatalog(database, tenantId, outdated),
    weightOf: ({ rowCount }) => 1 + rowCount,
    weightMax: rowsMax,
  })
  return {
    ...cache,
    find(tenantId) {
      const found = cache.find(tenantId)
      return found instanceof Promise ? found.then(offered) : offered(found)
    },
    renew: async (tenantId) => offered(await cache.renew(tenantId)),
  }
}

function offered(catalog: Catalog | undefined): Catalog {
  if (catalog === undefined) throw new Error('Bug: a caller without a tenant')
  return catalog
}
