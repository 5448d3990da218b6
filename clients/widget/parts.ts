import { button, make, setClass } from './dom.ts'
import type { Flow } from './flow.ts'
import type { Step } from './store.ts'

type Attributes = Readonly<Record<string, unknown>>

/** A labelled field that shows what was entered in it before. */
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
  /** What was chosen so far. */
  readonly summary: HTMLElement
  readonly onward: string
  readonly back?: Step | undefined
}

/** Always in reach: what was chosen so far, and the ways back and on. */
export function bar({ begin, texts: { t } }: Flow, { summary, onward, back }: Bar) {
  setClass(summary, 'summary')
  const goBack = back && button(t('back'), () => void begin(back))
  const submit = make('button', { type: 'submit', className: 'primary' }, onward)
  return { submit, element: make('div', { className: 'bar' }, summary, goBack, submit) }
}

/** A step with its heading, to which the keyboard is taken. */
export function section(title: string, ...children: readonly (Node | undefined)[]): HTMLElement {
  const heading = make('h2', { id: 'title', tabIndex: -1 }, title)
  return make('section', { className: 'step', 'aria-labelledby': 'title' }, heading, ...children)
}

/** Names and what they are, as far as that is known. */
export const facts = (pairs: readonly (readonly [string, Node | string | null | undefined])[]) =>
  pairs.flatMap(([name, value]) => (value ? [make('dt', {}, name), make('dd', {}, value)] : []))

export const input = (name: string, attributes: Attributes = {}) =>
  make('input', { name, ...attributes })
