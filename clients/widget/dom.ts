type Child = Node | string | null | undefined | false

/** Makes an element; text is only ever set as text. `aria-…`, `for` and `part` are attributes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue
    if (name in element) (element as unknown as Record<string, unknown>)[name] = value
    else element.setAttribute(name, value as string)
  }
  if (element.className) setClass(element, element.className)
  element.append(...(children.filter(Boolean) as (Node | string)[]))
  return element
}

/** Named alike in CSS from within and from without. */
export function setClass(element: HTMLElement, name: string): void {
  element.part = element.className = name
}

/** One that does not send the form around it. */
export const button = (text: string, onclick: () => unknown, className?: string) =>
  make('button', { type: 'button', onclick, className }, text)

/** Shows screen readers and the keyboard where a new step begins. */
export function goTo(section: HTMLElement): void {
  section.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  section.scrollIntoView({ block: 'start' })
}
