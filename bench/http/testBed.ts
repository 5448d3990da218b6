import { deepStrictEqual } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { limitRules } from '../../src/domain/limits.ts'
import { type MeasuredServer, startServer } from './processes.ts'
import { insertQuotes, readQuote } from './quotes.ts'
import type { Round } from './rows.ts'
import { oneBusyTenant, type SeededCaller, seed } from './seed.ts'
import { openStores, type Stores } from './stores.ts'

/** Seeded stores and the servers that are compared on them. */
export interface TestBed {
  readonly stores: Stores
  readonly round: Round
  /** The servers by name: `floor`, `idiomatic`, or a project directory with a `dist`. */
  readonly servers: ReadonlyMap<string, MeasuredServer>
  close(): Promise<void>
}

const compiled = join(import.meta.dirname, '..')
/** Quotes inserted for each round, more than a server can book in it. */
const quotesPerRound = 8_000
const highLimit = '1000000000'

/** Starts a server on the stores: the API as the image runs it, with limits that never reject. */
export function startOn({ databaseUrl, redisUrl }: Stores, name: string): Promise<MeasuredServer> {
  const env = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  if (name === 'floor') return startServer(join(compiled, 'floor.js'), env)
  if (name === 'idiomatic') return startServer(join(compiled, 'idiomatic/server.js'), env)
  const options = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []
  const limits = Object.values(limitRules).map(({ variable }) => [variable, highLimit])
  const own = {
    SESSION_SECRETS: randomBytes(32).toString('hex'),
    LIMIT_UNAUTHENTICATED_PER_MINUTE: highLimit,
    ...Object.fromEntries(limits),
  }
  return startServer(resolve(name, 'dist/server.js'), { ...env, ...own }, options)
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
  const { etag, bodies } = await compareResponses(caller, servers)
  const quote = await requestQuote(api, caller)
  const stored = await readQuote(stores.databaseUrl)
  const floor = servers.get('floor')
  const setup = { callers, bodies: { ...bodies, quote }, stored }
  if (floor !== undefined) await call(floor, '/setup', caller, setup)
  const freshQuotes = () => insertQuotes(stores.databaseUrl, callers, stored, quotesPerRound)
  return {
    stores,
    servers,
    round: { callers, etag, freshQuotes },
    async close() {
      for (const server of servers.values()) await server.stop()
      await stores.stop()
    },
  }
}

const readPaths = ({ groupId, bookingId }: SeededCaller) => ({
  groups: '/api/v1/asset-groups',
  rates: `/api/v1/asset-groups/${groupId}/rates`,
  availability: `/api/v1/asset-groups/${groupId}/availability?from=2035-06-01T10:00:00Z&to=2035-06-04T10:00:00Z`,
  booking: `/api/v1/bookings/${bookingId}`,
})

/**
 * Returns the API's responses to the reads.
 * @throws AssertionError when servers return different bodies, because their work then differs
 */
async function compareResponses(caller: SeededCaller, servers: TestBed['servers']) {
  const bodies: Record<string, unknown> = {}
  let etag = ''
  for (const [name, server] of servers) {
    if (name === 'floor') continue
    for (const [read, path] of Object.entries(readPaths(caller))) {
      const response = await call(server, path, caller)
      if (read === 'groups') etag ||= response.headers.get('etag') ?? ''
      const body = await response.json()
      bodies[read] ??= body
      deepStrictEqual(body, bodies[read], `${name} returns something else for ${path}`)
    }
  }
  return { etag, bodies }
}

async function requestQuote(api: MeasuredServer, caller: SeededCaller): Promise<unknown> {
  const [pickupDatetime, dropoffDatetime] = ['2035-06-01T10:00:00Z', '2035-06-04T10:00:00Z']
  const body = { assetGroupId: caller.groupId, pickupDatetime, dropoffDatetime }
  return (await call(api, '/api/v1/quotes', caller, body)).json()
}

async function call(server: MeasuredServer, path: string, { key }: SeededCaller, body?: object) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}
