import type { Database } from '../db/client.ts'
import { findKey, type KeyRecord } from '../db/keys.ts'
import { type AnnouncedCache, announcedCache, cacheTimes, type Lookup } from './announcedCache.ts'

/** Of good keys and of unknown ones: about 10 MB each. */
const keysMax = 10_000

/** Keys and their tenants, whatever their state, remembered for a while (decision 27). */
export interface Keys extends Pick<AnnouncedCache<KeyRecord>, 'clear' | 'setAnnounced'> {
  /** The record of the key with this SHA-256, at once when it is known; undefined for no such key. */
  find(hash: Buffer): Promise<KeyRecord | undefined> | KeyRecord | undefined
}

/** Remembers which keys there are and which there are not. */
export function rememberKeys(database: Database, onLookup?: (result: Lookup) => void): Keys {
  const cache = announcedCache<KeyRecord>({
    ...cacheTimes,
    ...(onLookup && { onLookup }),
    load: (id) => findKey(database, Buffer.from(id, 'latin1')),
    weightMax: keysMax,
    nowMs: () => performance.now(),
  })
  return { ...cache, find: (hash) => cache.find(hash.toString('latin1')) }
}
