const secondMs = 1000
const warningSeconds = 120

interface CountdownOptions {
  /** Told of each second that is left, and of 0. */
  tick(secondsLeft: number): void
  /** Told once, when little is left. */
  warn(): void
}

/**
 * Counts a price's life down. Stop it by the function it returns.
 */
export function countdown(endMs: number, { tick, warn }: CountdownOptions): () => void {
  let warned = false
  const update = () => {
    const left = Math.max(0, Math.floor((endMs - Date.now()) / secondMs))
    if (left <= warningSeconds && left > 0 && !warned) {
      warned = true
      warn()
    }
    tick(left)
  }
  const timer = setInterval(update, secondMs)
  queueMicrotask(update)
  return () => clearInterval(timer)
}
