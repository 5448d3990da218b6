import { button, make } from '../dom.ts'
import type { Flow } from '../flow.ts'
import { onSubmit } from '../form.ts'
import type { ChosenExtra, Guide } from '../guide.ts'
import { input, section } from '../parts.ts'
import type { Texts } from '../texts.ts'
import type { Search, Vehicle } from '../vehicles.ts'

/** The name of the radio buttons, and the key of their value in the visit. */
export const chosenGroup = 'assetGroupId'
const fewMax = 3

/** Returns the chosen vehicle, if it is available. */
export const chosenVehicle = ({ visit }: Flow, { vehicles }: Search): Vehicle | undefined =>
  vehicles.find(
    ({ group, availability }) => availability.available && group.id === visit.fields[chosenGroup],
  )

/** Returns the step with the vehicles of a search. `keep` receives a search with more vehicles. */
export function vehicleStep(
  flow: Flow,
  search: Search,
  keep: (search: Search) => void,
): HTMLElement {
  const { texts } = flow
  const { t } = texts
  const list = make('div', { className: 'vehicles' })
  const summary = make('p')
  let current = search
  const more = button(t('more'), () =>
    attempt(more, {
      progress: () => 'finding',
      async run() {
        current = await current.more()
        keep(current)
        show()
      },
    }),
  )
  const show = () => {
    list.replaceChildren(...current.vehicles.map((vehicle) => card(flow, current, vehicle)))
    more.hidden = !current.hasMore
    submit.hidden = !current.vehicles.some(({ availability }) => availability.available)
  }
  const summarize = () => {
    const vehicle = chosenVehicle(flow, current)
    summary.replaceChildren(...(vehicle ? describe(flow, current, vehicle) : []))
  }
  summarize()
  const { vehicles } = search
  const form = make(
    'form',
    {},
    make('fieldset', {}, make('legend', {}, texts.period(search.period)), list),
    vehicles.length === 0 && make('p', {}, t('none')),
    more,
    make('p', { className: 'hint' }, t('guide')),
  )
  form.addEventListener('input', summarize)
  const { attempt, submit } = onSubmit(flow, {
    ...{ form, summary, onward: t('onward'), back: 'dates' },
    ...{ progress: () => 'pricing', run: () => flow.open('extras') },
  })
  show()
  return section(t('titleVehicle'), form)
}

/** Returns a card with a radio button, which is disabled for sold-out vehicles. */
function card(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement {
  const { id, name, description, imageUrl } = vehicle.group
  const { available } = vehicle.availability
  const radio = input(chosenGroup, { type: 'radio', value: id, disabled: !available })
  radio.required = true
  radio.checked = vehicle === chosenVehicle(flow, search)
  return make(
    'label',
    { className: 'vehicle' },
    imageUrl && make('img', { className: 'photo', src: imageUrl, alt: '', loading: 'lazy' }),
    radio,
    make('span', { className: 'name' }, name),
    description && make('span', { className: 'hint' }, description),
    available && price(flow, search, vehicle),
    free(flow, vehicle),
  )
}

function price(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement | undefined {
  const guide = search.guide(vehicle)
  if (guide === undefined) return undefined
  const { texts } = flow
  const { perDay, currency, sample } = guide
  const day = texts.t('perDay', { price: texts.money(perDay, currency, sample) })
  return make('span', { className: 'price' }, totalText(texts, guide), priceHint(flow, day))
}

export function priceHint({ config, texts }: Flow, price: string): HTMLElement {
  const { pricesIncludeTax, taxPercent = '' } = config
  const known = taxPercent === '' ? 'taxOpen' : 'withTax'
  const tax = texts.t(pricesIncludeTax ? 'taxInside' : known, {
    percent: texts.percent(taxPercent),
  })
  return make('small', { className: 'hint' }, `${price}, ${tax}`)
}

function totalText({ t, money, length }: Texts, guide: Guide): string {
  const { total, currency, sample, days, hours } = guide
  return t('total', { price: money(total, currency, sample), length: length(days, hours) })
}

function free({ texts: { t } }: Flow, { availability }: Vehicle): HTMLElement {
  const { available, availableCount: count } = availability
  if (!available) return make('span', { className: 'sold-out' }, t('soldOut'))
  return make('span', { className: 'free' }, t(count <= fewMax ? 'few' : 'free', { count }))
}

/** Returns the vehicle's name and its estimated price. */
export function describe(
  { texts }: Flow,
  search: Search,
  vehicle: Vehicle,
  chosen: readonly ChosenExtra[] = [],
): (string | HTMLElement)[] {
  const guide = search.guide(vehicle, chosen)
  const name = make('strong', {}, vehicle.group.name)
  return guide === undefined ? [name] : [name, make('br'), totalText(texts, guide)]
}
