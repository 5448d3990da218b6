import { translated } from '../choices.ts'
import type { Flow } from '../flow.ts'
import { make } from '../ui/dom.ts'

/** Returns the short facts of the tenant as a list; undefined without any. */
export function factList({ config, texts }: Flow): HTMLElement | undefined {
  const { facts } = translated(config, texts.lang)
  if (!facts?.length) return undefined
  const items = facts.map((fact) => make('li', {}, fact))
  return make('ul', { className: 'promises' }, ...items)
}
