import { make } from '../dom.ts'
import type { Flow } from '../flow.ts'
import { onSubmit } from '../form.ts'
import type { ChosenExtra } from '../guide.ts'
import { input, section, select } from '../parts.ts'
import type { RentalExtra } from '../rental-booking.d.ts'
import type { Search, Vehicle } from '../vehicles.ts'
import { describe, priceHint } from './vehicle.ts'

const fieldName = ({ id }: RentalExtra) => `extra-${id}`

/** Returns the currency of the vehicle's rates, or the tenant's if the rates are unavailable. */
const currencyOf = ({ config }: Flow, { rates }: Vehicle) => rates?.[0]?.currency ?? config.currency

/** Returns the extras in the vehicle's currency. The API rejects all others in a quote. */
export function extrasFor(flow: Flow, vehicle: Vehicle): readonly RentalExtra[] {
  const known = currencyOf(flow, vehicle)
  const isFit = ({ currency = known }: RentalExtra) => !known || currency === known
  return (flow.config.extras ?? []).filter(isFit)
}

/** Returns the chosen quantity, at most the current maximum: the page may have lowered it. */
const quantityOf = ({ visit }: Flow, extra: RentalExtra) =>
  Math.min(+(visit.fields[fieldName(extra)] ?? 0), maxOf(extra))
const maxOf = ({ quantityMax = 5 }: RentalExtra) => quantityMax

/** Returns the chosen extras that are offered with the vehicle. */
export const chosenExtras = (flow: Flow, vehicle: Vehicle): ChosenExtra[] =>
  extrasFor(flow, vehicle)
    .map((extra) => ({ extra, quantity: quantityOf(flow, extra) }))
    .filter(({ quantity }) => quantity > 0)

/** Returns the step with the extras and their quantities. */
export function extrasStep(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement {
  const { t } = flow.texts
  const summary = make('p')
  const summarize = () =>
    summary.replaceChildren(...describe(flow, search, vehicle, chosenExtras(flow, vehicle)))
  summarize()
  const rows = extrasFor(flow, vehicle).map((extra) => row(flow, extra, vehicle))
  const form = make('form', {}, make('div', { className: 'extras' }, ...rows))
  form.addEventListener('input', summarize)
  onSubmit(flow, {
    ...{ form, summary, onward: t('onward'), back: 'vehicle' },
    ...{ progress: () => 'pricing', run: () => flow.open('details') },
  })
  return section(t('titleExtras'), form)
}

function row(flow: Flow, extra: RentalExtra, vehicle: Vehicle): HTMLElement {
  const { config, texts } = flow
  const { t, money } = texts
  const name = fieldName(extra)
  const { pricing, price, maxPrice, currency = currencyOf(flow, vehicle) } = extra
  const { pricesIncludeTax, taxPercent = 0 } = config
  const withTax = (amount: string) => {
    const gross = +amount * (pricesIncludeTax ? 1 : 1 + +taxPercent / 100)
    return { price: currency ? money(gross, currency, amount) : `${gross}` }
  }
  const per = t(pricing === 'per_day' ? 'perDay' : 'perRental', withTax(price))
  const cap = maxPrice ? `, ${t('atMost', withTax(maxPrice))}` : ''
  const quantity = quantityOf(flow, extra)
  const max = maxOf(extra)
  const control =
    max === 1
      ? input(name, { type: 'checkbox', checked: quantity > 0 })
      : select(
          name,
          Array.from({ length: max + 1 }, (_, count) => [`${count}`, `${count}`]),
        )
  control.value = max === 1 ? '1' : `${quantity}`
  const label = make('span', {}, extra.name, priceHint(flow, per + cap))
  return make('label', { className: 'extra' }, label, control)
}
