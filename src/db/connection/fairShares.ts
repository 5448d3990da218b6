import { Unavailable } from '../../domain/errors.ts'

interface FairSharesOptions {
  readonly total: number
  readonly perKey: number
  /** How long a task may wait for a connection. */
  readonly waitMs: number
}

interface KeyState {
  running: number
  /** Start the waiting tasks, first come first served. */
  readonly waiting: Set<() => void>
}

export type FairShares = ReturnType<typeof fairShares>

/**
 * Returns a function that runs tasks on a limited number of connections, a few for each key. Keys
 * with waiting tasks take turns, so that a key with many tasks delays only its own.
 */
export function fairShares({ total, perKey, waitMs }: FairSharesOptions) {
  /** The keys with tasks, in the order of their turns. */
  const keys = new Map<string, KeyState>()
  let free = total

  function startWaiting(): void {
    // Visits again the keys that `take` moves to the end.
    for (const [key, state] of keys) {
      if (free === 0) return
      const [start] = state.waiting
      if (start === undefined || state.running === perKey) continue
      state.waiting.delete(start)
      take(key, state)
      start()
    }
  }

  /** Takes a connection, and moves the key behind the others. */
  function take(key: string, state: KeyState): void {
    free -= 1
    state.running += 1
    keys.delete(key)
    keys.set(key, state)
  }

  function release(key: string, state: KeyState): void {
    free += 1
    state.running -= 1
    startWaiting()
    dropIfIdle(key, state)
  }

  function dropIfIdle(key: string, { running, waiting }: KeyState): void {
    if (running === 0 && waiting.size === 0) keys.delete(key)
  }

  function waitForTurn(key: string, state: KeyState): Promise<void> {
    const { waiting } = state
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        dropIfIdle(key, state)
        reject(new Unavailable('database_share'))
      }, waitMs)
      waiting.add(start)
    })
  }

  /**
   * Runs the task when a connection is free for its key.
   * @throws Unavailable when none becomes free in time
   */
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const state = keys.get(key) ?? { running: 0, waiting: new Set() }
    keys.set(key, state)
    if (free > 0 && state.running < perKey) take(key, state)
    else await waitForTurn(key, state)
    try {
      return await task()
    } finally {
      release(key, state)
    }
  }
}
