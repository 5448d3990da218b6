import type { Breakdown, Quote } from '../../clients/typescript/index.ts'
import { make } from './dom.ts'
import { count, money } from './format.ts'

/** The lines of a price as rows of a table; they add up to its total. */
export function breakdownRows({ breakdown, currency, total }: Quote): HTMLElement[] {
  const { rate, extras, subtotal, tax } = breakdown
  const several = new Set(rate.lines.map(({ rateId }) => rateId)).size > 1
  const row = (name: string, how: string, amount: string, className = '') =>
    make(
      'tr',
      { className },
      make('th', { scope: 'row' }, name, how === '' ? undefined : make('small', {}, how)),
      make('td', {}, money(amount, currency)),
    )
  return [
    make('caption', {}, `${several ? 'By season' : `${rate.name} rate`}, ${lengthOf(breakdown)}`),
    ...rate.lines.map(({ rateName, unit, quantity, unitPrice, amount }) => {
      const season = several ? `, ${rateName} rate` : ''
      return row(count(quantity, unit), `${money(unitPrice, currency)} each${season}`, amount)
    }),
    ...extras.map(({ name, quantity, days, unitPrice, maxPrice, amount }) => {
      const per = days === null ? '' : ` a day for ${count(days, 'day')}`
      const cap = maxPrice === null ? '' : `, ${money(maxPrice, currency)} at most`
      return row(name, `${quantity} × ${money(unitPrice, currency)}${per}${cap}`, amount)
    }),
    row('Subtotal', '', subtotal),
    row(
      tax.included ? `Tax contained (${tax.percent} %)` : `Tax (${tax.percent} %)`,
      '',
      tax.amount,
    ),
    row('Total', '', total, 'total'),
  ]
}

function lengthOf({ days, hours }: Breakdown): string {
  const parts = [days > 0 ? count(days, 'day') : '', hours > 0 ? count(hours, 'hour') : '']
  return parts.filter((part) => part !== '').join(' and ')
}
