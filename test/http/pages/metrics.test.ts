import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { version } from '../../../src/config/projectRoot.ts'
import { openMetrics } from '../../../src/telemetry/metrics.ts'
import { aServer, customer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { scrape } from '../../helpers/metrics.ts'
import { operations } from '../../helpers/operations.ts'
import { exchange } from '../../helpers/rawHttp.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const clients = useHttpClients({ TRUST_PROXY: '127.0.0.1' })
const { server } = clients
/** Port 1 refuses connections. */
const withoutRedis = useTestApp({}, { redisUrl: 'redis://127.0.0.1:1' })

/** Runs `work` and returns how much each series grew. */
async function growth(work: () => Promise<void>): Promise<(series: string) => number> {
  const before = await scrape(server)
  await work()
  const after = await scrape(server)
  return (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0)
}

describe('GET /metrics', () => {
  it('is rendered once for the requests of a second', async () => {
    const app = await buildApp({ ...server.deps, metrics: openMetrics() })
    onTestFinished(() => app.close())
    const read = async () => (await app.inject('/metrics')).body
    const first = await read()
    expect(new Set(await Promise.all(Array.from({ length: 9 }, read)))).toEqual(new Set([first]))
    await waitFor(async () => (await read()) !== first)
  })

  it('counts requests by operation, status and code', async () => {
    const grown = await growth(async () => {
      const partner = clients.partner
      await partner.get('/asset-groups').expect(200)
      await partner.get(`/bookings/${randomUUID()}`).expect(404)
      await server.http.get('/nowhere').expect(404)
      await exchange(server, 'no http\r\n\r\n')
      await server.http.get('/api/v1/asset-groups/%zz/rates').expect(400)
    })
    const requests = (operation: string, status: number, code: string) =>
      grown(
        `rental_http_requests_total{operation="${operation}",status="${status}",code="${code}"}`,
      )
    expect(requests('listAssetGroups', 200, '')).toBe(1)
    expect(requests('getBooking', 404, 'NOT_FOUND')).toBe(1)
    expect(requests('other', 404, 'NOT_FOUND')).toBe(1)
    expect(requests('other', 400, 'VALIDATION_ERROR')).toBe(2)
    const duration = 'rental_http_request_duration_seconds'
    expect(grown(`${duration}_count{operation="listAssetGroups",status="200"}`)).toBe(1)
    // An alert depends on the bucket of one second.
    const { text } = await server.http.get('/metrics')
    for (const le of [0.5, 1, 2.5]) expect(text).toContain(`${duration}_bucket{le="${le}"`)
    for (const le of ['10', '+Inf']) {
      expect(grown(`${duration}_bucket{le="${le}",operation="getBooking",status="404"}`)).toBe(1)
    }
  })

  it('counts quotes, bookings by outcome and replays', async () => {
    const grown = await growth(async () => {
      const partner = clients.partner
      const body = { quoteId: await clients.aQuote(), customer }
      const idempotencyKey = randomUUID()
      await partner.book(body, idempotencyKey).expect(202)
      await partner.book(body, idempotencyKey).expect(202)
      await partner.book(body).expect(409)
      await partner.book({}).expect(400)
      await partner.post('/quotes', {}).expect(400)
    })
    const attempts = (outcome: string, replayed: boolean) =>
      grown(`rental_booking_attempts_total{outcome="${outcome}",replayed="${replayed}"}`)
    expect(grown('rental_quotes_total')).toBe(1)
    expect(attempts('ACCEPTED', false)).toBe(1)
    expect(attempts('ACCEPTED', true)).toBe(1)
    expect(attempts('QUOTE_ALREADY_USED', false)).toBe(1)
    expect(attempts('VALIDATION_ERROR', false)).toBe(0)
  })

  it('counts limit decisions by backend and cache lookups of keys', async () => {
    const limited = await aKey(clients.database(), clients.tenantId, { limits: { reads: 1 } })
    const grown = await growth(async () => {
      for (const status of [200, 429]) {
        await aServer(server, limited.key).get('/asset-groups').expect(status)
      }
    })
    const decisions = (decision: string) =>
      grown(
        `rental_limiter_decisions_total{limit="reads",decision="${decision}",counted_in="redis"}`,
      )
    expect([decisions('allowed'), decisions('refused')]).toEqual([1, 1])
    const lookups = (result: string) =>
      grown(`rental_cache_lookups_total{cache="keys",result="${result}"}`)
    // A notification about the new key can make the second lookup a miss as well.
    expect(lookups('miss')).toBeGreaterThanOrEqual(1)
    expect(lookups('miss') + lookups('hit')).toBe(2)
  })

  it('reports a degraded limiter when Redis is unavailable', async () => {
    await withoutRedis.http.get('/nowhere').expect(404)
    const samples = await scrape(withoutRedis)
    const counter = 'rental_limiter_decisions_total{limit="unauthenticated",decision="allowed"'
    expect(samples.get(`${counter},counted_in="process"}`)).toBe(1)
    expect(samples.get('rental_limiter_degraded')).toBe(1)
    expect((await scrape(server)).get('rental_limiter_degraded')).toBe(0)
  })

  it('reports event loop lag, memory and build', async () => {
    const samples = await scrape(server)
    expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0)
    const build = [...samples.keys()].filter((series) => series.startsWith('rental_build_info'))
    expect(build).toEqual([
      `rental_build_info{version="${version}",node_version="${process.versions.node}"}`,
    ])
  })

  it('adds no series for more keys, tenants, paths and addresses', async () => {
    const visit = async () => {
      const { database } = server.deps
      const tenant = await aTenant(database)
      const own = await aKey(database, tenant)
      const group = await aGroup(database, tenant)
      const address = `203.0.113.${Math.floor(Math.random() * 256)}`
      for (const caller of [own.key, generateApiKey()]) {
        for (const { method, path, body } of operations) {
          const elsewhere = path.replace(/[\da-f-]{36}/, group)
          const actor = aServer(server, caller)
          const headers = { 'x-forwarded-for': address, 'idempotency-key': randomUUID() }
          if (method === 'get') await actor.get(elsewhere, headers)
          else await actor.post(elsewhere, body, headers)
        }
      }
      await server.http.get(`/${randomUUID()}`)
      await server.http.get(`/api/v1/%zz${randomUUID()}`)
    }
    for (let index = 0; index < 2; index += 1) await visit()
    const before = [...(await scrape(server)).keys()]
    for (let index = 0; index < 3; index += 1) await visit()
    const after = [...(await scrape(server)).keys()]
    const ours = (series: readonly string[]) =>
      series.filter((name) => name.startsWith('rental_')).sort()
    expect(ours(after)).toEqual(ours(before))
    expect(after.join()).not.toMatch(/[\da-f]{8}-[\da-f]{4}|203\.0\.113|pk_live/)
  })
})
