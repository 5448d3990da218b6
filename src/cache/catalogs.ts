import { readCatalog } from '../db/catalog.ts'
import type { Database } from '../db/client.ts'
import type { Catalog } from '../domain/catalog.ts'
import { type AnnouncedCache, announcedCache, cacheTimes, type Lookup } from './announcedCache.ts'

/** Of groups, rates and extras over all tenants: about 100 MB with the lists made from them. */
const rowsMax = 200_000

/** What tenants offer, remembered for a while. */
export interface Catalogs
  extends Pick<AnnouncedCache<Catalog>, 'forget' | 'clear' | 'setAnnounced'> {
  /** The tenant's catalog, which may have changed a moment ago. */
  find(tenantId: string): Promise<Catalog>
  /** The tenant's catalog as it is now: the same object if it has not changed. */
  renew(tenantId: string): Promise<Catalog>
}

/** Remembers the catalogs of the tenants who are asked for most lately. */
export function rememberCatalogs(
  database: Database,
  onLookup?: (result: Lookup) => void,
): Catalogs {
  const cache = announcedCache<Catalog>({
    ...cacheTimes,
    ...(onLookup && { onLookup }),
    load: (tenantId, outdated) => readCatalog(database, tenantId, outdated),
    weightOf: ({ rowCount }) => 1 + rowCount,
    weightMax: rowsMax,
    nowMs: () => performance.now(),
  })
  return {
    ...cache,
    find: async (tenantId) => offered(await cache.find(tenantId)),
    renew: async (tenantId) => offered(await cache.renew(tenantId)),
  }
}

function offered(catalog: Catalog | undefined): Catalog {
  if (catalog === undefined) throw new Error('Bug: a caller without a tenant')
  return catalog
}
