import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { entriesMax, type KeyCacheOptions, keyCache } from '../../src/auth/keyCache.ts'

const hash = Buffer.alloc(32, 1)
const times = { announcedMs: 30_000, unannouncedMs: 1_500 }

/** A cache on a clock and a source of its own; `reads` counts how often the source was asked. */
function aCache(load: KeyCacheOptions<string>['load']) {
  const state = { nowMs: 0, reads: 0 }
  const cache = keyCache<string>({
    ...times,
    nowMs: () => state.nowMs,
    load(asked) {
      state.reads++
      return load(asked)
    },
  })
  return { cache, state }
}

describe('the cache of keys', () => {
  it.each([
    ['good', 'a key'],
    ['unknown', undefined],
  ])('reads a %s key once', async (_, value) => {
    const { cache, state } = aCache(async () => value)
    for (let n = 0; n < 5; n++) expect(await cache.find(hash)).toBe(value)
    expect(state.reads).toBe(1)
  })

  it('reads again after its time, which is short while nobody announces changes', async () => {
    const { cache, state } = aCache(async () => 'a key')
    const readsAfter = async (ms: number) => {
      state.nowMs += ms
      await cache.find(hash)
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
    const { cache, state } = aCache(async () => 'a key')
    await Promise.all(Array.from({ length: 50 }, () => cache.find(hash)))
    expect(state.reads).toBe(1)
  })

  it('forgets everything when told of a change', async () => {
    const { cache, state } = aCache(async () => 'a key')
    await cache.find(hash)
    cache.clear()
    await cache.find(hash)
    expect([state.reads, cache.size()]).toEqual([2, 1])
  })

  it('does not keep what was read before a change and answered after it', async () => {
    const answers: ((value: string) => void)[] = []
    const { cache, state } = aCache(() => new Promise((resolve) => answers.push(resolve)))
    const early = cache.find(hash)
    cache.clear()
    const late = cache.find(hash)
    answers[0]?.('old')
    expect(await early).toBe('old')
    answers[1]?.('new')
    expect(await late).toBe('new')
    expect(await cache.find(hash)).toBe('new')
    expect(state.reads).toBe(2)
  })

  it('does not keep a failure', async () => {
    const failing = [true, false]
    const { cache } = aCache(async () => {
      if (failing.shift() === true) throw new Error('away')
      return 'a key'
    })
    await expect(cache.find(hash)).rejects.toThrow('away')
    expect(await cache.find(hash)).toBe('a key')
    expect(cache.size()).toBe(1)
  })

  it('keeps a bounded number, and random keys push no good one out', async () => {
    const { cache, state } = aCache(async (asked) => (asked.equals(hash) ? 'a key' : undefined))
    await cache.find(hash)
    for (let n = 0; n < 5 * entriesMax; n++) await cache.find(randomBytes(32))
    expect(cache.size()).toBe(entriesMax + 1)
    const { reads } = state
    expect(await cache.find(hash)).toBe('a key')
    expect(state.reads).toBe(reads)
  })
})
