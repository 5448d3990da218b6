import { chosenGroup, chosenVehicle } from '../choices.ts'
import type { Flow } from '../flow.ts'
import type { ChosenExtra, Guide } from '../lazy/guide.ts'
import type { Texts } from '../texts.ts'
import { button, make } from '../ui/dom.ts'
import { type Attempt, attempts, type Task } from '../ui/form.ts'
import { field, input, section, select } from '../ui/parts.ts'
import { periodControl } from '../ui/periodControl.ts'
import { skeletonCards } from '../ui/skeleton.ts'
import type { Search, Vehicle } from '../vehicles.ts'

const fewMax = 3

/** Returns the step with the vehicles of a search. `keep` receives a search with more vehicles. */
export function vehicleStep(
  flow: Flow,
  search: Search,
  keep: (search: Search) => void,
): HTMLElement {
  const { t, message } = flow.texts
  let current = search
  // The sheet of the period has no button for the search, and a notice needs one to retry.
  const again = button('', () => attempt(again, searching))
  again.hidden = true
  const period = periodControl(flow, () => again.click())
  const list = make('ul', { className: 'vehicles' })
  const found = make('p', { className: 'found', role: 'status' })
  const filters = make('div', { className: 'filters' })
  const form = make('form', {}, period.element, filters)
  const { notice, attempt } = attempts(flow, form)
  const searching: Task = { progress: () => 'finding', run: searchAgain, resumes: true }
  const more = button(t('more'), () =>
    attempt(more, {
      progress: () => 'finding',
      async run() {
        current = await current.more()
        keep(current)
        showFilters()
        show()
      },
    }),
  )
  async function searchAgain(): Promise<void> {
    list.replaceChildren(...skeletonCards().children)
    await flow.open('vehicle').finally(show)
  }
  function show(): void {
    const shown = arrange(flow, current)
    list.replaceChildren(...shown.map((vehicle) => card(flow, current, vehicle, attempt)))
    found.textContent =
      current.vehicles.length === 0 ? t('none') : message('found', { count: shown.length })
    more.hidden = !current.hasMore
  }
  function showFilters(): void {
    filters.replaceChildren(...filterControls(flow, current), found)
  }
  showFilters()
  show()
  form.addEventListener('input', show)
  form.onsubmit = (event) => event.preventDefault()
  form.append(
    again,
    notice,
    list,
    more,
    make('p', { className: 'hint' }, taxNote(flow), ' ', t('guide')),
  )
  return section(t('titleVehicle'), form, period.sheet)
}

/** Returns the chips of the categories and the order, each if there is a choice. */
function filterControls(flow: Flow, { vehicles }: Search): HTMLElement[] {
  const { t } = flow.texts
  const categories = [...new Set(vehicles.map(({ group }) => group.category))]
  const controls: HTMLElement[] = []
  if (categories.length > 1) {
    const chosen = flow.visit.fields['category'] ?? ''
    const known = categories.includes(chosen) ? chosen : ''
    const chips = ['', ...categories].map((value) =>
      make(
        'label',
        { className: 'chip' },
        input('category', { type: 'radio', value, checked: value === known }),
        make('span', {}, value || t('all')),
      ),
    )
    controls.push(
      make(
        'fieldset',
        { className: 'chips' },
        make('legend', { className: 'unseen' }, t('category')),
        ...chips,
      ),
    )
  }
  if (vehicles.length > 1) {
    const orders = [
      ['up', t('sortUp')],
      ['down', t('sortDown')],
      ['name', t('sortName')],
    ] as const
    controls.push(field(flow, select('order', orders), t('sort')))
  }
  return controls
}

/** Returns the vehicles of the chosen category in the chosen order, sold-out ones last. */
function arrange({ visit }: Flow, search: Search): Vehicle[] {
  const { category, order = 'up' } = visit.fields
  const isKnown = search.vehicles.some(({ group }) => group.category === category)
  const priceOf = (vehicle: Vehicle) => search.guide(vehicle)?.total ?? 0
  const sign = order === 'down' ? -1 : 1
  const compare = (a: Vehicle, b: Vehicle) =>
    (order === 'name' ? 0 : sign * (priceOf(a) - priceOf(b))) ||
    a.group.name.localeCompare(b.group.name)
  return search.vehicles
    .filter(({ group }) => !isKnown || group.category === category)
    .sort(
      (a, b) =>
        Number(b.availability.available) - Number(a.availability.available) || compare(a, b),
    )
}

/** Returns a card with one button, which covers the whole card. */
function card(flow: Flow, search: Search, vehicle: Vehicle, attempt: Attempt): HTMLElement {
  const { t } = flow.texts
  const { id, name, description, imageUrl } = vehicle.group
  const lang = flow.namesLang
  const { available, availableCount: count } = vehicle.availability
  const hasPhotos = search.vehicles.some(({ group }) => group.imageUrl)
  const isChosen = vehicle === chosenVehicle(flow, search)
  const choose = make(
    'button',
    {
      type: 'button',
      id: `choose-${id}`,
      className: 'choose',
      'aria-labelledby': `choose-${id} name-${id}`,
      'aria-describedby': `price-${id}`,
      'aria-current': isChosen ? 'true' : undefined,
    },
    t('select'),
  )
  choose.onclick = () => {
    flow.visit.fields[chosenGroup] = id
    flow.visit.save()
    void attempt(choose, {
      progress: () => 'pricing',
      run: () => flow.open('extras'),
      resumes: true,
    })
  }
  return make(
    'li',
    { className: `card ${available ? 'free' : 'sold-out'}` },
    imageUrl
      ? make('img', { className: 'photo', src: imageUrl, alt: '', loading: 'lazy' })
      : hasPhotos && make('div', { className: 'photo' }),
    make('h3', { id: `name-${id}`, lang }, name),
    description && make('p', { className: 'hint', lang }, description),
    available &&
      count <= fewMax &&
      make('span', { className: 'few' }, flow.texts.message('few', { count })),
    make(
      'div',
      { className: 'buy' },
      make(
        'p',
        { id: `price-${id}`, className: 'price' },
        available && price(flow, search, vehicle),
      ),
      available ? choose : make('span', { className: 'none' }, t('soldOut')),
    ),
  )
}

function price(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement | undefined {
  const guide = search.guide(vehicle)
  if (guide === undefined) return undefined
  const { t, money } = flow.texts
  const { total, perDay, currency, sample } = guide
  const day = t('perDay', { price: money(perDay, currency, sample) })
  return make(
    'span',
    {},
    make('strong', {}, money(total, currency, sample)),
    make('small', {}, day),
  )
}

/** Returns the sentence about the tax in all prices. */
function taxNote({ config, texts }: Flow): string {
  const { pricesIncludeTax, taxPercent } = config
  if (pricesIncludeTax) return texts.t('taxInside')
  if (taxPercent === undefined) return texts.t('taxOpen')
  return texts.t('withTax', { percent: texts.percent(taxPercent) })
}

function totalText({ t, money, length }: Texts, guide: Guide): string {
  const { total, currency, sample, days, hours } = guide
  return t('total', { price: money(total, currency, sample), length: length(days, hours) })
}

/** Returns the vehicle's name and its estimated price. */
export function describe(
  { texts, namesLang }: Flow,
  search: Search,
  vehicle: Vehicle,
  chosen: readonly ChosenExtra[] = [],
): (string | HTMLElement)[] {
  const guide = search.guide(vehicle, chosen)
  const name = make('span', { lang: namesLang }, vehicle.group.name)
  return guide === undefined ? [name] : [name, make('strong', {}, totalText(texts, guide))]
}
