import type { Period } from './config.ts'
import { loadPart } from './loadPart.ts'
import type { MessageId, Messages, ValuesOf } from './messages/en.ts'

/** The included languages, loaded on demand. */
const catalogues: Readonly<Record<string, () => Promise<Readonly<Record<string, Messages>>>>> = {
  da: () => import('./messages/da.ts'),
  de: () => import('./messages/de.ts'),
  en: () => import('./messages/en.ts'),
  es: () => import('./messages/es.ts'),
  fr: () => import('./messages/fr.ts'),
  it: () => import('./messages/it.ts'),
  nb: () => import('./messages/nb.ts'),
  nl: () => import('./messages/nl.ts'),
  sv: () => import('./messages/sv.ts'),
}

async function catalogueOf(language: string, signal?: AbortSignal): Promise<Messages | undefined> {
  // Bokmål, Nynorsk and the macrolanguage `no` share one catalogue.
  const name = /^n[no]$/.test(language) ? 'nb' : language
  const load = Object.hasOwn(catalogues, name) && catalogues[name]
  return load ? (await loadPart(name, load, signal))[name] : undefined
}
const rightToLeft = /^(arc?|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)$/

type Values = Readonly<Record<string, string | number>>

/** The messages and formats of one language. Times are those of the station's time zone. */
export interface Texts {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** Returns a message with its placeholders filled in. */
  t<Id extends MessageId>(id: Id, ...values: ValuesOf<Id>): string
  /** Like `t`, for messages that are chosen while the widget runs. */
  message(id: MessageId, values?: Values): string
  /** Formats an amount. `sample`: an amount with all decimals, if `amount` may have fewer. */
  money(amount: string | number, currency: string, sample?: string): string
  percent(percent: string): string
  period(period: Period): string
  /** Formats the date of an instant at the station, with the year unless it is the current one. */
  day(instant: string): string
  /** Formats an instant in the station's time zone, with the year unless it is the current one. */
  moment(instant: string): string
  /** Like `moment`, always with the year. */
  fullMoment(instant: string): string
  /** Formats a time such as `10:30`. */
  clock(time: string): string
  /** Formats a quantity such as "3 days". */
  count(quantity: number, unit: string): string
  /** Formats a length such as "3 days and 2 hours". */
  length(days: number, hours: number): string
}

interface TextsOptions {
  readonly locale: string
  readonly timeZone?: string
  /** Messages that replace the built-in ones, or add a language. */
  readonly messages?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * Loads the messages and formats of a locale.
 * @throws RangeError for an invalid locale or time zone
 * @throws RentalApiError if the messages cannot be loaded
 */
export async function textsOf({
  locale,
  timeZone = 'UTC',
  messages = {},
  signal,
}: TextsOptions): Promise<Texts> {
  const { language } = new Intl.Locale(locale)
  const [en, own] = await Promise.all([
    Object.keys(messages).length > 0 || language === 'en' ? catalogueOf('en', signal) : undefined,
    catalogueOf(language, signal),
  ])
  // Without messages for the language, use English formats too: "for 3 أيام" would mix languages.
  if (!own && !en && language !== 'en') {
    return textsOf({ locale: 'en-GB', timeZone, ...(signal && { signal }) })
  }
  // Own messages of a language that is not included replace the English ones.
  const catalogue = { ...en, ...own, ...messages } as Messages
  const message = messageFormat(locale, catalogue)
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)
  const { day, moment, fullMoment } = momentFormats(locale, timeZone)
  const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  const count = (quantity: number, unit: string) => {
    try {
      return number({ style: 'unit', unit, unitDisplay: 'long' }).format(quantity)
    } catch {
      // A later release of the API may return units that Intl rejects.
      return `${quantity} ${unit}`
    }
  }

  return {
    lang: locale,
    dir: rightToLeft.test(language) ? 'rtl' : 'ltr',
    t: (id, ...[values]) => message(id, values),
    message,
    money(amount, currency, sample = String(amount)) {
      // Intl omits decimals that are charged, for example those of the forint.
      const minimumFractionDigits = /\.(\d{2,4})$/.exec(sample)?.[1]?.length
      return number({ style: 'currency', currency, minimumFractionDigits }).format(+amount)
    },
    percent: (percent) =>
      number({ style: 'percent', maximumFractionDigits: 4 }).format(+percent / 100),
    period: ({ pickupDatetime, dropoffDatetime }) =>
      `${moment(pickupDatetime)} – ${moment(dropoffDatetime)}`,
    day,
    moment,
    fullMoment,
    clock: (time) => clocks.format(new Date(`2000-01-01T${time}Z`)),
    count,
    length: (days, hours) =>
      new Intl.ListFormat(locale).format(
        [days && count(days, 'day'), hours && count(hours, 'hour')].filter((part) => part !== 0),
      ),
  }
}

function messageFormat(locale: string, catalogue: Messages) {
  const plurals = new Intl.PluralRules(locale)
  return (id: MessageId, values: Values = {}): string => {
    const { count } = values
    // Messages have the form "one|other"; no built-in language needs more plural forms.
    const [one = '', other = one] = count === undefined ? [catalogue[id]] : catalogue[id].split('|')
    const form = plurals.select(Number(count)) === 'one' ? one : other
    return form.replace(
      /\{(\w+)\}/g,
      (_, name) => `${values[name] ?? catalogue[name as MessageId] ?? ''}`,
    )
  }
}

function momentFormats(locale: string, timeZone: string) {
  // Persian, Thai and some Arabic locales have calendars of their own.
  const date = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone,
    calendar: 'gregory',
  } as const
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const currentYear = new Date().getFullYear()
  const format = (options: Intl.DateTimeFormatOptions, isFull?: boolean) => {
    const formatOf = (year?: 'numeric') => new Intl.DateTimeFormat(locale, { ...options, year })
    const [thisYear, otherYear] = [formatOf(), formatOf('numeric')]
    return (instant: string) => {
      const at = new Date(instant)
      return (!isFull && at.getFullYear() === currentYear ? thisYear : otherYear).format(at)
    }
  }
  const dateAndTime = { ...date, ...time }
  return { day: format(date), moment: format(dateAndTime), fullMoment: format(dateAndTime, true) }
}
