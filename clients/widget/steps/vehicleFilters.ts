import type { Flow } from '../flow.ts'
import { categoriesOf, chosenCategory } from '../order.ts'
import { make } from '../ui/dom.ts'
import { catalogName, field, input, select } from '../ui/parts.ts'
import type { Search } from '../vehicles.ts'

/**
 * Returns the chips of the categories and the order, each if there is a choice. Vehicles that are not
 * loaded yet could be cheaper than all others, so until all are loaded there is neither.
 */
export function filterControls(flow: Flow, search: Search): HTMLElement[] {
  if (search.hasMore) return []
  const controls: HTMLElement[] = []
  const priced = search.vehicles.filter((vehicle) => search.guide(vehicle))
  if (categoriesOf(search).length > 1) controls.push(categoryChips(flow, search))
  if (priced.length > 1) controls.push(orderList(flow))
  return controls
}

function categoryChips(flow: Flow, search: Search): HTMLElement {
  const { visit, texts } = flow
  const chosen = chosenCategory(search, visit.fields)
  const chips = ['', ...categoriesOf(search)].map((value) =>
    make(
      'label',
      { className: 'chip' },
      input('category', { type: 'radio', value, checked: value === chosen }),
      make('span', {}, value ? catalogName(flow, value) : texts.t('all')),
    ),
  )
  const legend = make('legend', { className: 'unseen' }, texts.t('category'))
  return make('fieldset', { className: 'chips' }, legend, ...chips)
}

function orderList(flow: Flow): HTMLElement {
  const { t } = flow.texts
  const orders = [
    ['up', t('sortUp')],
    ['down', t('sortDown')],
    ['name', t('sortName')],
  ] as const
  return field(flow, select('order', orders), t('sort'))
}
