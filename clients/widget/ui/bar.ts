import type { Flow } from '../flow.ts'
import { button, make, setClass } from './dom.ts'
import type { Bar } from './types.ts'

/** Returns the last row of a form: the choices so far, and the Back and submit buttons. */
export function bar(flow: Flow, { summary, onward, back }: Bar) {
  const { begin, texts } = flow
  if (summary) setClass(summary, 'summary')
  const goBack = back && button(texts.t('back'), () => void begin(back), 'quiet back')
  const submit = make('button', { type: 'submit', className: 'primary' }, onward)
  const element = make('div', { className: 'bar' }, summary, goBack, submit)
  if (summary) stickWhileLow(element, flow.signal)
  return { submit, goBack, element }
}

/** Keeps a bar in view unless it covers a quarter of the view, for example with large text. */
function stickWhileLow(element: HTMLElement, signal: AbortSignal): void {
  const update = () =>
    element.classList.toggle('sticky', element.offsetHeight < globalThis.innerHeight / 4)
  const observer = new ResizeObserver(update)
  observer.observe(element)
  addEventListener('resize', update, { signal })
}
