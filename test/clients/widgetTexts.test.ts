import { describe, expect, it } from 'vitest'
import { de } from '../../clients/widget/messages/de.ts'
import { en } from '../../clients/widget/messages/en.ts'
import { nb } from '../../clients/widget/messages/nb.ts'
import { textsOf } from '../../clients/widget/texts.ts'

describe('what the API says is wrong with a field', () => {
  // The API speaks English only; and a page may keep a `v1.js` that has no message to put in.
  it.each([
    ['en-GB', 'Please correct this: is too long.'],
    ['de', 'Bitte berichtigen.'],
    ['nb', 'Rett opp dette.'],
  ])('is told in %s as "%s"', async (locale, told) => {
    const { t } = await textsOf({ locale })
    expect(t('wrong', { message: 'is too long' })).toBe(told)
  })
})

it.each([
  // Browsers think that nobody pays in fillér and fils.
  ['12345.51', 'HUF', 'HUF\u00a012,345.51'],
  ['12.345', 'IQD', 'IQD\u00a012.345'],
  ['499.00', 'NOK', 'NOK\u00a0499.00'],
  ['500', 'JPY', '¥500'],
])('a price is shown as it is charged: %s %s', async (amount, currency, shown) => {
  const { money } = await textsOf({ locale: 'en' })
  expect(money(amount, currency)).toBe(shown)
  expect(money(Number(amount), currency, amount)).toBe(shown)
})

it('a unit of price lines that this page does not know keeps its name', async () => {
  const { count } = await textsOf({ locale: 'en' })
  expect(count(2, 'half-day')).toBe('2 half-day')
  expect(count(2, 'day')).toBe('2 days')
})

it.each([
  ['en', '7.7', '7.7%'],
  ['en', '25.0000', '25%'],
  ['de', '8.1250', '8,125\u00a0%'],
  ['en', '0.0625', '0.0625%'],
])('the tax is shown as it is charged: %s, %s', async (locale, percent, shown) => {
  expect((await textsOf({ locale })).percent(percent)).toBe(shown)
})

it.each(['ar-EG', 'he', 'fa-IR', 'ja'])(
  'what has no words in the visitor’s language is English in all: %s',
  async (locale) => {
    const texts = await textsOf({ locale, timeZone: 'Europe/Oslo' })
    expect([texts.lang, texts.dir, texts.length(3, 2)]).toEqual([
      'en-GB',
      'ltr',
      '3 days and 2 hours',
    ])
    expect(texts.money('2246.25', 'NOK')).toBe('NOK\u00a02,246.25')
    expect(texts.moment('2038-03-04T09:00:00Z')).toBe('Thu, 4 Mar 2038, 10:00')
    const translated = await textsOf({ locale, messages: { find: '…' } })
    expect(translated.lang).toBe(locale)
    expect(translated.length(3, 0)).not.toBe('3 days')
  },
)

it.each(['nb', 'nb-NO', 'no', 'nn'])('a Norwegian reads Norwegian: %s', async (locale) => {
  expect((await textsOf({ locale })).t('stepBooking')).toBe(nb.stepBooking)
})

it('a language that is written from right to left is shown so', async () => {
  for (const locale of 'ar arc ckb dv fa he ks ps sd ug ur yi'.split(' '))
    expect([locale, (await textsOf({ locale, messages: { find: '…' } })).dir]).toEqual([
      locale,
      'rtl',
    ])
  for (const locale of ['en', 'de', 'nb', 'aro', 'hex'])
    expect([locale, (await textsOf({ locale, messages: { find: '…' } })).dir]).toEqual([
      locale,
      'ltr',
    ])
})

it.each([
  ['de', de, ['stepExtras'], /\bTag\b/],
  ['nb', nb, ['total'], /\bdag\b/],
] as const)(
  'no language has words of English, or a price by another unit: %s',
  (_, words, alike, day) => {
    const same = Object.entries(words).filter(([id, text]) => text === en[id as keyof typeof en])
    const meant = same.filter(([, text]) => /[a-z]/i.test(text.replace(/\{\w+\}/g, '')))
    expect(meant.map(([id]) => id)).toEqual(alike)
    for (const id of ['perDay', 'byDays'] as const) expect(words[id]).toMatch(day)
  },
)

// What a slip would turn into its opposite, by a part of each word that no other of the row has.
it.each([
  ['en', 'pick', 'drop', '^tax', 'includes', '^confirmed', '^declined', '^cancelled'],
  ['de', 'abhol', 'rück', '^steuer', 'enthalten', '^bestätigt', '^abgelehnt', '^storniert'],
  ['nb', 'hent', 'lever', '^avgift', '^herav', '^bekreftet', '^avslått', '^avbestilt'],
])('each word says what it is for, and what is put into it: %s', async (locale, ...parts) => {
  const { t } = await textsOf({ locale })
  const ids = ['pickup', 'dropoff', 'tax', 'taxContained', 'confirmed', 'rejected', 'cancelled']
  for (const [at, id] of ids.entries())
    expect(t(id as keyof typeof en)).toMatch(new RegExp(parts[at] ?? 'none', 'i'))
  for (const [which, of] of [
    ['pickup', 0],
    ['dropoff', 1],
  ] as const)
    expect(t(`${which}Location`)).toMatch(new RegExp(parts[of] ?? 'none', 'i'))
})

it.each([
  ['en', 'passed', 'before the pickup', 'two minutes'],
  ['de', 'ist vorbei', 'vor der Abholung', 'zwei Minuten'],
  ['nb', 'er passert', 'før hentingen', 'to minutter'],
])(
  'what is wrong with a time, and how long a price lasts, is said as it is: %s',
  async (...told) => {
    const [locale, ...parts] = told
    const { t } = await textsOf({ locale })
    expect([t('passed'), t('reversed'), t('goodUntilAsked')]).toEqual(
      parts.map((part) => expect.stringContaining(part)),
    )
  },
)

it.each(['en', 'de'])('the words of a page come before ours: %s', async (locale) => {
  const { t } = await textsOf({ locale, messages: { find: 'Cerca' } })
  expect([t('find'), t('back')]).toEqual(['Cerca', locale === 'de' ? de.back : en.back])
})

it.each([de, nb])('every language is told the same, but for words of the API: %#', (words) => {
  const told = ({ wrong: _, ...all }: typeof words) =>
    Object.entries(all).map(([id, text]) => [id, (text.match(/\{\w+\}/g) ?? []).sort()])
  expect(told(words)).toEqual(told(en))
})

it.each([
  ['en', /nothing .*charged/i],
  ['de', /nichts .*berechnet/i],
  ['nb', /ingenting .*belast/i],
])(
  'who books is told that nothing is charged, and so is who is declined: %s',
  async (locale, nothing) => {
    const { t } = await textsOf({ locale })
    for (const id of ['charge', 'rejected'] as const) expect(t(id)).toMatch(nothing)
  },
)

// What a visitor would act on if it said the opposite.
it.each([
  [
    en,
    {
      unsure: /may have reached us.* not booked twice/,
      errorMayHave: /may have reached us.* contact us before you book again/,
      errorUsed: /already.* contact us before/,
      errorGone: /no longer/,
      errorQuote: /no longer/,
      errorDay: /no more bookings online today/,
      taxInside: /included/,
      taxOpen: /may be added/,
      soldOut: /^Sold out/,
      nextPending: /^You need not do anything/,
      nextOver: /^You can choose other/,
      lostWhilePolling: /keep trying/,
      tooLong: /within a year of the pickup/,
      optional: /^optional$/,
    },
  ],
  [
    de,
    {
      unsure: /vielleicht erreicht.* nicht zweimal/,
      errorMayHave: /vielleicht erreicht.* kontaktieren Sie uns, bevor Sie erneut buchen/,
      errorUsed: /bereits.* kontaktieren Sie uns zuerst/,
      errorGone: /nicht mehr/,
      errorQuote: /nicht mehr/,
      errorDay: /Heute .* keine Buchungen mehr/,
      taxInside: /^inklusive/,
      taxOpen: /^ggf\. zuzüglich/,
      soldOut: /ausgebucht$/,
      nextPending: /^Sie müssen nichts tun/,
      nextOver: /^Sie können einen anderen/,
      lostWhilePolling: /versuchen es weiter/,
      tooLong: /innerhalb eines Jahres nach der Abholung/,
      optional: /^freiwillig$/,
    },
  ],
  [
    nb,
    {
      unsure: /kan ha nådd oss.* ikke bestilt to ganger/,
      errorMayHave: /kan ha nådd oss.* Ta kontakt før du bestiller/,
      errorUsed: /allerede.* ta kontakt først/,
      errorGone: /ikke lenger/,
      errorQuote: /ikke lenger/,
      errorDay: /ikke ta flere bestillinger på nett i dag/,
      taxInside: /^inkludert/,
      taxOpen: /kan komme i tillegg/,
      soldOut: /^Utsolgt/,
      nextPending: /^Du trenger ikke gjøre noe/,
      nextOver: /^Du kan velge andre/,
      lostWhilePolling: /prøver videre/,
      tooLong: /innen et år etter hentingen/,
      optional: /^valgfritt$/,
    },
  ],
] as const)('no word says the opposite: %#', (words, parts) => {
  for (const [id, part] of Object.entries(parts)) expect(words[id as keyof typeof en]).toMatch(part)
})
