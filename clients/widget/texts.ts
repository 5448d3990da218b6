import type { Period } from './config.ts'
import { en, type Messages } from './messages/en.ts'

/** Loaded by who needs them; under names that stay, since a page keeps this file for long. */
const catalogues: Readonly<Record<string, () => Promise<Readonly<Record<string, Messages>>>>> = {
  da: () => import('./messages/da.ts'),
  de: () => import('./messages/de.ts'),
  es: () => import('./messages/es.ts'),
  fr: () => import('./messages/fr.ts'),
  it: () => import('./messages/it.ts'),
  nb: () => import('./messages/nb.ts'),
  nl: () => import('./messages/nl.ts'),
  sv: () => import('./messages/sv.ts'),
}

async function catalogueOf(language: string): Promise<Messages | undefined> {
  if (language === 'en') return en
  // Both forms of Norwegian, and the two together.
  const name = /^n[no]$/.test(language) ? 'nb' : language
  return (await catalogues[name]?.().catch(() => undefined))?.[name]
}
const rightToLeft = /^(arc?|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)$/

type Values = Readonly<Record<string, string | number>>

/** Words and formats of one language, with the station's clock. */
export interface Texts {
  /** Of words and formats alike. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  t(id: keyof Messages, values?: Values): string
  /** `sample`: an amount with all decimals of the currency, where this one may have others. */
  money(amount: string | number, currency: string, sample?: string): string
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
  messages = {},
}: TextsOptions): Promise<Texts> {
  const { language } = new Intl.Locale(locale)
  const own = await catalogueOf(language)
  // English is better than nothing, but in all: "for 3 أيام" is neither (decision 341).
  if (!own && !Object.keys(messages).length) return textsOf({ locale: 'en-GB', timeZone })
  const catalogue = { ...en, ...own, ...messages }
  const plurals = new Intl.PluralRules(locale)
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)
  const moments = new Intl.DateTimeFormat(locale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone },
  })
  const moment = (instant: string) => moments.format(new Date(instant))
  const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  const count = (quantity: number, unit: string) => {
    try {
      return number({ style: 'unit', unit, unitDisplay: 'long' }).format(quantity)
    } catch {
      // Of a release of the API that came later (decision 362).
      return `${quantity} ${unit}`
    }
  }

  return {
    lang: locale,
    dir: rightToLeft.test(language) ? 'rtl' : 'ltr',
    t(id, values = {}) {
      const { count } = values
      // "one|other" where a language has two forms; all of ours have no more.
      const [one = '', other = one] =
        count === undefined ? [catalogue[id]] : catalogue[id].split('|')
      const form = plurals.select(Number(count)) === 'one' ? one : other
      return form.replace(
        /\{(\w+)\}/g,
        (_, name) => `${values[name] ?? catalogue[name as keyof Messages] ?? ''}`,
      )
    },
    money(amount, currency, sample = String(amount)) {
      // Browsers leave out decimals that are charged, as of the forint. No currency has but one.
      const minimumFractionDigits = /\.(\d{2,4})$/.exec(sample)?.[1]?.length
      return number({ style: 'currency', currency, minimumFractionDigits }).format(+amount)
    },
    percent: (percent) =>
      number({ style: 'percent', maximumFractionDigits: 4 }).format(+percent / 100),
    period: ({ pickupDatetime, dropoffDatetime }) =>
      `${moment(pickupDatetime)} – ${moment(dropoffDatetime)}`,
    moment,
    clock: (time) => clocks.format(new Date(`2000-01-01T${time}Z`)),
    count,
    length: (days, hours) =>
      new Intl.ListFormat(locale).format(
        [days && count(days, 'day'), hours && count(hours, 'hour')].filter((part) => part !== 0),
      ),
  }
}
