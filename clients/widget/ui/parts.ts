import { translated } from '../choices.ts'
import type { Flow } from '../flow.ts'
import { make } from './dom.ts'

type Attributes = Readonly<Record<string, unknown>>

/** Returns a labelled field with the value that the visitor entered before. */
export function field(
  { visit }: Pick<Flow, 'visit'>,
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

export const input = (name: string, attributes: Attributes = {}) =>
  make('input', { name, ...attributes })

/** Returns a step with a heading that can receive the focus. */
export function section(title: string, ...children: readonly (Node | undefined)[]): HTMLElement {
  const heading = make('h2', { id: 'title', tabIndex: -1 }, title)
  return make('section', { className: 'step', 'aria-labelledby': 'title' }, heading, ...children)
}

/** Returns a text from the catalog, marked with its language if that is not the widget's, and with its direction. */
export const catalogName = ({ namesLang }: Pick<Flow, 'namesLang'>, name: string) =>
  make('bdi', { lang: namesLang }, name)

export const link = (href: string, text: string) =>
  make('a', { href, target: '_blank', rel: 'noopener' }, text)

/** Returns an e-mail address or a link that wraps after its @ or #. */
export function breakable(text: string): (Node | string)[] {
  const [name = '', ...host] = text.split(/(?<=[@#])/)
  return [name, ...host.flatMap((part) => [make('wbr'), part])]
}

/** Returns links to the telephone number and the e-mail address of a contact. */
export function contactLinks(contact: string): (Node | string)[] {
  const parts = contact.split(',').map((part) => part.trim())
  return parts.filter(Boolean).flatMap((text) => {
    const href = text.includes('@') ? `mailto:${text}` : `tel:${text.replaceAll(/[^+\d]/g, '')}`
    return [' ', make('a', { href, dir: 'ltr' }, ...breakable(text))]
  })
}

/** Returns the address of the station in one line; undefined if it is unknown. */
export function stationLine({ config, texts: { t, lang } }: Pick<Flow, 'config' | 'texts'>) {
  const { address } = translated(config, lang)
  const line = address?.replaceAll(/,?\n/g, ', ')
  return line ? make('p', { className: 'hint' }, `${t('station')}: ${line}`) : undefined
}

/** Returns the contact and the documents of the rental company. */
export function footer({ links, texts: { t } }: Pick<Flow, 'links' | 'texts'>): HTMLElement {
  const { contact, termsUrl, privacyUrl } = links
  return make(
    'div',
    { className: 'foot' },
    ...(contact ? [t('contact'), ...contactLinks(contact)] : []),
    termsUrl && link(termsUrl, t('terms')),
    privacyUrl && link(privacyUrl, t('privacy')),
  )
}
