/** For how long a record may be used without being read again. */
export interface KeyCacheTimes {
  /** While changes are announced to us. */
  readonly announcedMs: number
  /** While nobody tells us: short enough for decision 27 by itself. */
  readonly unannouncedMs: number
}

export const keyCacheTimes: KeyCacheTimes = { announcedMs: 30_000, unannouncedMs: 1_500 }

/** Of each kind: about 10 MB of good keys. */
export const entriesMax = 10_000

export interface KeyCacheOptions<Record> extends KeyCacheTimes {
  /** Reads the record of the key with this SHA-256. */
  load(hash: Buffer): Promise<Record | undefined>
  /** A clock that is never set back. */
  nowMs(): number
}

export interface KeyCache<Record> {
  /** The record of the key with this SHA-256, at once when it is known; undefined for no such key. */
  find(hash: Buffer): Promise<Record | undefined> | Record | undefined
  /** Forgets everything: something has changed, or may have. */
  clear(): void
  /** Whether changes are announced from now on. */
  setAnnounced(announced: boolean): void
  /** How many entries are kept. */
  size(): number
}

interface Entry<Value> {
  readonly value: Value
  readonly readAtMs: number
}

/**
 * Remembers which keys there are and which there are not (decision 27). Bounded, each kind by
 * itself, so that random keys neither fill the memory nor push good ones out.
 */
export function keyCache<Record>(options: KeyCacheOptions<Record>): KeyCache<Record> {
  const known = new Map<string, Entry<Record>>()
  const unknown = new Map<string, Entry<undefined>>()
  const loading = new Map<string, Promise<Record | undefined>>()
  let timeToLiveMs = options.unannouncedMs
  let generation = 0

  async function load(id: string, hash: Buffer): Promise<Record | undefined> {
    const [readIn, readAtMs] = [generation, options.nowMs()]
    try {
      const value = await options.load(hash)
      // Read before a change and answered after its announcement: good for this request only.
      if (readIn === generation) {
        if (value === undefined) store(unknown, id, { value, readAtMs })
        else store(known, id, { value, readAtMs })
      }
      return value
    } finally {
      if (readIn === generation) loading.delete(id)
    }
  }

  return {
    find(hash) {
      const id = hash.toString('latin1')
      const entry = known.get(id) ?? unknown.get(id)
      if (entry !== undefined && options.nowMs() - entry.readAtMs < timeToLiveMs) return entry.value
      const begun = loading.get(id) ?? load(id, hash)
      loading.set(id, begun)
      return begun
    },
    clear() {
      generation++
      for (const kept of [known, unknown, loading]) kept.clear()
    },
    setAnnounced(announced) {
      timeToLiveMs = announced ? options.announcedMs : options.unannouncedMs
    },
    size: () => known.size + unknown.size + loading.size,
  }
}

function store<Value>(kept: Map<string, Entry<Value>>, id: string, entry: Entry<Value>): void {
  // Set anew, so that a Map's order is the order in which entries were read.
  kept.delete(id)
  if (kept.size >= entriesMax) {
    for (const oldest of kept.keys()) {
      kept.delete(oldest)
      break
    }
  }
  kept.set(id, entry)
}
