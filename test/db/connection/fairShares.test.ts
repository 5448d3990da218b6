import { describe, expect, it } from 'vitest'
import { fairShares } from '../../../src/db/connection/fairShares.ts'

const long = 60_000

/** Returns a function that starts a task of a key, and the order in which the tasks were started. */
function tasksIn(run: ReturnType<typeof fairShares>) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string) =>
    run(name.charAt(0), () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  /** Ends a task, and waits until the tasks that this allows are started. */
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { start, end, started }
}

describe('fairShares', () => {
  it('runs at most `perKey` tasks of a key and `total` of all, and lets waiting keys take turns', async () => {
    const { start, end, started } = tasksIn(fairShares({ total: 3, perKey: 2, waitMs: long }))
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']
    const all = names.map((name) => start(name))
    expect(started).toEqual(['a1', 'a2', 'b1'])
    await end('a1')
    expect(started.slice(3)).toEqual(['a3'])
    await end('a2')
    expect(started.slice(4)).toEqual(['b2'])
    await end('b1')
    expect(started.slice(5)).toEqual(['c1'])
    await end('a3')
    expect(started.slice(6)).toEqual(['a4'])
    for (const name of ['a4', 'b2', 'c1']) await end(name)
    await Promise.all(all)
  })

  it('rejects a task with SERVICE_UNAVAILABLE when no connection becomes free in time', async () => {
    const { start, end, started } = tasksIn(fairShares({ total: 2, perKey: 1, waitMs: 20 }))
    const first = start('a1')
    await expect(start('a2')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const other = start('b1')
    await end('a1')
    const third = start('a3')
    expect(started).toEqual(['a1', 'b1', 'a3'])
    for (const name of ['b1', 'a3']) await end(name)
    await Promise.all([first, other, third])
  })

  it('frees the connection of a task that fails', async () => {
    const run = fairShares({ total: 1, perKey: 1, waitMs: long })
    const failing = run('a', () => Promise.reject(new Error('broken')))
    const next = run('b', async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
  })
})
