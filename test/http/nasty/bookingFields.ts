import { randomUUID } from 'node:crypto'
import { customer } from '../../helpers/actors.ts'
import {
  bookingWith,
  customerWith,
  get,
  invalid,
  type NastyCase,
  ok,
  post,
  refused,
} from './case.ts'
import { goodBooking } from './world.ts'

const person = (field: string, value: unknown, wanted = invalid(`customer.${field}`)) =>
  [customerWith({ [field]: value }), wanted] as const
const text = (field: string, value: unknown, wanted = invalid(field)) =>
  [bookingWith({ [field]: value }), wanted] as const
const escaped = (value: string) =>
  value.replace(/[^ -~]/gu, (one) => `U+${one.codePointAt(0)?.toString(16)}`)
const notUtf8 = Buffer.from([0xff, 0xfe])
const markup = `<b>x</b> '; drop table bookings;-- $${'{7*7}'} {{7*7}} =cmd() ¡ñ!\n\tnext line`

/** N-16 to N-29, N-62 and N-63: what a customer, or somebody posing as one, writes. */
export const bookingFields: readonly NastyCase[] = [
  [
    'N-16',
    'bytes that are no UTF-8',
    (world) =>
      post(
        world,
        '/bookings',
        Buffer.concat([Buffer.from('{"notes":"'), notUtf8, Buffer.from('"}')]),
      ),
    invalid(''),
  ],
  ...['firstName', 'lastName', 'email', 'phone'].map(
    (field): NastyCase => ['N-17', `NUL in ${field}`, ...person(field, 'a\u0000b')],
  ),
  ...['notes', 'pickupLocation', 'dropoffLocation'].map(
    (field): NastyCase => ['N-17', `NUL in ${field}`, ...text(field, 'a\u0000b')],
  ),
  ['N-18', 'half a surrogate pair in notes', ...text('notes', '\ud800')],
  ['N-18', 'half a surrogate pair in a name', ...person('lastName', 'a\udc00b')],
  ['N-19', 'U+0001 in a name', ...person('firstName', 'a\u0001b')],
  ['N-19', 'DEL in a name', ...person('firstName', 'a\u007fb')],
  ['N-19', 'U+0085 in a name', ...person('firstName', 'a\u0085b')],
  ['N-19', 'U+0001 in notes', ...text('notes', 'a\u0001b')],
  ...['\u202a', '\u202e', '\u2066', '\u2069'].flatMap((mark): NastyCase[] => [
    ['N-19', `a name that turns with ${escaped(mark)}`, ...person('firstName', `a${mark}b`)],
    ['N-19', `a place that turns with ${escaped(mark)}`, ...text('pickupLocation', `a${mark}b`)],
  ]),
  ['N-19', 'turned text in notes, kept as it is', ...text('notes', 'a\u202eb\u202c', ok(202))],
  ['N-19', 'U+200F, kept as it is', ...person('firstName', 'a\u200fb', ok(202))],
  ...['\u2028', '\u2029'].flatMap((separator): NastyCase[] => [
    ['N-19', `${escaped(separator)} in a name`, ...person('lastName', `a${separator}b`)],
    ['N-19', `${escaped(separator)} in a place`, ...text('dropoffLocation', `a${separator}b`)],
    ['N-19', `${escaped(separator)} in notes`, ...text('notes', `a${separator}b`)],
  ]),
  ['N-19', 'a space of no width, kept as it is', ...person('firstName', 'a\u200bb', ok(202))],
  ['N-20', 'a line break in an e-mail', ...person('email', 'a@b.co\r\nBcc: x@y.z')],
  ['N-20', 'a line break in a name', ...person('lastName', 'a\r\nBcc: x@y.z')],
  ['N-20', 'a line break in a place', ...text('pickupLocation', 'a\nb')],
  ...[
    ...[
      '',
      '   ',
      '\u00a0',
      '\ufeff',
      '\u200b',
      '\u2060\u2060',
      '\u2800',
      '\u3164',
      '\u115f',
      '\uffa0',
    ],
    ...['\u034f', '\ufe0f', '\u00ad', '\u200f', '\u0301', '\u{e0041}', '\ue000', ' \u2800\u200d '],
  ].map(
    (blank): NastyCase => [
      'N-21',
      `a name of nothing visible ${escaped(blank)}`,
      ...person('firstName', blank),
    ],
  ),
  ['N-22', 'a name of 10,000', ...person('lastName', 'a'.repeat(10_000))],
  ['N-22', '255 emoji', ...person('lastName', '😀'.repeat(255))],
  ['N-22', '100 emoji', ...person('lastName', '😀'.repeat(100), ok(202))],
  ['N-22', '1,000 combining marks', ...person('lastName', `a${'\u0301'.repeat(1_000)}`)],
  ['N-22', 'notes of 2,001', ...text('notes', 'a'.repeat(2_001))],
  ...[null, [], 'x', undefined].map(
    (value): NastyCase => [
      'N-23',
      `a customer that is ${JSON.stringify(value)}`,
      ...text('customer', value),
    ],
  ),
  ['N-23', 'more about the customer', ...person('age', 7, ok(202))],
  ...[
    'a',
    'a@',
    'a@b..c',
    '"a b"@c.de',
    `${'a'.repeat(320)}@b.co`,
    'a@-b.co',
    'a\u200b@b.co',
    7,
  ].map(
    (email): NastyCase => [
      'N-24',
      `the e-mail ${String(email).slice(0, 20)}`,
      ...person('email', email),
    ],
  ),
  ...['a'.repeat(60_000), `a@${'a.'.repeat(30_000)}`, `a@${'a-'.repeat(30_000)}`].map(
    (email): NastyCase => ['N-24', `60,000 of ${email.slice(0, 5)}`, ...person('email', email)],
  ),
  ['N-25', '60,000 digits', ...person('phone', '1'.repeat(60_000))],
  ['N-21', '60,000 blanks that are none', ...person('firstName', '\u2800'.repeat(20_000))],
  ['N-24', 'spaces around an e-mail', ...person('email', ' a@b.co ', ok(202))],
  ...['a@b', 'r&d@example.com', 'a=b@example.com', 'müller@exämple.de', 'x@y.xn--p1ai'].map(
    (email): NastyCase => ['N-24', `the e-mail ${email}`, ...person('email', email, ok(202))],
  ),
  ...['<script>', '+', '1'.repeat(1_000), '+1 (2', 12345678, '１２３４５'].map(
    (phone): NastyCase => [
      'N-25',
      `the phone ${String(phone).slice(0, 20)}`,
      ...person('phone', phone),
    ],
  ),
  ...[null, '', '  ', '\u200e'].map(
    (nothing): NastyCase => [
      'N-25',
      `no phone: ${escaped(String(nothing))}`,
      ...person('phone', nothing, ok(202)),
    ],
  ),
  ['N-26', 'markup and code in notes', ...text('notes', markup, ok(202))],
  [
    'N-27',
    'a quote in capitals',
    async (world) =>
      post(world, '/bookings', { customer, quoteId: (await world.quote()).toUpperCase() }),
    ok(202),
  ],
  ...[
    (id: string) => `urn:uuid:${id}`,
    (id: string) => `{${id}}`,
    (id: string) => id.replaceAll('-', ''),
    (id: string) => `${id}\n`,
    () => 7,
    () => null,
  ].map(
    (spell, index): NastyCase => [
      index === 0 ? 'N-28' : 'N-29',
      `a quote spelled ${spell('…')}`,
      async (world) => post(world, '/bookings', { customer, quoteId: spell(await world.quote()) }),
      invalid('quoteId'),
    ],
  ),
  [
    'N-29',
    'the nil UUID',
    bookingWith({ quoteId: '00000000-0000-0000-0000-000000000000' }),
    refused(404, 'QUOTE_NOT_FOUND'),
  ],
  [
    'N-62',
    'the quote of a session',
    async (world) => {
      const session = { origin: world.origin, 'x-session-token': await world.session() }
      return post(world, '/bookings', goodBooking(await world.quote(world.key, session)))
    },
    refused(403, 'QUOTE_SESSION_MISMATCH'),
  ],
  [
    'N-62',
    'the quote of another key',
    async (world) => post(world, '/bookings', goodBooking(await world.quote(world.otherKey))),
    refused(404, 'QUOTE_NOT_FOUND'),
  ],
  [
    'N-63',
    'the id of a quote as a booking',
    async (world) => get(world, `/bookings/${await world.quote()}`),
    refused(404, 'NOT_FOUND'),
  ],
  [
    'N-63',
    'a booking that never was',
    (world) => get(world, `/bookings/${randomUUID()}`),
    refused(404, 'NOT_FOUND'),
  ],
  ['F-6', 'a status of one’s own', bookingWith({ status: 'confirmed', total: '0' }), ok(202)],
]
