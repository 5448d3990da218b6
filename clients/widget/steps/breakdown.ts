import type { Period } from '../config.ts'
import type { Flow } from '../flow.ts'
import type { PriceLines } from '../lazy/guide.ts'
import { taxShares } from '../taxShares.ts'
import { make } from '../ui/dom.ts'
import { catalogName } from '../ui/parts.ts'
import { photoOf } from '../ui/photo.ts'
import { vehicleName } from '../ui/text.ts'

/** The vehicle and the dates that the visitor chose. `price` is undefined while it is unknown. */
export interface Choice {
  readonly name: string
  readonly imageUrl: string | null
  readonly period: Period
  readonly currency: string
  readonly price: PriceLines | undefined
}

type Priced = Pick<Choice, 'currency'> & { readonly price: PriceLines }

/**
 * Returns a box with the choice and its price, which stays in view. Where there is no room beside the
 * form, it is folded to one line.
 */
export function choiceBox(flow: Flow, choice: Choice): HTMLDetailsElement {
  const isOpen = matchMedia('(min-width: 60rem)').matches
  const box = make('details', { className: 'bill', open: isOpen })
  fillBox(flow, box, choice)
  return box
}

/** Shows a choice in a box. */
export function fillBox(flow: Flow, box: HTMLElement, choice: Choice): void {
  const { name, imageUrl, period, currency, price } = choice
  const { money, length, period: written } = flow.texts
  const vehicle = () => make('b', {}, ...vehicleName(flow, name))
  const total = price && make('strong', {}, money(price.total, currency))
  const days = price && make('small', {}, length(price.days, price.hours))
  box.replaceChildren(
    make('summary', {}, vehicle(), total),
    make(
      'div',
      {},
      photoOf({ imageUrl }),
      vehicle(),
      make('p', {}, written(period), days),
      price && priceTable(flow, { currency, price }),
    ),
  )
}

/**
 * Returns the lines of a price with their sum. Prices include the tax if those beside the vehicles did:
 * each line then has its part of the tax, so that the lines add up to the total.
 */
export function priceTable(flow: Flow, { currency, price }: Priced): HTMLElement {
  const { t, money, count, percent } = flow.texts
  const { rate, extras, tax, total } = price
  const isAdded = !tax.included && flow.config.taxPercent === undefined
  const withTax = taxShares(tax.included || isAdded ? 0 : +tax.percent, total)
  const row = (title: Node | string, amount: number | string, className?: string) =>
    make(
      'tr',
      { className },
      make('th', { scope: 'row' }, title),
      make('td', {}, money(amount, currency, total)),
    )
  const isMixed = rate.lines.some(({ rateName }) => rateName !== rate.lines[0]?.rateName)
  const rateRows = rate.lines.map(({ rateName, unit, quantity, amount }) => {
    const name = isMixed && make('small', {}, catalogName(flow, rateName))
    return row(make('span', {}, count(quantity, unit), name), withTax(amount))
  })
  const extraRows = extras.map(({ name, quantity, amount }) =>
    row(catalogName(flow, `${quantity} × ${name}`), withTax(amount)),
  )
  const taxText = t(isAdded ? 'tax' : 'taxContained', { percent: percent(tax.percent) })
  const taxRow = +tax.percent > 0 && row(taxText, tax.amount, 'tax')
  return make(
    'table',
    {},
    ...rateRows,
    ...extraRows,
    isAdded && taxRow,
    row(t('sum'), total, 'total'),
    !isAdded && taxRow,
  )
}
