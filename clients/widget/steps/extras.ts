import { chosenExtras, currencyOf, extraField, extrasFor, maxOf, quantityOf } from '../choices.ts'
import type { Flow } from '../flow.ts'
import type { RentalExtra } from '../rental-booking.d.ts'
import { make } from '../ui/dom.ts'
import { catalogName, input, section } from '../ui/parts.ts'
import { mark, withPrice } from '../ui/text.ts'
import type { Search, Vehicle } from '../vehicles.ts'
import { type Choice, choiceBox, fillBox } from './breakdown.ts'
import { reportChoice } from './choiceEvents.ts'

/** Returns the step with the extras and their quantities. */
export function extrasStep(flow: Flow, search: Search, vehicle: Vehicle): HTMLElement {
  const { t, money } = flow.texts
  const box = choiceBox(flow, choiceOf(flow, search, vehicle))
  const extras = extrasFor(flow, vehicle)
  // Extras without a category stand first, without a title.
  const categories = new Set(['', ...extras.map(categoryOf)])
  const groups = [...categories].flatMap((category) => {
    const members = extras.filter((extra) => categoryOf(extra) === category)
    return [
      category && make('h3', {}, catalogName(flow, category)),
      make(
        'div',
        { className: 'extras' },
        ...members.map((one) => card(flow, search, vehicle, one)),
      ),
    ]
  })
  const form = make(
    'form',
    {},
    make('div', { className: 'halves' }, box, make('div', {}, ...groups)),
  )
  form.addEventListener('input', () => {
    // The running request is for other extras.
    flow.wish()
    const choice = choiceOf(flow, search, vehicle)
    fillBox(flow, box, choice)
    reportChoice(flow, 'extraschanged', search, vehicle)
    if (choice.price) flow.announce(money(choice.price.total, choice.currency))
  })
  flow.shared.onSubmit(flow, {
    form,
    onward: t('onward'),
    back: 'vehicle',
    progress: () => 'pricing',
    run: (wish) => flow.open('details', wish),
    resumes: true,
  })
  return section(t('titleExtras'), form)
}

const categoryOf = ({ category }: RentalExtra) => category ?? ''

/** Returns the vehicle and the chosen extras with their estimated price. */
function choiceOf(flow: Flow, search: Search, vehicle: Vehicle): Choice {
  const { name, imageUrl } = vehicle.group
  const price = search.guide(vehicle, chosenExtras(flow, vehicle))
  return { name, imageUrl, period: search.period, currency: price?.currency ?? '', price }
}

function card(flow: Flow, search: Search, vehicle: Vehicle, extra: RentalExtra): HTMLElement {
  const id = extraField(extra)
  const { name, description } = extra
  const hint = description && make('p', { className: 'hint' }, catalogName(flow, description))
  const price = make('p', { id: `${id}-price`, className: 'price' })
  price.append(...priceOf(flow, search, vehicle, extra))
  const control =
    maxOf(extra) === 1
      ? input(id, { id, type: 'checkbox', value: '1', checked: quantityOf(flow, extra) > 0 })
      : stepper(flow, extra)
  // The field itself: a stepper contains it.
  const entry = control instanceof HTMLInputElement ? control : control.querySelector('input')
  entry?.setAttribute('aria-describedby', price.id)
  return make(
    'div',
    { className: 'card extra' },
    make('label', { for: id }, catalogName(flow, name)),
    hint,
    make('div', { className: 'buy' }, price, control),
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

/** Returns what one unit adds to the price of this rental; its formula if the rates are unknown. */
function priceOf(flow: Flow, search: Search, vehicle: Vehicle, extra: RentalExtra) {
  const { t, money } = flow.texts
  const { pricing, price, maxPrice, currency = currencyOf(flow, vehicle) } = extra
  const [without, one] = [search.guide(vehicle), search.guide(vehicle, [{ extra, quantity: 1 }])]
  const sentence = (each: string) =>
    t(pricing === 'per_day' ? 'perDay' : 'perRental', { price: each })
  if (!without || !one) return [sentence(currency ? money(price, currency) : price)]
  const own = +one.total - +without.total
  const shown = (amount: number) => money(amount, one.currency, one.total)
  if (pricing !== 'per_day') return withPrice(sentence(mark), shown(own))
  const days = one.days + Number(one.hours > 0)
  const isCapped = maxPrice && +price * days > +maxPrice
  return withPrice(mark + (isCapped ? t('capped') : sentence(shown(own / days))), shown(own))
}
