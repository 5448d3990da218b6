import { randomUUID } from 'node:crypto'
import { fromNow, inDays } from '../../helpers/dates.ts'
import { get, invalid, type NastyCase, ok, quantity, quoteWith, refused } from './case.ts'

const pickup = (id: string, value: unknown, wanted = invalid('pickupDatetime')): NastyCase => [
  id,
  `a pickup at ${JSON.stringify(value)}`,
  quoteWith({ pickupDatetime: value }),
  wanted,
]
/** A pickup that is only spelled strangely: the period stays two days. */
const spelled = (value: string, dropoffDatetime: string): NastyCase => [
  'N-40',
  `a pickup spelled ${value}`,
  quoteWith({ pickupDatetime: value, dropoffDatetime }),
  ok(201),
]
const period = (
  id: string,
  what: string,
  from: string,
  to: string,
  wanted = ok(201),
): NastyCase => [id, what, quoteWith({ pickupDatetime: from, dropoffDatetime: to }), wanted]
const availability = (id: string, query: string, wanted: NastyCase[3]): NastyCase => [
  id,
  `availability?${query}`,
  (world) => get(world, `/asset-groups/${world.group}/availability?${query}`),
  wanted,
]
const year = new Date().getUTCFullYear() + 1
const leapYear = year + ((4 - (year % 4)) % 4)
const day = `${year}-12-01`
const end = `${year}-12-03T10:00:00Z`
const line = (extra: unknown) => ({ extras: extra })

/** N-30 to N-43 and N-67: quantities, extras, and every way to write a moment wrongly. */
export const quoteFields: readonly NastyCase[] = [
  ...[
    '"5"',
    ...['true', 'null', '[5]', '5.5', '1e400', '-0', '0', '101', '9007199254740993', '2147483648'],
  ].map(
    (value): NastyCase => [
      'N-30',
      `a quantity of ${value}`,
      quantity(value),
      invalid('extras.0.quantity'),
    ],
  ),
  ...['5.0', '1e2'].map(
    (value): NastyCase => ['N-30', `a quantity of ${value}`, quantity(value), ok(201)],
  ),
  ...['x', {}, ''].map(
    (extras): NastyCase => [
      'N-31',
      `extras that are ${JSON.stringify(extras)}`,
      quoteWith(line(extras)),
      invalid('extras'),
    ],
  ),
  [
    'N-31',
    '21 extras',
    quoteWith(({ extra }) =>
      line(Array.from({ length: 21 }, () => ({ extraId: extra, quantity: 1 }))),
    ),
    invalid('extras'),
  ],
  ['N-31', 'no extras', quoteWith(line([])), ok(201)],
  ['N-31', 'null for no extras', quoteWith(line(null)), ok(201)],
  ['N-31', 'extras that are null', quoteWith(line(null)), ok(201)],
  [
    'N-32',
    'the same extra twice',
    quoteWith(({ extra }) =>
      line([
        { extraId: extra, quantity: 1 },
        { extraId: extra, quantity: 2 },
      ]),
    ),
    invalid('extras.1.extraId'),
  ],
  [
    'N-33',
    '20 extras of 100 at ten million',
    quoteWith(({ extras }) => line(extras.map((extraId) => ({ extraId, quantity: 100 })))),
    ok(201),
  ],
  [
    'N-34',
    'an unknown extra',
    quoteWith(line([{ extraId: randomUUID(), quantity: 1 }])),
    refused(404, 'NOT_FOUND'),
  ],
  [
    'N-34',
    "another tenant's extra",
    quoteWith(({ foreignExtra }) => line([{ extraId: foreignExtra, quantity: 1 }])),
    refused(404, 'NOT_FOUND'),
  ],
  ...['2028-02-30', '2038-02-29', '2038-04-31', '2038-13-01', '2038-00-10', '2038-01-00'].map(
    (date) => pickup('N-35', `${date}T10:00:00Z`),
  ),
  period('N-36', 'a leap day', `${leapYear}-02-29T10:00:00Z`, `${leapYear}-03-01T10:00:00Z`),
  pickup('N-37', `${year}-06-30T23:59:60Z`),
  ...['24:00:00', '25:00:00', '10:60:00'].map((time) => pickup('N-38', `${day}T${time}Z`)),
  ...['0000', '-000001', '+275760', '294277', '9999', '1999', '2101'].map((y) =>
    pickup('N-39', `${y}-12-31T23:59:59Z`),
  ),
  ...[
    ...[`${day}T10:00:00`, day, `${day} 10:00:00Z`, `${day}T10:00:00+02`],
    ...[`${day}T10:00:00+25:00`, `${day}T10:00:00+02:60`, `${day}T10:00:00 02:00`],
    ...[`${day}T10:00Z`, 1_800_000_000, '12/01/2038'],
    ...['Wed, 01 Dec 2038 10:00:00 GMT', '', null, `${day}T10:00:00Z\n`, `${day}T10:00:00.Z`],
    ...['２０２７-12-01T10:00:00Z', [day], { day }],
  ].map((value) => pickup('N-40', value)),
  period('N-40', '60,000 letters', 't'.repeat(60_000), end, invalid('pickupDatetime')),
  spelled(`${day}t10:00:00z`, end),
  spelled(`${day}T10:00:00-00:00`, end),
  spelled(`${day}T10:00:00+0200`, end),
  spelled(`${day}T10:00:00.123456789Z`, end),
  period('N-41', 'no length', inDays(3), inDays(3), invalid('dropoffDatetime')),
  period('N-41', 'backwards', inDays(3), inDays(2), invalid('dropoffDatetime')),
  period('N-41', 'one second', inDays(3), inDays(3, 1 / 3600)),
  period('N-41', '367 days', inDays(3), inDays(370), invalid('dropoffDatetime')),
  period('N-41', 'a pickup in the past', fromNow(-3), fromNow(3), invalid('pickupDatetime')),
  period('N-42', '23 hours', '2038-03-28T01:30:00+01:00', '2038-03-29T01:30:00+02:00'),
  period('N-42', '25 hours', '2038-10-31T00:30:00+02:00', '2038-11-01T00:30:00+01:00'),
  availability('N-43', `to=${inDays(2)}`, invalid('query.from')),
  availability('N-43', `from[]=${inDays(1)}&to=${inDays(2)}`, invalid('query.from')),
  availability(
    'N-43',
    `from=${inDays(1)}&from=${inDays(1)}&to=${inDays(2)}`,
    invalid('query.from'),
  ),
  availability(
    'N-43',
    `from=${day}T10:00:00+02:00&to=${day}T12:00:00+02:00`,
    invalid('query.from', 'query.to'),
  ),
  availability('N-43', `from=${inDays(2)}&to=${inDays(1)}`, invalid('query.to')),
  availability('N-43', `from=${inDays(1)}&to=${inDays(3650)}`, invalid('query.to')),
  availability('N-43', `from=%00&to=%ff`, invalid('query.from', 'query.to')),
  availability('N-43', `from=${day}T10:00:00%2B0200&to=${day}T12:00:00%2B0200`, ok(200)),
  availability('N-43', `from=${day}T10:00:00%2B02:00&to=${day}T12:00:00%2B02:00`, ok(200)),
  [
    'N-67',
    'a group without a rate',
    quoteWith(({ groupWithoutRate }) => ({ assetGroupId: groupWithoutRate })),
    refused(422, 'NO_RATE_AVAILABLE'),
  ],
]
