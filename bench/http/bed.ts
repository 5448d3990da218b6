import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { type MeasuredServer, startServer } from './processes.ts'
import { insertQuotes, type QuoteExample, readExample } from './quotes.ts'
import type { Round } from './rows.ts'
import { fullSize, type SeededCaller, type SeedSize, seed } from './seed.ts'
import { openStores, type Stores } from './stores.ts'

/** Everything that is measured: seeded stores, the API as operators run it, and its floor. */
export interface Bed {
  readonly api: MeasuredServer
  /** One of every build, `api` first. */
  readonly apis: readonly MeasuredServer[]
  readonly floor: MeasuredServer
  readonly stores: Stores
  readonly round: Round
  readonly example: QuoteExample
  close(): Promise<void>
}

const compiled = join(import.meta.dirname, '../..')
/** More than any machine books in a round. */
const quotesPerRound = 25_000
/** Limits are counted, but never refuse. */
const roomy = '1000000000'

function apiEnvironment({ databaseUrl, redisUrl }: Stores): Record<string, string> {
  return {
    ...{ NODE_ENV: 'production', DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    SESSION_SECRETS: randomBytes(32).toString('hex'),
    LIMIT_READS_PER_MINUTE: roomy,
    LIMIT_QUOTES_PER_MINUTE: roomy,
    LIMIT_SESSIONS_PER_MINUTE: roomy,
    LIMIT_BOOKINGS_PER_MINUTE: roomy,
    LIMIT_BOOKINGS_PER_DAY: roomy,
    LIMIT_UNAUTHENTICATED_PER_MINUTE: roomy,
    LIMIT_VISITOR_SESSIONS_PER_MINUTE: roomy,
    LIMIT_VISITOR_QUOTES_PER_MINUTE: roomy,
    LIMIT_VISITOR_BOOKINGS_PER_MINUTE: roomy,
  }
}

/** The image's own, for the floor, too. */
const nodeOptions = ['--max-semi-space-size=32']
const ownScript = join(compiled, '../../dist/server.js')

/** Starts an API server on the stores, the way the image does. */
export function startApi(stores: Stores, script = ownScript): Promise<MeasuredServer> {
  // Such as `--cpu-prof --cpu-prof-dir=.cache/profiles`, to see where the time goes.
  const more = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []
  return startServer(script, apiEnvironment(stores), [...nodeOptions, ...more])
}

/** Seeds the stores, starts the servers and gives the floor the bytes that the API sends. */
export async function makeBed(
  say: (text: string) => void,
  size: SeedSize = fullSize,
  scripts: readonly string[] = [ownScript],
): Promise<Bed> {
  const stores = await openStores()
  say('seeding')
  const callers = await seed(stores.databaseUrl, size)
  say('starting servers')
  const env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl }
  const floor = await startServer(join(compiled, 'bench/http/floor.js'), env, nodeOptions)
  const apis: MeasuredServer[] = []
  for (const script of scripts) apis.push(await startApi(stores, script))
  const [api] = apis
  if (api === undefined) throw new Error('There is no server to measure')
  say('reading every list once')
  const etags = new Map<string, string>()
  for (const each of apis) await readLists(each, callers, etags)
  const example = await keepExamples({ api, floor, stores, callers })
  return {
    ...{ api, apis, floor, stores, example },
    round: {
      callers,
      etag: (of) => etags.get(of) ?? '',
      freshQuotes: () => insertQuotes(stores.databaseUrl, callers, example, quotesPerRound),
    },
    async close() {
      for (const each of [...apis, floor]) await each.stop()
      await stores.stop()
    },
  }
}

async function readLists(
  api: MeasuredServer,
  callers: readonly SeededCaller[],
  etags: Map<string, string>,
): Promise<void> {
  for (const caller of callers) {
    for (const path of ['/api/v1/asset-groups', ratesPath(caller)]) {
      const response = await call(api, path, caller)
      etags.set(`${caller.tenantId} ${path}`, response.headers.get('etag') ?? '')
      await response.arrayBuffer()
    }
  }
}

interface Parties {
  readonly api: MeasuredServer
  readonly floor: MeasuredServer
  readonly stores: Stores
  readonly callers: readonly SeededCaller[]
}

async function keepExamples({ api, floor, stores, callers }: Parties): Promise<QuoteExample> {
  const [caller] = callers
  if (caller === undefined) throw new Error('Nothing was seeded')
  const groups = await call(api, '/api/v1/asset-groups', caller)
  const rates = await call(api, ratesPath(caller), caller)
  const pickup = new Date(Date.now() + 7 * 86_400_000)
  const quote = await call(api, '/api/v1/quotes', caller, {
    assetGroupId: caller.groupId,
    pickupDatetime: pickup.toISOString(),
    dropoffDatetime: new Date(pickup.getTime() + 3 * 86_400_000).toISOString(),
  })
  const example = await readExample(stores.databaseUrl, (await quote.json()) as object)
  const kept = { groups: await groups.json(), rates: await rates.json(), quote: example.answer }
  for (const [name, content] of Object.entries({ ...kept, ...example })) {
    await fetch(`http://127.0.0.1:${floor.port}/keep/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
    })
  }
  return example
}

const ratesPath = ({ groupId }: SeededCaller) => `/api/v1/asset-groups/${groupId}/rates`

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
