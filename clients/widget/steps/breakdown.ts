import type { Quote } from '../../typescript/index.ts'
import type { Texts } from '../texts.ts'
import { make } from '../ui/dom.ts'

/** Returns a table of the quote's price lines and total. */
export function breakdownTable(vehicle: string, quote: Quote, texts: Texts): HTMLElement {
  const { breakdown, currency, total } = quote
  const { t, money, count, length } = texts
  const { rate, extras, subtotal, tax, days, hours } = breakdown
  const row = (name: string, how: string, amount: string, className?: string) =>
    make(
      'tr',
      { className },
      make('th', { scope: 'row' }, name, how && make('small', {}, how)),
      make('td', {}, money(amount, currency)),
    )
  const percent = texts.percent(tax.percent)
  return make(
    'table',
    { className: 'breakdown' },
    make(
      'caption',
      {},
      make('strong', {}, vehicle),
      make('br'),
      `${texts.period(quote)} (${length(days, hours)})`,
    ),
    ...rate.lines.map(({ rateName, unit, quantity, unitPrice, amount }) => {
      const each = t('each', { price: money(unitPrice, currency) })
      return row(count(quantity, unit), `${each}, ${rateName}`, amount)
    }),
    ...extras.map(({ name, quantity, days: charged, unitPrice, maxPrice, amount }) => {
      const values = {
        quantity,
        price: money(unitPrice, currency),
        length: count(charged ?? 0, 'day'),
      }
      const how = t(charged === null ? 'times' : 'byDays', values)
      const isCapped = maxPrice !== null && +amount < quantity * (charged ?? 1) * +unitPrice
      const cap = isCapped ? `, ${t('atMost', { price: money(maxPrice, currency) })}` : ''
      return row(name, how + cap, amount)
    }),
    row(t('subtotal'), '', subtotal),
    row(t(tax.included ? 'taxContained' : 'tax', { percent }), '', tax.amount),
    row(t('sum'), '', total, 'total'),
  )
}
