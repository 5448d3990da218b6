import { gzipSync } from 'node:zlib'
import { inDays } from '../../helpers/dates.ts'
import {
  invalid,
  type NastyCase,
  ok,
  post,
  quoteBytes,
  quoteUnder,
  quoteWith,
  refused,
} from './case.ts'
import { goodQuote } from './world.ts'

const type = (value: string) => [['Content-Type', value]] as const
const unsupported = refused(415, 'UNSUPPORTED_MEDIA_TYPE')
const required = invalid('assetGroupId', 'pickupDatetime', 'dropoffDatetime')
const kilobytes64 = 64 * 1024
const manyKeys = JSON.stringify(Object.fromEntries(Array.from({ length: 4_500 }, (_, n) => [n, n])))

/** N-1 to N-15: bodies that are no JSON, too much of it, or dressed up as something else. */
export const bodies: readonly NastyCase[] = [
  ['N-1', 'an empty body', quoteBytes(''), invalid('')],
  ['N-2', 'no content type', quoteUnder([]), unsupported],
  ['N-3', 'text/plain', quoteUnder(type('text/plain')), unsupported],
  ['N-4', 'a tab in the type', quoteUnder(type('application/json\tx')), unsupported],
  ['N-4', 'a space in front', quoteUnder(type('  application/json')), ok(201)],
  ['N-4', 'garbage behind', quoteUnder(type('application/json garbage')), unsupported],
  ['N-4', 'a longer type', quoteUnder(type('application/jsonx')), unsupported],
  ['N-4', 'capitals', quoteUnder(type('APPLICATION/JSON')), ok(201)],
  ['N-5', 'utf-16', quoteUnder(type('application/json; charset=utf-16')), unsupported],
  ['N-5', 'utf-8', quoteUnder(type('application/json; charset="UTF-8"')), ok(201)],
  [
    'N-6',
    'plain JSON called gzip',
    quoteUnder([...type('application/json'), ['Content-Encoding', 'gzip']]),
    unsupported,
  ],
  [
    'N-6',
    'gzip',
    (world) =>
      post(world, '/quotes', gzipSync(JSON.stringify(goodQuote(world))), [
        ...type('application/json'),
        ['Content-Encoding', 'gzip'],
      ]),
    unsupported,
  ],
  [
    'N-7',
    'a gzip bomb',
    quoteBytes(gzipSync(Buffer.alloc(10 * 1024 * 1024)), [
      ...type('application/json'),
      ['Content-Encoding', 'gzip'],
    ]),
    unsupported,
  ],
  ...['{"a":', '{"a":1,}', "{'a':1}", '{"a":NaN}', '{"a":Infinity}', '{"a":1/*b*/}', '//'].map(
    (text): NastyCase => ['N-8', text, quoteBytes(text), invalid('')],
  ),
  ...['null', '[]', '"x"', '5', 'true'].map(
    (text): NastyCase => ['N-9', text, quoteBytes(text), invalid('')],
  ),
  [
    'N-10',
    '64 KiB and a byte',
    quoteBytes('x'.repeat(kilobytes64 + 1)),
    refused(413, 'PAYLOAD_TOO_LARGE'),
  ],
  ['N-10', '64 KiB', quoteBytes(`"${'x'.repeat(kilobytes64 - 2)}"`), invalid('')],
  ['N-11', '20,000 open lists', quoteBytes('['.repeat(20_000)), invalid('')],
  ['N-11', '20,000 lists', quoteBytes(`${'['.repeat(20_000)}${']'.repeat(20_000)}`), invalid('')],
  ['N-11', '10,000 open objects', quoteBytes('{"a":'.repeat(10_000)), invalid('')],
  [
    'N-11',
    '9,000 objects in each other',
    quoteBytes(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`),
    required,
  ],
  ['N-12', '4,500 fields', quoteBytes(manyKeys), required],
  ...[
    '"__proto__":{"polluted":1}',
    '"constructor":{"prototype":{"polluted":1}}',
    '"x":{"\\u005f_proto__":null}',
  ].map(
    (field): NastyCase => [
      'N-13',
      `an unknown field like any other: ${field}`,
      (world) =>
        post(world, '/quotes', `${JSON.stringify(goodQuote(world)).slice(0, -1)},${field}}`),
      ok(201),
    ],
  ),
  [
    'N-14',
    'a field twice: the last one counts',
    (world) =>
      post(
        world,
        '/quotes',
        `${JSON.stringify(goodQuote(world)).slice(0, -1)},"assetGroupId":"bad"}`,
      ),
    invalid('assetGroupId'),
  ],
  [
    'N-15',
    'a byte order mark',
    (world) => post(world, '/quotes', `\ufeff${JSON.stringify(goodQuote(world))}`),
    ok(201),
  ],
  [
    'F-6',
    'fields that are not the caller’s to set',
    quoteWith({ total: '0.01', currency: 'XXX', tenantId: inDays(1), price: 1 }),
    ok(201),
  ],
]
