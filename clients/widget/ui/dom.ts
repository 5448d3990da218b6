type Child = Node | string | null | undefined | false

/**
 * Creates an element. Strings become text, never HTML. Names that are not properties of the element,
 * such as `for`, become attributes.
 */
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
  if (element.className) setClass(element, element.className)
  for (const child of children) if (child) element.append(child)
  return element
}

/** Sets the class and the part of an element, so that pages can style it with `::part`. */
export function setClass(element: HTMLElement, name: string): void {
  element.className = name
  element.setAttribute('part', name)
}

/** Creates a button that does not submit its form. */
export const button = (text: string, onclick: () => unknown, className?: string) =>
  make('button', { type: 'button', onclick, className }, text)
