import { announce, byId } from './dom.ts'
import { minutesAndSeconds } from './format.ts'

const secondMs = 1000
const warningSeconds = 120

/**
 * Counts down to the moment a price expires. How long that takes is measured from when it came:
 * a visitor's clock may be wrong, and then the API alone decides.
 */
export function countdown(onExpired: () => void) {
  const text = byId('countdown', HTMLElement)
  let timer: ReturnType<typeof setInterval> | undefined

  function stop(): void {
    clearInterval(timer)
  }
  function expire(): void {
    stop()
    text.className = 'countdown over'
    text.textContent = 'This price has expired.'
    onExpired()
  }
  function start(expiresAt: string): void {
    stop()
    const endMs = Date.parse(expiresAt)
    text.className = 'countdown'
    text.textContent = 'This price is good for a limited time.'
    if (endMs <= Date.now()) return
    const tick = () => {
      const left = Math.ceil((endMs - Date.now()) / secondMs)
      if (left <= 0) return expire()
      if (left === warningSeconds) announce('This price expires in two minutes.')
      text.textContent = `Price good for ${minutesAndSeconds(left)} minutes.`
    }
    timer = setInterval(tick, secondMs)
    tick()
  }
  return { start, stop, expire }
}
