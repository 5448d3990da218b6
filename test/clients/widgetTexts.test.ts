import { describe, expect, it } from 'vitest'
import { calendarFile } from '../../clients/widget/calendarFile.ts'
import { en, type Messages } from '../../clients/widget/messages/en.ts'
import { textsOf } from '../../clients/widget/texts.ts'

describe('field errors', () => {
  // Only the English text contains the message of the API, which is always in English.
  it.each([
    ['en-GB', 'Please correct this: is too long.'],
    ['de', 'Bitte berichtigen.'],
    ['nb', 'Rett opp dette.'],
  ])('translates a field error in %s to "%s"', async (locale, expected) => {
    const { t } = await textsOf({ locale })
    expect(t('wrong', { message: 'is too long' })).toBe(expected)
  })
})

it.each([
  // By default browsers omit the decimals of these currencies.
  ['12345.51', 'HUF', 'HUF\u00a012,345.51'],
  ['12.345', 'IQD', 'IQD\u00a012.345'],
  ['499.00', 'NOK', 'NOK\u00a0499.00'],
  ['500', 'JPY', '¥500'],
])('formats a price with the decimals of the API: %s %s', async (amount, currency, shown) => {
  const { money } = await textsOf({ locale: 'en' })
  expect(money(amount, currency)).toBe(shown)
  expect(money(Number(amount), currency, amount)).toBe(shown)
})

it.each([
  ['en', '7.7', '7.7%'],
  ['en', '25.0000', '25%'],
  ['de', '8.1250', '8,125\u00a0%'],
  ['en', '0.0625', '0.0625%'],
])(
  'formats a tax percentage with all decimals but no trailing zeros: %s, %s',
  async (locale, percent, shown) => {
    expect((await textsOf({ locale })).percent(percent)).toBe(shown)
  },
)

it('sets dir to rtl for right-to-left languages only', async () => {
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
  ['fa', 'دسامبر'],
  ['th', '2026'],
  ['ar-SA', 'ديسمبر'],
])('formats Gregorian dates in every locale: %s', async (locale, part) => {
  const { fullMoment } = await textsOf({ locale, messages: { find: '…' } })
  expect(fullMoment('2026-12-04T10:00:00Z')).toContain(part)
})

describe.each(['da', 'de', 'es', 'fr', 'it', 'nb', 'nl', 'sv'])('messages in %s', (name) => {
  it('has no empty message and the same placeholders as the English messages', async () => {
    const module = await import(`../../clients/widget/messages/${name}.ts`)
    const messages: Messages = module[name]
    const valuesIn = (message: string) => [...new Set(message.match(/\{\w+\}/g))].sort()
    const texts = await textsOf({ locale: name })
    expect(texts.t('find')).toBe(messages.find)
    expect(messages.find).not.toBe(en.find)
    for (const [id, message] of Object.entries(messages) as [keyof Messages, string][]) {
      expect(message).not.toBe('')
      // The `wrong` text omits the API message, which is English.
      if (id !== 'wrong') expect([id, valuesIn(message)]).toEqual([id, valuesIn(en[id])])
    }
  })
})

it.each([
  ['es', 'Solo queda 1', 'Solo quedan 2'],
  ['it', 'Ne resta solo 1', 'Ne restano solo 2'],
  ['en', 'Only 1 left', 'Only 2 left'],
])('uses the singular and plural of the language: %s', async (locale, one, two) => {
  const { t } = await textsOf({ locale })
  expect([t('few', { count: 1 }), t('few', { count: 2 })]).toEqual([one, two])
})

const rental = {
  bookingId: '4f1c2a9e-0000-4000-8000-000000000000',
  createdAt: '2038-03-01T09:00:00.123Z',
  pickupDatetime: '2038-03-08T10:00:00+01:00',
  dropoffDatetime: '2038-03-09T10:00:00+01:00',
  summary: 'Van',
  description: '',
}

it.each([
  ['Kai 1\r\n0150 Oslo', 'Kai 1\\n0150 Oslo'],
  ['Kai 1\rATTACH:x', 'Kai 1\\nATTACH:x'],
  ['Kai 1\u2028Oslo\u0085Norge', 'Kai 1\\nOslo\\nNorge'],
  ['Kai\u0000 1\u001b;\t2,3', 'Kai 1\\;\t2\\,3'],
  ['C:\\new', 'C:\\\\new'],
])('escapes the place %j in an iCalendar file', (location, escaped) => {
  const lines = calendarFile({ ...rental, location })
    .replaceAll('\r\n ', '')
    .split('\r\n')
  expect(lines.filter((line) => line.startsWith('LOCATION'))).toEqual([`LOCATION:${escaped}`])
  expect(lines).toHaveLength(14)
})

it('writes an iCalendar file with escaped text and folded lines', () => {
  const file = calendarFile({
    ...rental,
    summary: 'Van, 9 seats; automatic \\ diesel, with a long name',
    description: 'Reference: 4f1c2a9e',
    location: 'Torgallmenningen 1\nBergen 🚐',
  })
  const lines = file.split('\r\n')
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  expect(file.replaceAll('\r\n ', '').split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rental Booking API//Widget//EN',
    'BEGIN:VEVENT',
    'UID:4f1c2a9e-0000-4000-8000-000000000000',
    'DTSTAMP:20380301T090000Z',
    'DTSTART:20380308T090000Z',
    'DTEND:20380309T090000Z',
    'SUMMARY:Van\\, 9 seats\\; automatic \\\\ diesel\\, with a long name',
    'DESCRIPTION:Reference: 4f1c2a9e',
    'LOCATION:Torgallmenningen 1\\nBergen 🚐',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})
