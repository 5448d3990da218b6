const namespace = 'http://www.w3.org/2000/svg'

/** Returns a filled shape, which screen readers skip. */
export function icon(width: number, height: number, path: string): SVGSVGElement {
  const element = document.createElementNS(namespace, 'svg')
  element.setAttribute('viewBox', `0 0 ${width} ${height}`)
  element.setAttribute('aria-hidden', 'true')
  const shape = document.createElementNS(namespace, 'path')
  shape.setAttribute('fill-rule', 'evenodd')
  shape.setAttribute('d', path)
  element.append(shape)
  return element
}
