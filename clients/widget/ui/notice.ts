import type { Flow } from '../flow.ts'
import { button, make } from './dom.ts'
import { contactLinks } from './parts.ts'
import type { Notice } from './types.ts'

const tickMs = 1000
/** Longer waits are shown in minutes. */
const secondsMax = 180

/** Returns an empty notice. Its retry button counts down while a retry is not yet allowed. */
export function noticeOf(flow: Pick<Flow, 'texts' | 'announce' | 'links'>): Notice {
  const { texts, announce, links } = flow
  const { t, message, count } = texts
  const element = make('div')
  let shown = new AbortController()

  function clear(): void {
    shown.abort()
    shown = new AbortController()
    element.replaceChildren()
  }
  function countDown(button: HTMLButtonElement, seconds: number): void {
    const readyMs = Date.now() + seconds * tickMs
    const tick = () => {
      const left = Math.ceil((readyMs - Date.now()) / tickMs)
      const wait = left < secondsMax ? count(left, 'second') : count(Math.ceil(left / 60), 'minute')
      const isEarly = left > 0
      button.ariaDisabled = `${isEarly}`
      button.textContent = isEarly ? t('retryIn', { wait }) : t('retry')
      if (isEarly) return
      clearInterval(timer)
      announce(t('retryNow'))
    }
    const timer = setInterval(tick, tickMs)
    shown.signal.addEventListener('abort', () => clearInterval(timer))
    tick()
  }
  function ownButton(retry = () => {}): HTMLButtonElement {
    const own = button(t('retry'), () => own.ariaDisabled !== 'true' && retry())
    return own
  }
  function borrow(offered: HTMLButtonElement): void {
    const usual = offered.textContent
    offered.textContent = t('retry')
    shown.signal.addEventListener('abort', () => {
      offered.textContent = usual
      offered.ariaDisabled = null
    })
  }
  return {
    element,
    clear,
    show({ text, remedy, waitSeconds = 0, reference = '', days = 0 }, retry, resumes, offered) {
      clear()
      // The button is outside the alert, so that screen readers do not read every second aloud.
      const alert = make(
        'div',
        { role: 'alert' },
        make('p', {}, message(text, { reference, length: count(days, 'day') })),
      )
      const problem = make('div', { className: 'problem' }, alert)
      element.append(problem)
      if (remedy === 'retry') {
        const again = offered ?? ownButton(retry)
        if (offered) borrow(offered)
        else problem.append(again)
        if (waitSeconds > 0) countDown(again, waitSeconds)
        if (resumes && text === 'errorNetwork') {
          const { signal } = shown
          addEventListener('online', () => element.isConnected && retry?.(), { signal })
        }
      } else if (links.contact && !/Fields|Quote/.test(text))
        problem.append(make('p', {}, ...contactLinks(links.contact)))
      // At the edge of the view, the sticky bar would cover the message.
      problem.scrollIntoView({ block: 'center' })
    },
  }
}
