import { chosenExtras, currencyOf, extraField, extrasFor, maxOf, quantityOf } from '../choices.ts'
import type { Flow } from '../flow.ts'
import type { ChosenExtra } from '../lazy/guide.ts'
import type { RentalExtra } from '../rental-booking.d.ts'
import { make } from '../ui/dom.ts'
import { catalogName, input, section } from '../ui/parts.ts'
import type { Search, Vehicle } from '../vehicles.ts'

/** Returns the step with the extras and their quantities. */
export function extrasStep(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement {
  const { t } = flow.texts
  const summary = make('p')
  const summarize = () => summary.replaceChildren(...nameAndTotal(flow, search, vehicle))
  summarize()
  const rows = extrasFor(flow, vehicle).map((extra) => row(flow, search, vehicle, extra))
  const form = make('form', {}, make('div', { className: 'extras' }, ...rows))
  form.addEventListener('input', () => {
    // The running request is for other extras.
    flow.wish()
    summarize()
  })
  flow.shared.onSubmit(flow, {
    form,
    summary,
    onward: t('onward'),
    back: 'vehicle',
    progress: () => 'pricing',
    run: (wish) => flow.open('details', wish),
    resumes: true,
  })
  return section(t('titleExtras'), form)
}

/** Returns the vehicle's name and its estimated price with the chosen extras. */
function nameAndTotal(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement[] {
  const { t, money, length } = flow.texts
  const name = catalogName(flow, vehicle.group.name)
  const guide = search.guide(vehicle, chosenExtras(flow, vehicle))
  if (guide === undefined) return [name]
  const price = money(guide.total, guide.currency, guide.sample)
  const total = t('total', { price, length: length(guide.days, guide.hours) })
  return [name, make('strong', {}, total)]
}

function row(flow: Flow, search: Search, vehicle: Vehicle, extra: RentalExtra): HTMLElement {
  const name = extraField(extra)
  const max = maxOf(extra)
  const price = make('small', { id: `${name}-price` })
  const total = make('span', { className: 'line-total' })
  const showPrice = () => {
    const quantity = quantityOf(flow, extra)
    const each = priceText(flow, search, vehicle, { extra, quantity: 1 })
    price.textContent = quantity > 1 ? flow.texts.t('each', { price: each }) : each
    total.textContent = lineTotal(flow, search, vehicle, { extra, quantity })
  }
  const control =
    max === 1
      ? input(name, {
          id: name,
          type: 'checkbox',
          value: '1',
          checked: quantityOf(flow, extra) > 0,
        })
      : stepper(flow, extra)
  // The field itself: a stepper contains it.
  const entry = control instanceof HTMLInputElement ? control : control.querySelector('input')
  entry?.setAttribute('aria-describedby', price.id)
  control.addEventListener('input', showPrice)
  showPrice()
  const label = make('label', { for: name }, catalogName(flow, extra.name))
  return make(
    'div',
    { className: 'extra' },
    make('div', { className: 'label' }, label, price),
    total,
    control,
  )
}

/** Returns a number field between two buttons. */
function stepper(flow: Flow, extra: RentalExtra): HTMLElement {
  const { t } = flow.texts
  const name = extraField(extra)
  const max = maxOf(extra)
  const number = input(name, {
    id: name,
    type: 'number',
    inputMode: 'numeric',
    min: '0',
    max: `${max}`,
    value: `${quantityOf(flow, extra)}`,
  })
  const step = (by: 1 | -1) => {
    number.value = `${Math.max(0, Math.min(max, quantityOf(flow, extra) + by))}`
    number.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const control = (by: 1 | -1) => {
    const label = t(by === 1 ? 'add' : 'remove', { name: extra.name })
    // The number field itself takes the arrow keys.
    return make(
      'button',
      { type: 'button', tabIndex: -1, ariaLabel: label, onclick: () => step(by) },
      by === 1 ? '+' : '−',
    )
  }
  const [fewer, further] = [control(-1), control(1)]
  const bound = () => {
    const quantity = quantityOf(flow, extra)
    fewer.disabled = quantity === 0
    further.disabled = quantity === max
  }
  number.addEventListener('input', bound)
  number.onchange = () => {
    number.value = `${quantityOf(flow, extra)}`
  }
  bound()
  return make('div', { className: 'stepper' }, fewer, number, further)
}

/** Returns what a chosen extra adds to the rental's price; empty without rates. */
function lineTotal({ texts }: Flow, search: Search, vehicle: Vehicle, chosen: ChosenExtra): string {
  const [without, withExtra] = [search.guide(vehicle), search.guide(vehicle, [chosen])]
  if (!without || !withExtra || chosen.quantity === 0) return ''
  return texts.money(withExtra.total - without.total, withExtra.currency, withExtra.sample)
}

/** Returns the price of an extra for this rental, or its formula if the rates are unknown. */
function priceText(flow: Flow, search: Search, vehicle: Vehicle, chosen: ChosenExtra): string {
  const { t, money } = flow.texts
  const { pricing, price, maxPrice, currency = currencyOf(flow, vehicle) } = chosen.extra
  const own = lineTotal(flow, search, vehicle, chosen)
  if (own === '') {
    const each = { price: currency ? money(price, currency) : price }
    return pricing === 'per_day' ? t('perDay', each) : t('perRental', each)
  }
  const { days = 0, hours = 0 } = search.guide(vehicle) ?? {}
  const isCapped =
    pricing === 'per_day' && maxPrice && +price * (days + Number(hours > 0)) > +maxPrice
  return isCapped ? `${own} (${t('capped')})` : own
}
