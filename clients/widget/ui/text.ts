import type { Flow } from '../flow.ts'
import { make } from './dom.ts'
import { catalogName } from './parts.ts'

/**
 * Returns the name of a vehicle class. Many companies write a class and a model in one, such as "Compact: VW
 * Golf or similar".
 */
export function vehicleName(flow: Pick<Flow, 'namesLang'>, name: string): Node[] {
  const [title = '', model] = name.split(/\s*:\s+(.*)/)
  const small = model ? [make('small', {}, catalogName(flow, model))] : []
  return [catalogName(flow, title), ...small]
}

/** Stands for a price or a link in a message. */
export const mark = '\u0000'

/** Returns a text in which a price stands out. `text` has the mark in its place. */
export function withPrice(text: string, price: string): (Node | string)[] {
  const [before = '', after = ''] = text.split(mark)
  return [before, make('strong', {}, price), make('small', {}, after.trim())]
}
