import type { Flow } from '../flow.ts'
import { arrange } from '../order.ts'
import { button, make } from '../ui/dom.ts'
import { attempts, type Task } from '../ui/form.ts'
import { section } from '../ui/parts.ts'
import { periodControl } from '../ui/periodControl.ts'
import { skeletonCards } from '../ui/skeleton.ts'
import { isSoldOut, type Search } from '../vehicles.ts'
import { vehicleCard } from './vehicleCard.ts'
import { filterControls } from './vehicleFilters.ts'

/** Returns the step with the vehicles of a search. */
export function vehicleStep(flow: Flow, search: Search): HTMLElement {
  const { t, message } = flow.texts
  let current = search
  // The sheet of the period has no button for the search, and a notice needs one to retry.
  const again = button('', () => attempt(again, searching))
  again.hidden = true
  const more = button(t('more'), () => attempt(more, loading))
  const period = periodControl(flow, () => again.click())
  const filters = make('div', { className: 'filters' })
  const found = make('p', { className: 'found', role: 'status' })
  const list = make('ul', { className: 'vehicles' })
  const form = make('form', {}, period.element, filters)
  const { notice, attempt } = attempts(flow, form)

  const searching: Task = {
    progress: () => 'finding',
    async run() {
      list.replaceChildren(...skeletonCards().children)
      await flow.open('vehicle').finally(showList)
    },
    resumes: true,
  }
  const loading: Task = {
    progress: () => 'finding',
    async run() {
      current = await current.more()
      flow.found = current
      showAll()
    },
  }
  const otherDates = button(t('otherDates'), () => period.element.click(), 'primary')
  const nothing = make('div', { className: 'empty' }, make('h3', {}, t('allSoldOut')), otherDates)
  function showAll(): void {
    const { vehicles, hasMore } = current
    nothing.hidden = hasMore || vehicles.length === 0 || !vehicles.every(isSoldOut)
    filters.replaceChildren(...(nothing.hidden ? filterControls(flow, current) : []), found)
    more.hidden = !hasMore
    showList()
  }
  function showList(): void {
    const shown = arrange(current, flow.visit.fields)
    list.replaceChildren(...shown.map((vehicle) => vehicleCard(flow, current, vehicle, attempt)))
    const { length: total } = shown
    if (!nothing.hidden) found.textContent = t('available', { count: 0, total })
    else found.textContent = total === 0 ? t('none') : message('found', { count: total })
  }
  showAll()
  form.addEventListener('input', showList)
  form.onsubmit = (event) => event.preventDefault()
  const note = make('p', { className: 'hint' }, taxNote(flow), ' ', t('guide'))
  form.append(again, notice, nothing, list, more, note)
  return section(t('titleVehicle'), form, period.sheet)
}

/** Returns the sentence about the tax in all prices. */
function taxNote({ config, texts }: Flow): string {
  const { pricesIncludeTax, taxPercent } = config
  if (pricesIncludeTax) return texts.t('taxInside')
  if (taxPercent === undefined) return texts.t('taxOpen')
  return texts.t('withTax', { percent: texts.percent(taxPercent) })
}
