const secondMs = 1000
const warningSeconds = 120

/**
 * Counts a price's life down: `tick` is told of each second that is left, and of 0, and `warn` once,
 * when little is left. Stop it by the function it returns.
 */
export function countdown(
  endMs: number,
  tick: (secondsLeft: number) => void,
  warn: () => void,
): () => void {
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
