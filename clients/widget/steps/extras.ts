import { make } from '../dom.ts'
import type { Flow } from '../flow.ts'
import { onSubmit } from '../form.ts'
import type { ChosenExtra } from '../guide.ts'
import { input, section, select } from '../parts.ts'
import type { RentalExtra } from '../rental-booking.d.ts'
import type { Search, Vehicle } from '../vehicles.ts'
import { describe, priceHint } from './vehicle.ts'

const usualMax = 5

const fieldName = ({ id }: RentalExtra) => `extra-${id}`

/** Of a vehicle's rates; where they can't be read, the tenant's. */
const currencyOf = ({ config }: Flow, { rates }: Vehicle) => rates?.[0]?.currency ?? config.currency

/** The extras that a quote for this vehicle may have: the API refuses those of another currency. */
export function extrasFor(flow: Flow, vehicle: Vehicle): readonly RentalExtra[] {
  const known = currencyOf(flow, vehicle)
  const isFit = ({ currency = known }: RentalExtra) => !known || currency === known
  return (flow.config.extras ?? []).filter(isFit)
}

/** What was chosen of them. */
export function chosenExtras(flow: Flow, vehicle: Vehicle): ChosenExtra[] {
  const { fields } = flow.visit
  return extrasFor(flow, vehicle)
    .map((extra) => ({ extra, quantity: Number(fields[fieldName(extra)] ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
}

/** Which extras, and how many. */
export function extrasStep(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement {
  const { t } = flow.texts
  const summary = make('p')
  const summarize = () =>
    summary.replaceChildren(...describe(flow, search, vehicle, chosenExtras(flow, vehicle)))
  summarize()
  const rows = extrasFor(flow, vehicle).map((extra) => row(flow, extra, currencyOf(flow, vehicle)))
  const form = make('form', {}, make('div', { className: 'extras' }, ...rows))
  form.addEventListener('input', summarize)
  onSubmit(flow, {
    ...{ form, summary, onward: t('onward'), back: 'vehicle' },
    ...{ progress: () => 'pricing', run: () => flow.open('details') },
  })
  return section(t('titleExtras'), form)
}

function row(flow: Flow, extra: RentalExtra, usual: string | undefined): HTMLElement {
  const { config, texts, visit } = flow
  const name = fieldName(extra)
  const { quantityMax = usualMax, pricing, currency = usual } = extra
  const { pricesIncludeTax, taxPercent = 0 } = config
  const gross = Number(extra.price) * (pricesIncludeTax ? 1 : 1 + Number(taxPercent) / 100)
  const price = currency ? texts.money(gross, currency) : String(gross)
  const per = texts.t(pricing === 'per_day' ? 'perDay' : 'perRental', { price })
  const kept = visit.fields[name] ?? '0'
  let control: HTMLElement
  if (quantityMax === 1) {
    control = input(name, { type: 'checkbox', value: '1', checked: kept === '1' })
  } else {
    const quantities = Array.from({ length: quantityMax + 1 }, (_, quantity) => String(quantity))
    const list = select(
      name,
      quantities.map((quantity) => [quantity, quantity]),
    )
    list.value = kept
    control = list
  }
  const label = make('span', {}, extra.name, priceHint(flow, per))
  return make('label', { className: 'extra' }, label, control)
}
