import { deepStrictEqual } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { type MeasuredServer, startServer } from './processes.ts'
import { insertQuotes, type QuoteExample, readExample } from './quotes.ts'
import type { Round } from './rows.ts'
import { oneBusyTenant, type SeededCaller, seed } from './seed.ts'
import { openStores, type Stores } from './stores.ts'

/** Seeded stores and the servers that are compared on them. */
export interface TestBed {
  readonly stores: Stores
  readonly round: Round
  /** By the names they were asked for: `floor`, `idiomatic`, or a project directory with a `dist`. */
  readonly servers: ReadonlyMap<string, MeasuredServer>
  close(): Promise<void>
}

const compiled = join(import.meta.dirname, '..')
/** More than any machine books in a round. */
const quotesPerRound = 8_000
/** The image's own; every server has them. */
const imageOptions = ['--max-semi-space-size=32']
const highLimit = '1000000000'
const limits =
  'READS QUOTES SESSIONS BOOKINGS UNAUTHENTICATED VISITOR_SESSIONS VISITOR_QUOTES VISITOR_BOOKINGS'

/** Starts a server on the stores: the API as the image runs it, with limits that never refuse. */
export function startOn({ databaseUrl, redisUrl }: Stores, name: string): Promise<MeasuredServer> {
  const env = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  if (name === 'floor') return startServer(join(compiled, 'floor.js'), env, imageOptions)
  if (name === 'idiomatic') {
    return startServer(join(compiled, 'idiomatic/server.js'), env, imageOptions)
  }
  const options = [...imageOptions, ...(process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? [])]
  const perMinute = limits.split(' ').map((limit) => [`LIMIT_${limit}_PER_MINUTE`, highLimit])
  return startServer(
    resolve(name, 'dist/server.js'),
    {
      ...{ ...env, SESSION_SECRETS: randomBytes(32).toString('hex') },
      ...{ ...Object.fromEntries(perMinute), LIMIT_BOOKINGS_PER_DAY: highLimit },
    },
    options,
  )
}

/** Seeds the stores and starts the servers, of which the first is the API. */
export async function openTestBed(names: readonly string[], statistics = true): Promise<TestBed> {
  const stores = await openStores({ autovacuum: statistics })
  const callers = await seed(stores.databaseUrl, oneBusyTenant, statistics)
  const servers = new Map<string, MeasuredServer>()
  for (const name of names) servers.set(name, await startOn(stores, name))
  const [api] = servers.values()
  const [caller] = callers
  if (api === undefined || caller === undefined) throw new Error('There is nothing to measure')
  const etags = new Map<string, string>()
  for (const path of readPaths(caller)) await compareResponses(path, caller, servers, etags)
  const example = await exampleQuote(api, stores, caller)
  const floor = servers.get('floor')
  if (floor !== undefined) await storeExamples(api, floor, caller, example)
  return {
    ...{ stores, servers },
    round: {
      callers,
      etag: (of) => etags.get(of) ?? '',
      freshQuotes: () => insertQuotes(stores.databaseUrl, callers, example, quotesPerRound),
    },
    async close() {
      for (const server of servers.values()) await server.stop()
      await stores.stop()
    },
  }
}

const readPaths = ({ groupId, bookingId }: SeededCaller) => [
  '/api/v1/asset-groups',
  `/api/v1/asset-groups/${groupId}/rates`,
  `/api/v1/asset-groups/${groupId}/availability?from=2035-06-01T10:00:00Z&to=2035-06-04T10:00:00Z`,
  `/api/v1/bookings/${bookingId}`,
]

/** @throws AssertionError when two servers return different data */
async function compareResponses(
  path: string,
  caller: SeededCaller,
  servers: TestBed['servers'],
  etags: Map<string, string>,
): Promise<void> {
  let first: unknown
  for (const [name, server] of servers) {
    if (name === 'floor') continue
    const response = await call(server, path, caller)
    const content = await response.json()
    first ??= content
    deepStrictEqual(content, first, `${name} returns something else for ${path}`)
    const etag = response.headers.get('etag')
    if (etag !== null) etags.set(`${caller.tenantId} ${path}`, etag)
  }
}

async function exampleQuote(api: MeasuredServer, stores: Stores, caller: SeededCaller) {
  const pickup = new Date(Date.now() + 7 * 86_400_000)
  const quote = await call(api, '/api/v1/quotes', caller, {
    assetGroupId: caller.groupId,
    pickupDatetime: pickup.toISOString(),
    dropoffDatetime: new Date(pickup.getTime() + 3 * 86_400_000).toISOString(),
  })
  return readExample(stores.databaseUrl, (await quote.json()) as object)
}

/** Gives the floor the bodies that the API sends. */
async function storeExamples(
  api: MeasuredServer,
  floor: MeasuredServer,
  caller: SeededCaller,
  { answer: quote, ...stored }: QuoteExample,
): Promise<void> {
  const [groupsPath = '', ratesPath = ''] = readPaths(caller)
  const groups = await (await call(api, groupsPath, caller)).json()
  const rates = await (await call(api, ratesPath, caller)).json()
  for (const [name, content] of Object.entries({ groups, rates, quote, ...stored })) {
    await call(floor, `/keep/${name}`, caller, content as object)
  }
}

async function call(
  { port }: MeasuredServer,
  path: string,
  { key }: SeededCaller,
  body?: object,
): Promise<Response> {
  const authorization = `Bearer ${key}`
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}
