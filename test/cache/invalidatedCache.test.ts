import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type InvalidatedCache,
  type InvalidatedCacheOptions,
  invalidatedCache,
} from '../../src/cache/invalidatedCache.ts'

const id = 'an id'
const weightMax = 1_000

/** Creates a cache with its own clock; `reads` counts the calls of `load`. */
function aCache(load: InvalidatedCacheOptions<string | undefined>['load']) {
  const state = { nowMs: 0, reads: 0 }
  const cache = invalidatedCache<string | undefined>({
    weightMax,
    nowMs: () => state.nowMs,
    load(key, outdated) {
      state.reads++
      return load(key, outdated)
    },
  })
  return { cache, state }
}

describe('invalidatedCache', () => {
  it.each([
    ['present', 'a value'],
    ['missing', undefined],
  ])('reads a %s value once', async (_, value) => {
    const { cache, state } = aCache(async () => value)
    for (let n = 0; n < 5; n++) expect(await cache.find(id)).toBe(value)
    expect(state.reads).toBe(1)
  })

  it.each([
    ['removed', 'a value', undefined],
    ['added', undefined, 'a value'],
  ])(
    'reads a value again after its lifetime and caches the result when it was %s',
    async (_, before, after) => {
      const resolvers = [before, after]
      const { cache, state } = aCache(async () => resolvers.shift())
      await cache.find(id)
      state.nowMs += 1_500
      for (let n = 0; n < 3; n++) expect(await cache.find(id)).toBe(after)
      expect([state.reads, cache.size()]).toEqual([2, 1])
    },
  )

  it('reads a value again after its lifetime, which is shorter without notifications', async () => {
    const { cache, state } = aCache(async () => 'a value')
    const readsAfter = async (ms: number) => {
      state.nowMs += ms
      await cache.find(id)
      return state.reads
    }
    expect(await readsAfter(0)).toBe(1)
    expect(await readsAfter(1_499)).toBe(1)
    expect(await readsAfter(1)).toBe(2)
    cache.setListening(true)
    expect(await readsAfter(29_999)).toBe(2)
    expect(await readsAfter(1)).toBe(3)
    state.nowMs += 1_500
    cache.setListening(false)
    expect(await readsAfter(0)).toBe(4)
  })

  it('reads a value once for concurrent calls', async () => {
    const { cache, state } = aCache(async () => 'a value')
    await Promise.all(Array.from({ length: 50 }, () => cache.find(id)))
    expect(state.reads).toBe(1)
  })

  it('drops a value when the cache is cleared', async () => {
    const { cache, state } = aCache(async () => 'a value')
    await cache.find(id)
    cache.clear()
    await cache.find(id)
    expect([state.reads, cache.size()]).toEqual([2, 1])
  })

  it.each<[string, (cache: InvalidatedCache<string | undefined>) => void]>([
    ['everything', (cache) => cache.clear()],
    ['one value', (cache) => cache.invalidate(id)],
    ['other values', (cache) => cache.invalidateWhere(() => false)],
  ])(
    'does not cache a value whose read began before %s was invalidated and ended afterwards',
    async (_, change) => {
      const resolvers: ((value: string) => void)[] = []
      const { cache, state } = aCache(() => new Promise((resolve) => resolvers.push(resolve)))
      const early = cache.find(id)
      change(cache)
      const late = cache.find(id)
      expect(resolvers).toHaveLength(2)
      resolvers[1]?.('new')
      expect(await late).toBe('new')
      resolvers[0]?.('old')
      expect(await early).toBe('old')
      expect(await cache.find(id)).toBe('new')
      expect(state.reads).toBe(2)
    },
  )

  it('does not cache a failure', async () => {
    const failing = [true, false]
    const { cache } = aCache(async () => {
      if (failing.shift() === true) throw new Error('unavailable')
      return 'a value'
    })
    await expect(cache.find(id)).rejects.toThrow('unavailable')
    expect(await cache.find(id)).toBe('a value')
    expect(cache.size()).toBe(1)
  })

  it('limits the number of cached missing ids without evicting a present value', async () => {
    const { cache, state } = aCache(async (key) => (key === id ? 'a value' : undefined))
    await cache.find(id)
    for (let n = 0; n < 5 * weightMax; n++) await cache.find(randomUUID())
    expect(cache.size()).toBe(weightMax + 1)
    const { reads } = state
    expect(await cache.find(id)).toBe('a value')
    expect(state.reads).toBe(reads)
  })

  it.each<[string, (cache: InvalidatedCache<string | undefined>) => void]>([
    ['by its id', (cache) => cache.invalidate('one')],
    ['by a condition', (cache) => cache.invalidateWhere((value) => value === 'one')],
  ])('drops only the value that is invalidated %s', async (_, invalidate) => {
    const { cache, state } = aCache(async (key) => key)
    await cache.find('one')
    await cache.find('other')
    invalidate(cache)
    await cache.find('one')
    await cache.find('other')
    expect(state.reads).toBe(3)
  })

  it('reads a missing id again after any value was invalidated', async () => {
    const values: Record<string, string> = {}
    const { cache } = aCache(async (key) => values[key])
    expect(await cache.find(id)).toBeUndefined()
    values[id] = 'a value'
    cache.invalidateWhere(() => false)
    expect(await cache.find(id)).toBe('a value')
  })
})
