import { make } from '../dom.ts'
import type { Flow } from '../flow.ts'
import { onSubmit } from '../form.ts'
import type { ChosenExtra } from '../guide.ts'
import { bar, input, section, select } from '../parts.ts'
import type { RentalExtra } from '../rental-booking.d.ts'
import type { Search, Vehicle } from '../vehicles.ts'
import { describe, priceHint } from './vehicle.ts'

const usualMax = 5

const fieldName = ({ id }: RentalExtra) => `extra-${id}`

/** What was chosen of the extras there are. */
export function chosenExtras({ config: { extras = [] }, visit: { fields } }: Flow): ChosenExtra[] {
  return extras
    .map((extra) => ({ extra, quantity: Number(fields[fieldName(extra)] ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
}

/** Which extras, and how many. */
export function extrasStep(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement {
  const { config } = flow
  const { t } = flow.texts
  const [{ currency = config.currency ?? '' } = {}] = vehicle.rates ?? []
  const summary = make('p')
  const summarize = () =>
    summary.replaceChildren(...describe(flow, search, vehicle, chosenExtras(flow)))
  summarize()
  const rows = (config.extras ?? []).map((extra) => row(flow, extra, currency))
  const form = make('form', {}, make('div', { className: 'extras' }, ...rows))
  form.addEventListener('input', summarize)
  const { element } = onSubmit(flow, {
    form,
    progress: () => 'pricing',
    run: () => flow.open('details'),
  })
  form.append(element, bar(flow, { summary, onward: t('onward'), back: 'vehicle' }))
  return section(t('titleExtras'), form)
}

function row(flow: Flow, extra: RentalExtra, currency: string): HTMLElement {
  const { config, texts, visit } = flow
  const name = fieldName(extra)
  const { quantityMax = usualMax, pricing } = extra
  const { pricesIncludeTax, taxPercent = 0 } = config
  const gross = Number(extra.price) * (pricesIncludeTax ? 1 : 1 + Number(taxPercent) / 100)
  const price = currency === '' ? String(gross) : texts.money(gross, currency)
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
