type Child = Node | string | undefined

/** Makes an element; text is only ever set as text. `aria-…`, `for` and `part` are attributes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue
    if (name in element) Reflect.set(element, name, value)
    else element.setAttribute(name, String(value))
  }
  // Named alike in CSS from within and from without.
  if (element.className !== '') element.setAttribute('part', element.className)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Shows screen readers and the keyboard where a new step begins. */
export function goTo(section: HTMLElement): void {
  section.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  section.scrollIntoView({ block: 'start' })
}
