import { button, make, setClass } from './dom.ts'
import type { Flow } from './flow.ts'
import type { Step } from './store.ts'

type Attributes = Readonly<Record<string, unknown>>

/** Returns a labelled field with the value that the visitor entered before. */
export function field(
  { visit }: Flow,
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  label: string,
  hint?: string,
): HTMLElement {
  const { name } = control
  control.id = name
  control.value = visit.fields[name] || control.value
  return make(
    'div',
    { className: 'field' },
    make('label', { for: name }, label, hint && make('small', { className: 'hint' }, ` ${hint}`)),
    control,
  )
}

export function select(name: string, options: readonly (readonly [value: string, text: string])[]) {
  const list = options.map(([value, text]) => make('option', { value }, text))
  return make('select', { name }, ...list)
}

export interface Bar {
  readonly summary: HTMLElement
  readonly onward: string
  readonly back?: Step | undefined
}

/** Returns the sticky bar of a step: the choices so far, and the Back and submit buttons. */
export function bar({ begin, texts: { t } }: Flow, { summary, onward, back }: Bar) {
  setClass(summary, 'summary')
  const goBack = back && button(t('back'), () => void begin(back))
  const submit = make('button', { type: 'submit', className: 'primary' }, onward)
  return { submit, element: make('div', { className: 'bar' }, summary, goBack, submit) }
}

/** Returns a step with a heading that can receive the focus. */
export function section(title: string, ...children: readonly (Node | undefined)[]): HTMLElement {
  const heading = make('h2', { id: 'title', tabIndex: -1 }, title)
  return make('section', { className: 'step', 'aria-labelledby': 'title' }, heading, ...children)
}

/** Returns the items of a description list, without those that have no value. */
export const facts = (pairs: readonly (readonly [string, Node | string | null | undefined])[]) =>
  pairs.flatMap(([name, value]) => (value ? [make('dt', {}, name), make('dd', {}, value)] : []))

export const input = (name: string, attributes: Attributes = {}) =>
  make('input', { name, ...attributes })
