import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepLooking } from '../../src/services/keepLooking.ts'

/** What is given without a wait, or else that it pauses. */
const atOnce = <T>(next: Promise<T>) => Promise.race([next, nextTurn('a pause')])

it('who watches looks at once where there is more, and else leaves the database alone for a while', async () => {
  const end = new AbortController()
  let looks = 0
  const seen = keepLooking(
    async () => ++looks,
    { signal: end.signal, onAvailability: expect.unreachable },
    (look) => look < 3,
  )
  for (let look = 1; look <= 3; look++) {
    expect(await atOnce(seen.next())).toMatchObject({ value: look })
  }
  const pausing = seen.next()
  expect(await atOnce(pausing)).toBe('a pause')
  end.abort()
  expect(await atOnce(pausing)).toMatchObject({ done: true })
  expect(looks).toBe(3)
})

it('who watches says once that the database is away and once that it is back, and looks again after a while', async () => {
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  const looks: unknown[] = [away, away, 'news', away, 'more']
  const told: unknown[] = []
  const end = new AbortController()
  const read = async () => {
    const look = looks.shift()
    if (look instanceof Error) throw look
    return look
  }
  const seen = keepLooking(read, { signal: end.signal, onAvailability: (why) => told.push(why) })
  const news = seen.next()
  expect(await atOnce(news)).toBe('a pause')
  expect((await news).value).toBe('news')
  expect(told).toEqual([away, undefined])
  const more = seen.next()
  expect(await atOnce(more)).toBe('a pause')
  expect(told).toHaveLength(2)
  expect((await more).value).toBe('more')
  expect(told).toEqual([away, undefined, away, undefined])
  looks.push(new Error('no trouble that passes'))
  await expect(seen.next()).rejects.toThrow('no trouble that passes')
})
