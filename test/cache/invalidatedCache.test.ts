import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type InvalidatedCache,
  type InvalidatedCacheOptions,
  invalidatedCache,
} from '../../src/cache/invalidatedCache.ts'

const id = 'an id'
const weightMax = 1_000

/** A cache on a clock and a source of its own; `reads` counts how often the source was asked. */
function aCache(load: InvalidatedCacheOptions<string | undefined>['load']) {
  const state = { nowMs: 0, reads: 0 }
  const cache = invalidatedCache<string | undefined>({
    weightMax,
    nowMs: () => state.nowMs,
    load(asked, outdated) {
      state.reads++
      return load(asked, outdated)
    },
  })
  return { cache, state }
}

describe('a cache told of changes', () => {
  it.each([
    ['good', 'a value'],
    ['unknown', undefined],
  ])('reads a %s value once', async (_, value) => {
    const { cache, state } = aCache(async () => value)
    for (let n = 0; n < 5; n++) expect(await cache.find(id)).toBe(value)
    expect(state.reads).toBe(1)
  })

  it('counts what it had and what it had to read', async () => {
    const lookups = { hits: { value: 0 }, misses: { value: 0 } }
    const cache = invalidatedCache<string>({ load: async (asked) => asked, weightMax, lookups })
    for (const asked of ['one', 'one', 'other', 'one']) await cache.find(asked)
    expect(lookups).toEqual({ hits: { value: 2 }, misses: { value: 2 } })
  })

  it.each([
    ['gone', 'a value', undefined],
    ['there at last', undefined, 'a value'],
  ])('reads what is %s once', async (_, before, after) => {
    const answers = [before, after]
    const { cache, state } = aCache(async () => answers.shift())
    await cache.find(id)
    state.nowMs += 1_500
    for (let n = 0; n < 3; n++) expect(await cache.find(id)).toBe(after)
    expect([state.reads, cache.size()]).toEqual([2, 1])
  })

  it('reads again after its time, which is short while nobody announces changes', async () => {
    const { cache, state } = aCache(async () => 'a value')
    const readsAfter = async (ms: number) => {
      state.nowMs += ms
      await cache.find(id)
      return state.reads
    }
    expect(await readsAfter(0)).toBe(1)
    expect(await readsAfter(1_499)).toBe(1)
    expect(await readsAfter(1)).toBe(2)
    cache.setAnnounced(true)
    expect(await readsAfter(29_999)).toBe(2)
    expect(await readsAfter(1)).toBe(3)
    state.nowMs += 1_500
    cache.setAnnounced(false)
    expect(await readsAfter(0)).toBe(4)
  })

  it('reads once for all who ask at the same time', async () => {
    const { cache, state } = aCache(async () => 'a value')
    await Promise.all(Array.from({ length: 50 }, () => cache.find(id)))
    expect(state.reads).toBe(1)
  })

  it('forgets everything when told of a change', async () => {
    const { cache, state } = aCache(async () => 'a value')
    await cache.find(id)
    cache.clear()
    await cache.find(id)
    expect([state.reads, cache.size()]).toEqual([2, 1])
  })

  it.each<[string, (cache: InvalidatedCache<string | undefined>) => void]>([
    ['everything', (cache) => cache.clear()],
    ['one value', (cache) => cache.forget(id)],
  ])(
    'does not keep what was read before a change of %s and answered after it',
    async (_, change) => {
      const answers: ((value: string) => void)[] = []
      const { cache, state } = aCache(() => new Promise((resolve) => answers.push(resolve)))
      const early = cache.find(id)
      change(cache)
      const late = cache.find(id)
      expect(answers).toHaveLength(2)
      answers[1]?.('new')
      expect(await late).toBe('new')
      answers[0]?.('old')
      expect(await early).toBe('old')
      expect(await cache.find(id)).toBe('new')
      expect(state.reads).toBe(2)
    },
  )

  it('does not keep a failure', async () => {
    const failing = [true, false]
    const { cache } = aCache(async () => {
      if (failing.shift() === true) throw new Error('away')
      return 'a value'
    })
    await expect(cache.find(id)).rejects.toThrow('away')
    expect(await cache.find(id)).toBe('a value')
    expect(cache.size()).toBe(1)
  })

  it('keeps a bounded number, and random ids push no good one out', async () => {
    const { cache, state } = aCache(async (asked) => (asked === id ? 'a value' : undefined))
    await cache.find(id)
    for (let n = 0; n < 5 * weightMax; n++) await cache.find(randomUUID())
    expect(cache.size()).toBe(weightMax + 1)
    const { reads } = state
    expect(await cache.find(id)).toBe('a value')
    expect(state.reads).toBe(reads)
  })

  it('forgets one value when told that it has changed', async () => {
    const { cache, state } = aCache(async (asked) => asked)
    await cache.find('one')
    await cache.find('other')
    cache.forget('one')
    await cache.find('one')
    await cache.find('other')
    expect(state.reads).toBe(3)
  })
})
