import { readCatalog } from '../db/catalog.ts'
import type { Database } from '../db/client.ts'
import type { Catalog } from '../domain/catalog.ts'
import {
  type AnnouncedCache,
  type AnnouncedCacheOptions,
  announcedCache,
  cacheTimes,
} from './announcedCache.ts'

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
