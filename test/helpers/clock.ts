/** A clock that advances only by `advanceSeconds`. */
export interface TestClock {
  now(): Date
  advanceSeconds(seconds: number): void
}

export function testClock(start = new Date()): TestClock {
  let current = start.getTime()
  return {
    now: () => new Date(current),
    advanceSeconds(seconds) {
      current += seconds * 1000
    },
  }
}
