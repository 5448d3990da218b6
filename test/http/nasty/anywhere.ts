import { get, invalid, type NastyCase, ok, post, quoteUnder, refused } from './case.ts'
import { goodBooking, goodQuote, type World } from './world.ts'

type Header = readonly [string, string]
const notFound = refused(404, 'NOT_FOUND')
const badKey = refused(401, 'API_KEY_INVALID')

const groups =
  (headers: (world: World) => readonly Header[], method = 'GET') =>
  (world: World) => ({ method, path: '/api/v1/asset-groups', headers: headers(world) })
const path = (id: string, tail: string, wanted: NastyCase[3]): NastyCase => [
  id,
  tail.slice(0, 40),
  (world) => get(world, tail.replace('<group>', world.group)),
  wanted,
]
const bare = (id: string, whole: string, wanted: NastyCase[3]): NastyCase => [
  id,
  whole,
  ({ key }) => ({ method: 'GET', path: whole, headers: [['X-Api-Key', key]] }),
  wanted,
]
const harmless = (id: string, name: string, value: string): NastyCase => [
  id,
  `${name}: ${value.slice(0, 30)}`,
  (world) => get(world, '/asset-groups', [[name, value]]),
  ok(200),
]
const keySpelled = (spell: (key: string) => string, wanted = badKey): NastyCase => [
  'N-58',
  `a key as ${spell('…')}`,
  groups(({ key }) => [['X-Api-Key', spell(key)]]),
  wanted,
]
const json: Header = ['Content-Type', 'application/json']

/** N-50 to N-66: paths, methods and headers that fit any endpoint. */
export const anywhere: readonly NastyCase[] = [
  path('N-50', '/asset-groups/%zz/rates', refused(400, 'VALIDATION_ERROR')),
  path('N-51', `/asset-groups/${'a'.repeat(101)}/rates`, invalid('params.id')),
  ...['%00', "'%20or%201=1--", '{}', 'undefined', 'null', '1', '*', '%F0%9F%98%80'].map((id) =>
    path('N-52', `/asset-groups/${id}/rates`, invalid('params.id')),
  ),
  path('N-52', '/asset-groups/..%2f..%2f/rates', invalid('params.id')),
  path('N-52', '/asset-groups/<group>/rates?x=1', ok(200)),
  path('N-52', '/asset-groups/<group>/rates/', notFound),
  ...['/API/V1/asset-groups', '//api/v1/asset-groups', '/api/v1/asset-groups/'].map((whole) =>
    bare('N-53', whole, notFound),
  ),
  ...['/api/v1/../../healthz', '/api/v1/%2e%2e/healthz', '/api/v1;x/asset-groups'].map((whole) =>
    bare('N-53', whole, notFound),
  ),
  [
    'N-54',
    'GET with a body',
    (world) => ({ ...get(world, '/asset-groups', [json]), body: '{"x":' }),
    ok(200),
  ],
  [
    'N-55',
    'two Authorization headers',
    groups(({ key, otherKey }) => [
      ['Authorization', `Bearer ${key}`],
      ['Authorization', `Bearer ${otherKey}`],
    ]),
    badKey,
  ],
  [
    'N-56',
    'two X-Api-Key headers',
    groups(({ key }) => [
      ['X-Api-Key', key],
      ['X-Api-Key', key],
    ]),
    badKey,
  ],
  [
    'N-56',
    'two X-Session-Token headers',
    async (world) => {
      const token = await world.session()
      const twice: Header[] = [
        ['X-Session-Token', token],
        ['X-Session-Token', token],
      ]
      return post(world, '/quotes', goodQuote(world), [json, ['Origin', world.origin], ...twice])
    },
    refused(401, 'SESSION_INVALID'),
  ],
  [
    'N-56',
    'two Idempotency-Key headers',
    async (world) =>
      post(world, '/bookings', goodBooking(await world.quote()), [json, ['Idempotency-Key', 'b']]),
    invalid('headers.idempotency-key'),
  ],
  [
    'N-56',
    'two Origin headers',
    (world) =>
      get(world, '/asset-groups', [
        ['Origin', world.origin],
        ['Origin', world.origin],
      ]),
    refused(403, 'ORIGIN_NOT_ALLOWED'),
  ],
  [
    'N-57',
    'an empty Origin is a browser',
    (world) => get(world, '/asset-groups', [['Origin', '']]),
    refused(403, 'ORIGIN_NOT_ALLOWED'),
  ],
  [
    'N-57',
    'an empty Origin, writing',
    quoteUnder([json, ['Origin', '']]),
    refused(403, 'ORIGIN_NOT_ALLOWED'),
  ],
  keySpelled((key) => `${key} `, ok(200)),
  keySpelled((key) => `${key}\t`, ok(200)),
  keySpelled((key) => `"${key}"`),
  keySpelled((key) => `%70${key.slice(1)}`),
  keySpelled((key) => key.toUpperCase()),
  keySpelled((key) => `${key.slice(0, 20)} ${key.slice(20)}`),
  ['N-59', 'latin1 in a key', groups(({ key }) => [['X-Api-Key', `${key}é`]]), badKey],
  [
    'N-59',
    'latin1 in a token',
    (world) =>
      post(world, '/quotes', goodQuote(world), [
        json,
        ['Origin', world.origin],
        ['X-Session-Token', 'é.é.é'],
      ]),
    refused(401, 'SESSION_INVALID'),
  ],
  [
    'N-59',
    'latin1 in an idempotency key',
    (world) => ({
      ...post(world, '/bookings', goodBooking(world.group)),
      headers: [['X-Api-Key', world.key], json, ['Idempotency-Key', 'é']],
    }),
    invalid('headers.idempotency-key'),
  ],
  ...['{"x":1}', `"${'x'.repeat(60 * 1024)}"`, ''].map(
    (body): NastyCase => [
      body === '' ? 'N-61' : 'N-60',
      `a session with the body ${body.slice(0, 10)}`,
      (world) => post(world, '/sessions', body, [json, ['Origin', world.origin]]),
      ok(201),
    ],
  ),
  ...['x', ';', 'a/b; c', 'multipart/form-data'].map(
    (type): NastyCase => [
      'N-61',
      `a session with a body of type ${type}`,
      (world) =>
        post(world, '/sessions', 'hello', [
          ['Content-Type', type],
          ['Origin', world.origin],
        ]),
      ok(201),
    ],
  ),
  [
    'N-60',
    'a session without Origin',
    (world) => post(world, '/sessions', ''),
    invalid('headers.origin'),
  ],
  harmless('N-64', 'Accept', 'text/html'),
  harmless('N-64', 'Accept', 'application/xml'),
  harmless('N-64', 'Accept-Encoding', 'br;q=1.0'),
  harmless('N-65', 'X-HTTP-Method-Override', 'DELETE'),
  path('N-65', '/asset-groups?_method=DELETE', ok(200)),
  harmless('N-66', 'X-Request-Id', 'x'.repeat(10_000)),
  harmless('N-66', 'X-Request-Id', '../../etc%0d%0ax: y'),
]
