import { chosenGroup } from '../choices.ts'
import type { Fields } from '../config.ts'
import type { Flow } from '../flow.ts'
import { arrange } from '../order.ts'
import { button, make } from '../ui/dom.ts'
import { section } from '../ui/parts.ts'
import { skeletonCards } from '../ui/skeleton.ts'
import type { Task } from '../ui/types.ts'
import { isOfPeriod, isSoldOut, type Search } from '../vehicles.ts'
import { reportSearch } from './choiceEvents.ts'
import { factList } from './facts.ts'
import { freeDates } from './freeFrom.ts'
import { vehicleCard } from './vehicleCard.ts'
import { filterControls } from './vehicleFilters.ts'

/** Returns the step with the vehicles of a search. `isGone`: the vehicle of the page is not offered. */
export function vehicleStep(flow: Flow, search: Search, isGone = false): HTMLElement {
  const { texts, visit, config } = flow
  const { attempts, periodControl, periodOf } = flow.shared
  const { t, message } = texts
  let current = search
  const form = make('form')
  const place = make('div')
  const { notice, attempt } = attempts(flow, form)
  const searching: Task = {
    progress: () => 'finding',
    run: (wish) => flow.open('vehicle', wish),
    onProblem: () => list.replaceChildren(),
    resumes: true,
  }
  const loading: Task = {
    progress: () => 'finding',
    async run(wish) {
      const longer = await current.more(wish)
      wish.throwIfAborted()
      current = longer
      flow.found = longer
      showAll()
    },
  }
  // The dialog of the period has no button for the search, and a notice needs one to retry.
  const again = button('', () => attempt(again, searching))
  again.hidden = true
  const more = button(t('more'), () => attempt(more, loading))
  const find = freeDates(flow, flow.shown)
  const searchAgain = () => {
    if (isCurrent()) return
    showAll()
    again.click()
  }
  const take = (dates: Fields, id: string) => {
    Object.assign(visit.fields, dates, { [chosenGroup]: id })
    visit.save()
    period.show()
    searchAgain()
  }
  const period = periodControl(flow, place, attempt, searchAgain)
  const filters = make('div', { className: 'filters' })
  const found = make('p', { className: 'found', role: 'status' })
  const list = make('ul', { className: 'vehicles' })
  const otherDates = button(t('otherDates'), () => period.element.click(), 'primary')
  const nothing = make('div', { className: 'empty' }, make('h3', {}, t('allSoldOut')), otherDates)

  const isCurrent = () => isOfPeriod(current, periodOf(config, visit.fields))
  function showAll(): void {
    const isKnown = isCurrent()
    filters.replaceChildren(...(isKnown ? filterControls(flow, current) : []), found)
    more.hidden = !isKnown || !current.hasMore
    showList()
  }
  function showList(): void {
    nothing.hidden = true
    if (!isCurrent()) {
      // Vehicles of another period must not be chosen, even if the search for this one fails.
      found.textContent = ''
      list.replaceChildren(...skeletonCards().children)
      return
    }
    const shown = arrange(current, visit.fields)
    const cards = shown.map((vehicle) =>
      vehicleCard(flow, current, vehicle, attempt, { find, take }),
    )
    list.replaceChildren(...cards)
    const { length: total } = shown
    nothing.hidden = current.hasMore || total === 0 || !shown.every(isSoldOut)
    if (!nothing.hidden) found.textContent = t('available', { count: 0, total })
    else found.textContent = total === 0 ? t('none') : message('found', { count: total })
  }
  showAll()
  form.addEventListener('input', () => {
    flow.wish()
    showList()
  })
  form.onsubmit = (event) => event.preventDefault()
  const note = make('p', { className: 'hint' }, taxNote(flow), ' ', t('guide'))
  if (isGone) {
    const alert = make('p', { role: 'alert' }, t('errorGone'))
    form.append(make('div', { className: 'problem' }, alert))
  }
  reportSearch(flow, search)
  form.append(period.element, filters, again, notice, nothing, list, more, note)
  return section(t('titleVehicle'), form, factList(flow), place)
}

/** Returns the sentence about the tax in all prices. */
function taxNote({ config, texts }: Flow): string {
  const { pricesIncludeTax, taxPercent } = config
  if (pricesIncludeTax) return texts.t('taxInside')
  if (taxPercent === undefined) return texts.t('taxOpen')
  return texts.t('withTax', { percent: texts.percent(taxPercent) })
}
