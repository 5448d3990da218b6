import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepLooking } from '../../src/services/keepLooking.ts'

it('who watches looks at once where there is more, and else leaves the database alone for a while', async () => {
  const end = new AbortController()
  let looks = 0
  const seen = keepLooking(
    async () => ++looks,
    { signal: end.signal, onAvailability() {} },
    (look) => look < 3,
  )
  for (let look = 1; look <= 3; look++) {
    expect(await Promise.race([seen.next(), nextTurn('a pause')])).toMatchObject({ value: look })
  }
  const pausing = seen.next()
  expect(await Promise.race([pausing, nextTurn('a pause')])).toBe('a pause')
  end.abort()
  expect(await pausing).toMatchObject({ done: true })
  expect(looks).toBe(3)
})
