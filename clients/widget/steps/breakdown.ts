import type { Flow } from '../flow.ts'
import type { Texts } from '../texts.ts'
import { make } from '../ui/dom.ts'
import { catalogName } from '../ui/parts.ts'
import type { Offer } from '../visit.ts'

type Content = string | HTMLElement

/** Returns a table of an offer's price lines and total. */
export function breakdownTable(flow: Flow, { name, quote }: Pick<Offer, 'name' | 'quote'>) {
  const { t, money, count, length, percent, period } = flow.texts
  const { breakdown, currency, total } = quote
  const { rate, extras, subtotal, tax, days, hours } = breakdown
  const row = (title: Content, amount: string, ...how: readonly Content[]) => {
    const small = how.length > 0 && make('small', {}, ...how)
    const head = make('th', { scope: 'row' }, title, small)
    return make('tr', {}, head, make('td', {}, money(amount, currency)))
  }
  const rateRows = rate.lines.map(({ rateName, unit, quantity, unitPrice, amount }) => {
    const each = t(unit === 'day' ? 'perDay' : 'each', { price: money(unitPrice, currency) })
    return row(count(quantity, unit), amount, `${each} · `, catalogName(flow, rateName))
  })
  const extraRows = extras.map(({ name, quantity, days: charged, unitPrice, maxPrice, amount }) => {
    const price = money(unitPrice, currency)
    const how =
      charged === null
        ? t('times', { quantity, price })
        : t('byDays', { quantity, price, length: count(charged, 'day') })
    const isCapped = maxPrice !== null && +amount < quantity * (charged ?? 1) * +unitPrice
    const cap = isCapped ? `, ${t('atMost', { price: money(maxPrice, currency) })}` : ''
    return row(catalogName(flow, name), amount, how + cap)
  })
  const taxText = tax.included ? 'taxContained' : 'tax'
  const totalRow = row(totalText(flow.texts, tax.percent), total)
  totalRow.className = 'total'
  const vehicle = make('strong', {}, catalogName(flow, name))
  const rental = `${period(quote)} (${length(days, hours)})`
  return make(
    'table',
    { className: 'breakdown' },
    make('caption', {}, vehicle, make('br'), rental),
    !tax.included && make('tr', {}, make('td', { className: 'note', colSpan: 2 }, t('beforeTax'))),
    ...rateRows,
    ...extraRows,
    row(t('subtotal'), subtotal),
    row(t(taxText, { percent: percent(tax.percent) }), tax.amount),
    totalRow,
  )
}

/** Returns the label of a total. `taxPercent`: the tax in the total, if known. */
export function totalText({ t, percent }: Texts, taxPercent: string | undefined): string {
  return Number(taxPercent) ? t('sumWithTax', { percent: percent(taxPercent ?? '') }) : t('sum')
}
