import type { Flow } from '../flow.ts'
import { button, make, setClass } from './dom.ts'
import type { Bar } from './types.ts'

/** Returns the last row of a form: the choices so far, and the Back and submit buttons. */
export function bar({ begin, texts }: Flow, { summary, onward, back }: Bar) {
  if (summary) setClass(summary, 'summary')
  const goBack = back && button(texts.t('back'), () => void begin(back), 'quiet back')
  const submit = make('button', { type: 'submit', className: 'primary' }, onward)
  return { submit, goBack, element: make('div', { className: 'bar' }, summary, goBack, submit) }
}
