import type { Period } from './config.ts'
import { en, type Messages } from './messages/en.ts'

const norwegian = async () => (await import('./messages/nb.ts')).nb
/** Loaded by who needs them; under names that stay, since a page keeps this file for long. */
const catalogues: Readonly<Record<string, () => Promise<Messages>>> = {
  de: async () => (await import('./messages/de.ts')).de,
  ...{ nb: norwegian, no: norwegian, nn: norwegian },
}
const rightToLeft = /^(arc?|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)$/

type Values = Readonly<Record<string, string | number>>

/** Words and formats of one language, with the station's clock. */
export interface Texts {
  readonly direction: 'ltr' | 'rtl'
  t(id: keyof Messages, values?: Values): string
  money(amount: string | number, currency: string): string
  percent(percent: string): string
  period(period: Period): string
  /** An instant as the clocks at the station show it. */
  moment(instant: string): string
  /** `10:30` as the language writes it. */
  clock(time: string): string
  /** "1 day", "3 days". */
  count(quantity: number, unit: string): string
  /** "3 days and 2 hours" */
  length(days: number, hours: number): string
}

interface TextsOptions {
  readonly locale: string
  readonly timeZone?: string
  /** Instead of ours, or for a language that is not here. */
  readonly messages?: Readonly<Record<string, string>>
}

/** @throws RangeError for a locale or a time zone that is none */
export async function textsOf({
  locale,
  timeZone = 'UTC',
  messages,
}: TextsOptions): Promise<Texts> {
  const { language } = new Intl.Locale(locale)
  // English is better than nothing.
  const own = await catalogues[language]?.().catch(() => undefined)
  const catalogue = { ...en, ...own, ...messages }
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)
  const moments = new Intl.DateTimeFormat(locale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone },
  })
  const moment = (instant: string) => moments.format(new Date(instant))
  const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  const count = (quantity: number, unit: string) =>
    number({ style: 'unit', unit, unitDisplay: 'long' }).format(quantity)

  return {
    direction: rightToLeft.test(language) ? 'rtl' : 'ltr',
    t: (id, values = {}) =>
      catalogue[id].replace(/\{(\w+)\}/g, (_, name) =>
        String(values[name] ?? catalogue[name as keyof Messages] ?? ''),
      ),
    money: (amount, currency) => number({ style: 'currency', currency }).format(Number(amount)),
    percent: (percent) =>
      number({ style: 'percent', maximumFractionDigits: 4 }).format(Number(percent) / 100),
    period: ({ pickupDatetime, dropoffDatetime }) =>
      `${moment(pickupDatetime)} – ${moment(dropoffDatetime)}`,
    moment,
    clock: (time) => clocks.format(new Date(`2000-01-01T${time}Z`)),
    count,
    length: (days, hours) =>
      new Intl.ListFormat(locale).format([
        ...(days > 0 ? [count(days, 'day')] : []),
        ...(hours > 0 ? [count(hours, 'hour')] : []),
      ]),
  }
}
