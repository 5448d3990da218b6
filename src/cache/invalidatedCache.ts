import { LRUCache } from 'lru-cache'
import type { Counter } from 'prom-client'

/** Lifetime of a value while change notifications arrive. */
const listeningTtlMs = 30_000
/** Lifetime without notifications: a revoked key must be rejected within 2 seconds. */
const fallbackTtlMs = 1_500

export interface CacheOptions {
  readonly lookups?: Readonly<Record<'hits' | 'misses', Pick<Counter.Internal, 'inc'>>>
  /** A monotonic clock; the default is `performance.now`. */
  readonly nowMs?: (() => number) | undefined
}

export interface InvalidatedCacheOptions<Value> extends CacheOptions {
  /** Reads a value; returns undefined if there is none. `outdated` is the expired value. */
  load(id: string, outdated: Value | undefined): Promise<Value>
  /** Weight of a value, counted toward `weightMax`; the default is 1. */
  weightOf?(value: Value): number
  readonly weightMax: number
}

export type InvalidatedCache<Value> = ReturnType<typeof invalidatedCache<Value>>

/**
 * Caches values until they expire or are invalidated. Missing ids are cached separately, so that
 * invented ids cannot evict values.
 */
export function invalidatedCache<Value>(options: InvalidatedCacheOptions<Value>) {
  const { weightMax, weightOf = () => 1, nowMs = () => performance.now() } = options
  const { hits, misses } = options.lookups ?? {}
  const found = createStore(weightMax, weightOf)
  const missing = createStore(weightMax, weightOf)
  const loading = new Map<string, Promise<Value>>()
  let timeToLiveMs = fallbackTtlMs

  async function load(id: string, outdated: Value | undefined): Promise<Value> {
    const readAtMs = nowMs()
    const promise = options.load(id, outdated)
    loading.set(id, promise)
    try {
      const value = await promise
      // A value invalidated during its read may be stale: use it for this request, do not cache it.
      if (loading.get(id) === promise) {
        const [target, other] = value === undefined ? [missing, found] : [found, missing]
        other.delete(id)
        target.set(id, { value, readAtMs })
      }
      return value
    } finally {
      if (loading.get(id) === promise) loading.delete(id)
    }
  }

  return {
    /** Returns the value, synchronously if it is cached. */
    find(id: string): Promise<Value> | Value {
      const entry = found.get(id) ?? missing.get(id)
      if (entry !== undefined && nowMs() - entry.readAtMs < timeToLiveMs) {
        hits?.inc()
        return entry.value
      }
      misses?.inc()
      return loading.get(id) ?? load(id, entry?.value)
    },
    /** Reads the value again, even if it is cached. */
    reload: (id: string) => load(id, found.get(id)?.value),
    /** Invalidates a value and any read of it in progress. */
    invalidate(id: string) {
      for (const entries of [found, missing, loading]) entries.delete(id)
    },
    /**
     * Invalidates the values that match. Missing ids and reads in progress may have got a matching
     * value, so they are invalidated as well.
     */
    invalidateWhere(matches: (value: Value) => boolean) {
      found.forEach(({ value }, id) => {
        if (matches(value)) found.delete(id)
      })
      for (const entries of [missing, loading]) entries.clear()
    },
    clear() {
      for (const entries of [found, missing, loading]) entries.clear()
    },
    setListening(listening: boolean) {
      timeToLiveMs = listening ? listeningTtlMs : fallbackTtlMs
    },
    /** Number of entries, including missing ids and reads in progress. */
    size: () => found.size + missing.size + loading.size,
  }
}

/** Caps the weight of a value at `weightMax`: the LRU cache would not store a heavier one. */
const createStore = <Value>(weightMax: number, weightOf: (value: Value) => number) =>
  new LRUCache<string, { readonly value: Value; readonly readAtMs: number }>({
    maxSize: weightMax,
    sizeCalculation: ({ value }) => Math.min(weightOf(value), weightMax),
  })
