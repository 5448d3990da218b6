import { announce, make } from './dom.ts'
import type { Problem } from './messages.ts'

/** The place of a section where its problems are told. */
export interface Notice {
  show(problem: Problem, retry: () => void): void
  clear(): void
}

const tickMs = 1000
/** Beyond it nobody counts seconds. */
const secondsMax = 180

export function noticeOf(section: HTMLElement): Notice {
  const place = section.querySelector<HTMLElement>('.notice')
  if (place === null) throw new Error(`The section ${section.id} has no place for notices`)
  let timer: ReturnType<typeof setInterval> | undefined

  function clear(): void {
    clearInterval(timer)
    place?.replaceChildren()
  }
  return {
    clear,
    show({ text, remedy, waitSeconds = 0 }, retry) {
      clear()
      // The button stays outside the alert: its countdown is not to be read out every second.
      const alert = make('div', { role: 'alert' }, make('p', { textContent: text }))
      const problem = make('div', { className: 'problem' }, alert)
      place.append(problem)
      problem.scrollIntoView({ block: 'nearest' })
      if (remedy !== 'retry') return
      const button = make('button', { type: 'button', textContent: 'Try again' })
      button.addEventListener('click', () => {
        if (button.ariaDisabled !== 'true') retry()
      })
      problem.append(button)
      if (waitSeconds > 0) timer = countDown(button, waitSeconds)
    },
  }
}

const wait = (seconds: number) =>
  seconds < secondsMax ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`

function countDown(button: HTMLButtonElement, seconds: number): ReturnType<typeof setInterval> {
  const readyMs = Date.now() + seconds * tickMs
  const timer = setInterval(tick, tickMs)
  function tick(): void {
    const left = Math.ceil((readyMs - Date.now()) / tickMs)
    button.ariaDisabled = String(left > 0)
    button.textContent = left > 0 ? `Try again in ${wait(left)}` : 'Try again'
    if (left > 0) return
    clearInterval(timer)
    announce('You can try again now.')
  }
  tick()
  return timer
}
