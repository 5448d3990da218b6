import { hashApiKey } from '../auth/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { findKey, type KeyRecord } from '../db/keys.ts'
import {
  type AnnouncedCache,
  type AnnouncedCacheOptions,
  announcedCache,
  cacheTimes,
} from './announcedCache.ts'

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
