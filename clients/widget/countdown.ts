const secondMs = 1000
const warningSeconds = 120

/**
 * Counts down to `endMs`. Calls `tick` every second with the seconds left, and `warn` once in the
 * last two minutes. Returns a function that stops the countdown.
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
