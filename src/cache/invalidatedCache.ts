import { LRUCache } from 'lru-cache'
import type { Count } from '../telemetry/instruments.ts'

/** For how long a value may be used without being read again. */
const announcedMs = 30_000
/** While nobody tells us of changes: a revoked key must be refused within 2 s (decision 27). */
const unannouncedMs = 1_500

export interface CacheOptions {
  /** Counts how each `find` went: a miss has to read. */
  readonly lookups?: { readonly hits: Count; readonly misses: Count }
  /** A clock that is never set back; by default the process's own. */
  readonly nowMs?: (() => number) | undefined
}

export interface InvalidatedCacheOptions<Value> extends CacheOptions {
  /** Reads a value, undefined where there is none; `outdated` is what was kept until its time was over. */
  load(id: string, outdated: Value | undefined): Promise<Value>
  /** How much of `weightMax` a value takes; 1 by default. */
  weightOf?(value: Value): number
  readonly weightMax: number
}

export type InvalidatedCache<Value> = ReturnType<typeof invalidatedCache<Value>>

/** Remembers what was found and, separately, what was not, so that made-up ids cannot evict real ones. */
export function invalidatedCache<Value>(options: InvalidatedCacheOptions<Value>) {
  const { weightMax, weightOf = () => 1, nowMs = () => performance.now() } = options
  const { hits, misses } = options.lookups ?? { hits: { value: 0 }, misses: { value: 0 } }
  const known = roomFor(weightMax, weightOf)
  const missing = roomFor(weightMax, weightOf)
  const loading = new Map<string, Promise<Value>>()
  let timeToLiveMs = unannouncedMs

  async function load(id: string, outdated: Value | undefined): Promise<Value> {
    const readAtMs = nowMs()
    const begun = options.load(id, outdated)
    loading.set(id, begun)
    try {
      const value = await begun
      // What was forgotten while it was read may be older than a change: good for this request only.
      if (loading.get(id) === begun) {
        const [kept, other] = value === undefined ? [missing, known] : [known, missing]
        other.delete(id)
        kept.set(id, { value, readAtMs })
      }
      return value
    } finally {
      if (loading.get(id) === begun) loading.delete(id)
    }
  }

  return {
    /** The value, at once when it is known. */
    find(id: string): Promise<Value> | Value {
      const entry = known.get(id) ?? missing.get(id)
      if (entry !== undefined && nowMs() - entry.readAtMs < timeToLiveMs) {
        hits.value += 1
        return entry.value
      }
      misses.value += 1
      return loading.get(id) ?? load(id, entry?.value)
    },
    /** The value as it is now, whatever is kept of it. */
    renew: (id: string) => load(id, known.get(id)?.value),
    /** Forgets one value, or what is being read of it: it has changed, or may have. */
    forget(id: string) {
      for (const kept of [known, missing, loading]) kept.delete(id)
    },
    clear() {
      for (const kept of [known, missing, loading]) kept.clear()
    },
    setAnnounced(announced: boolean) {
      timeToLiveMs = announced ? announcedMs : unannouncedMs
    },
    /** How many values are kept, those known not to be there included. */
    size: () => known.size + missing.size + loading.size,
  }
}

/** An entry that is too heavy is kept alone: left out, it would have to be read each time. */
const roomFor = <Value>(weightMax: number, weightOf: (value: Value) => number) =>
  new LRUCache<string, { readonly value: Value; readonly readAtMs: number }>({
    maxSize: weightMax,
    sizeCalculation: ({ value }) => Math.min(weightOf(value), weightMax),
  })
