/** The element that index.html promises. */
export function byId<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`The page has no ${type.name} with the id ${id}`)
}

type Child = Node | string | undefined

/** Makes an element; text is only ever set as text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Shows a section and takes keyboards and screen readers to its heading. */
export function goTo(section: HTMLElement): void {
  section.hidden = false
  const heading = section.querySelector<HTMLElement>('h1, h2')
  heading?.focus({ preventScroll: true })
  section.scrollIntoView({ block: 'start' })
}

/** Says something to screen readers that eyes can see elsewhere. */
export function announce(text: string): void {
  byId('announcer', HTMLElement).textContent = text
}

/** Marks where the visitor is. */
export function markStep(name: 'Dates' | 'Vehicle' | 'Price' | 'Booking'): void {
  for (const item of byId('steps', HTMLElement).children) {
    if (item.textContent === name) item.setAttribute('aria-current', 'step')
    else item.removeAttribute('aria-current')
  }
}
