import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/auth/apiKeys.ts'
import { countAvailability } from '../../src/db/availability.ts'
import { findBooking, redeemQuote } from '../../src/db/bookings.ts'
import { readCatalog } from '../../src/db/catalog.ts'
import { closeDatabase, openDatabase } from '../../src/db/client.ts'
import { findKey } from '../../src/db/keys.ts'
import { placement, tenantFunctions } from '../../src/db/placement.ts'
import { insertQuote } from '../../src/db/quotes.ts'
import { requestTimeouts } from '../../src/db/timeouts.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { createTestRedis, type TestRedis } from '../helpers/redis.ts'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { commandLineOn } from '../operator/commandLine.ts'
import { type ClusterDatabase, createClusterDatabase, rowsOf } from './cluster.ts'
import { type Plan, watchPlans } from './plans.ts'

const demoFleet = readFileSync(join(import.meta.dirname, '../../examples/fleet.json'), 'utf8')
const slugs = ['north', 'south', 'east', 'west', 'inland', 'island']
const toldMs = 2_000

let cluster: ClusterDatabase
let redis: TestRedis
let replicas: Replica[]
let key: { id: string; key: string }
let shop: { tenantId: string; assetGroups: { id: string }[] }

/** The command line on the coordinator; what it prints as JSON. */
async function rental<T>(argv: readonly string[], stdin = ''): Promise<T> {
  const { exitCode, out, error } = await commandLineOn(cluster.coordinator)([...argv, '--json'], {
    stdin,
  })
  expect({ exitCode, error: exitCode === 0 ? '' : error }).toEqual({ exitCode: 0, error: '' })
  return JSON.parse(out) as T
}
const newKey = (tenant: string) =>
  rental<typeof key>(['keys', 'create', '--tenant', tenant, '--name', 'k', '--scopes', 'all'])

async function call(
  n: number,
  path: string,
  body?: object,
  secret = key.key,
  idempotencyKey: string = randomUUID(),
) {
  const answer = await fetch(`${replicas[n % 2]?.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { data, error } = (await answer.json()) as {
    data: Record<string, string>
    error: { code: string }
  }
  return { status: answer.status, data, code: error?.code }
}
const period = { pickupDatetime: '2035-05-01T10:00:00Z', dropoffDatetime: '2035-05-03T10:00:00Z' }
const quote = async (n = 0) => {
  const made = await call(n, '/quotes', { assetGroupId: shop.assetGroups[0]?.id, ...period })
  expect(made.status).toBe(201)
  return made.data
}
const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
const book = (n: number, quoteId: string | undefined, idempotencyKey?: string) =>
  call(n, '/bookings', { quoteId, customer }, key.key, idempotencyKey)

beforeAll(async () => {
  cluster = await createClusterDatabase()
  await rental(['migrate'])
  shop = await rental(['fleet', 'import', '-'], demoFleet)
  key = await newKey('fjord-cars')
  await rental(['distribute'])
  redis = await createTestRedis()
  // As in production: on the workers, and told of changes by the coordinator.
  replicas = await Promise.all(
    cluster.workers.slice(0, 2).map((databaseUrl) =>
      startReplica({
        ...{ databaseUrl, redisUrl: redis.url },
        env: { DATABASE_DIRECT_URL: cluster.coordinator },
      }),
    ),
  )
})
afterAll(async () => {
  await Promise.all((replicas ?? []).map((replica) => replica.kill()))
  await redis?.release()
  await cluster?.drop()
})

describe('distribute', () => {
  it('puts every table and function in its place, and again changes nothing', async () => {
    const tables = Object.entries(placement).flatMap(([kind, names]) =>
      names.map((name) => ({ name, kind })),
    )
    expect(await rental(['distribute'])).toEqual({ tables, functions: tenantFunctions })
    expect(await rental(['distribute', '--dry-run'])).toMatchObject({ tables: [] })
    expect(await rental(['migrate'])).toMatchObject({ applied: 0 })
  })

  it('keeps every foreign key, and the rows of before on the coordinator are gone', async () => {
    const text = `select count(*)::int as keys from pg_constraint
      where contype = 'f' and conrelid = 'bookings'::regclass`
    expect(await rowsOf(cluster.coordinator, text)).toEqual([{ keys: 3 }])
    const size = `select pg_relation_size('rates')::int as bytes`
    expect(await rowsOf(cluster.coordinator, size)).toEqual([{ bytes: 0 }])
  })

  it('of an empty database, cut off in the middle, is done by the next run', async () => {
    const empty = await createClusterDatabase()
    try {
      const line = commandLineOn(empty.coordinator)
      await line(['migrate'])
      const first = line(['distribute'])
      await waitFor(async () => {
        const ended = await rowsOf(
          empty.coordinator,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
           and application_name = 'rental migrate' and query like '%create_distributed_table%'`,
        )
        return ended.length > 0
      }, 30_000)
      expect((await first).exitCode).toBe(1)
      expect(await rowsOf(empty.coordinator, 'select from citus_tables')).toEqual([])
      expect(await line(['distribute'])).toMatchObject({ exitCode: 0 })
    } finally {
      await empty.drop()
    }
  })
})

describe('replicas on workers', () => {
  it('are ready', async () => {
    for (const { url } of replicas) expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('keep the contract', async () => {
    const line = commandLineOn(cluster.coordinator)
    const options = ['--base-url', replicas[0]?.url ?? '', '--key', key.key]
    const { exitCode, out } = await line(['conform', ...options])
    expect({ exitCode, out: exitCode === 0 ? '' : out }).toEqual({ exitCode: 0, out: '' })
  })

  it('redeem a quote once, however many ask both of them at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { quoteId } = await quote(round)
      const storm = await Promise.all(Array.from({ length: 50 }, (_, n) => book(n, quoteId)))
      const codes = storm.map(({ status, code }) => code ?? status)
      expect(codes.filter((code) => String(code) === '202')).toHaveLength(1)
      expect(codes.filter((code) => code === 'QUOTE_ALREADY_USED')).toHaveLength(49)
    }
  })

  it('give one answer to one idempotency key, or say that it is in progress', async () => {
    const { quoteId } = await quote()
    const idempotencyKey: string = randomUUID()
    const storm = await Promise.all(
      Array.from({ length: 50 }, (_, n) => book(n, quoteId, idempotencyKey)),
    )
    for (const { status, code } of storm) {
      expect([202, 'REQUEST_IN_PROGRESS']).toContain(code ?? status)
    }
    const ids = storm.flatMap(({ data }) => data?.['bookingId'] ?? [])
    expect(new Set(ids).size).toBe(1)
  })

  it('refuse a revoked key within two seconds', async () => {
    const { id, key: secret } = await newKey('fjord-cars')
    for (const n of [0, 1])
      expect((await call(n, '/asset-groups', undefined, secret)).status).toBe(200)
    await rental(['keys', 'revoke', id])
    for (const n of [0, 1]) {
      await waitFor(
        async () => (await call(n, '/asset-groups', undefined, secret)).code === 'API_KEY_REVOKED',
        toldMs,
      )
    }
  })

  it('sell no old price after rates or terms were changed by hand, on any node', async () => {
    const changes = [
      'update rates set daily_minor = daily_minor + 100',
      `update tenants set tax_percent = tax_percent + 1 where id = '${shop.tenantId}'`,
    ]
    let before = await Promise.all([quote(0), quote(1)])
    for (const [change, node] of [
      [changes[0], cluster.coordinator],
      [`${changes[0]} where tenant_id = '${shop.tenantId}'`, cluster.workers[1]],
      [changes[1], cluster.coordinator],
    ] as const) {
      await runStatements(node ?? '', change ?? '')
      const after = await Promise.all([quote(0), quote(1)])
      for (const n of [0, 1] as const) expect(after[n]['total']).not.toBe(before[n]['total'])
      before = after
    }
  })
})

describe('staff, through the coordinator', () => {
  it('import six fleets at once', async () => {
    const imports = slugs.map((slug) =>
      rental<typeof shop>(['fleet', 'import', '-'], JSON.stringify(fleetOf(20, slug))),
    )
    expect(new Set((await Promise.all(imports)).map(({ tenantId }) => tenantId)).size).toBe(6)
  })

  it('decide on bookings, erase, keep house and audit', async () => {
    const bookingId = (await book(0, (await quote())['quoteId'])).data['bookingId'] ?? ''
    await rental(['bookings', 'confirm', bookingId, '--as', 'kari'])
    expect((await call(1, `/bookings/${bookingId}`)).data['status']).toBe('confirmed')
    await rental(['bookings', 'list', '--tenant', 'fjord-cars'])
    await rental(['quotes', 'explain', bookingId])
    await rental(['bookings', 'cancel', bookingId, '--as', 'kari'])
    await rental(['customers', 'erase', '--email', customer.email, '--as', 'kari'])
    await runStatements(
      cluster.coordinator,
      `update idempotency_records set created_at = now() - interval '2 days'`,
      `update quotes set expires_at = now() - interval '8 days' where used_at is null`,
    )
    const kept = await rental<Record<string, number>>(['maintain'])
    expect(kept['idempotencyRecords']).toBeGreaterThan(0)
    expect(kept['quotes']).toBeGreaterThan(0)
    expect(await rental(['audit'])).toMatchObject({ ok: true })
  })

  it('rotate keys and suspend tenants', async () => {
    const { id } = await newKey('fjord-cars')
    await rental(['keys', 'rotate', id, '--overlap', '1h'])
    await rental(['keys', 'set', id, '--name', 'other'])
    const set = (status: string) => rental(['tenants', 'set', 'fjord-cars', '--status', status])
    await set('suspended')
    await waitFor(async () => (await call(0, '/asset-groups')).code === 'TENANT_SUSPENDED', toldMs)
    await set('active')
    await waitFor(async () => (await call(0, '/asset-groups')).status === 200, toldMs)
  })
})

describe('every statement of the API', () => {
  it.each(['the coordinator', 'a worker'])('is one task on one node, asked of %s', async (node) => {
    const plans: Plan[] = []
    const database = openDatabase({
      url: (node === 'a worker' ? cluster.workers[0] : cluster.coordinator) ?? '',
      ...{ poolMax: 1, preparedStatements: true, timeouts: requestTimeouts, plans: 'byIndex' },
      onConnectionLost() {},
    })
    for (const pool of [database.pool, database.pipeline.pool]) watchPlans(pool, plans)
    try {
      const { tenantId } = shop
      const assetGroupId = shop.assetGroups[0]?.id ?? ''
      const pickupAt = new Date(period.pickupDatetime)
      const dropoffAt = new Date(period.dropoffDatetime)
      // PostgreSQL decides after five runs whether it keeps a plan for all values.
      for (let run = 0; run < 8; run++) {
        await findKey(database, hashApiKey(key.key))
        const catalog = await readCatalog(database, tenantId)
        const window = { from: pickupAt, to: dropoffAt }
        await countAvailability(database.reads, tenantId, assetGroupId, window)
        const stored = await insertQuote(database, {
          ...{ tenantId, assetGroupId, pickupAt, dropoffAt, apiKeyId: key.id, sessionId: null },
          ...{ catalogVersion: catalog?.version ?? '', totalMinor: 1n, currency: 'NOK' },
          ...{ inputs: {} as never, breakdown: {} as never, ttlSeconds: 60 },
        })
        await redeemQuote(database, {
          ...{ tenantId, apiKeyId: key.id, sessionId: null, idempotencyKey: randomUUID() },
          ...{ fingerprint: Buffer.alloc(32), quoteId: stored?.id ?? '', customer },
        })
        await findBooking(database, tenantId, key.id, randomUUID())
      }
      const names = new Set(plans.map(({ statement }) => statement))
      expect(names.size).toBe(9)
      expect(plans.filter(({ tasks }) => tasks !== 1)).toEqual([])
    } finally {
      await closeDatabase(database)
      await runStatements(cluster.coordinator, `delete from idempotency_records`)
    }
  })
})
