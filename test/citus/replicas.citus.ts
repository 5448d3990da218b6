import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase } from '../../src/db/connection/database.ts'
import { requestTimeouts } from '../../src/db/connection/timeouts.ts'
import { commandLineOn, follow, stopFollowing } from '../cli/commandLine.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { runHousekeeping } from '../helpers/housekeeping.ts'
import { databaseUrl, runStatements } from '../helpers/maintenance.ts'
import { openPool } from '../helpers/openPool.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { startLoad } from '../upgrade/load.ts'
import { rowsOf } from './cluster.ts'
import { openWorld, period, type Shop, type World } from './world.ts'

const visibleWithinMs = 2_000
const soonMs = 10_000
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(stopFollowing)
afterAll(() => world?.close())

describe('replicas on workers', () => {
  it('returns 200 from /readyz on every replica', async () => {
    for (const { url } of world.replicas)
      expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
  })

  it('passes the conformance kit on a worker', async () => {
    const line = commandLineOn(world.cluster.owner)
    const options = ['--base-url', world.replicas[0]?.url ?? '', '--key', world.key.key]
    const { exitCode, out } = await line(['conform', ...options])
    expect({ exitCode, out: exitCode === 0 ? '' : out }).toEqual({ exitCode: 0, out: '' })
  })

  it('redeems a quote once when 50 requests reach two replicas', async () => {
    for (let round = 0; round < 10; round++) {
      const { quoteId } = await world.quote(round)
      const storm = await Promise.all(Array.from({ length: 50 }, (_, n) => world.book(n, quoteId)))
      const codes = storm.map(({ status, code }) => code ?? status)
      expect(codes.filter((code) => String(code) === '202')).toHaveLength(1)
      expect(codes.filter((code) => code === 'QUOTE_ALREADY_USED')).toHaveLength(49)
    }
  })

  it('returns one booking or REQUEST_IN_PROGRESS for one Idempotency-Key', async () => {
    const { quoteId } = await world.quote()
    const idempotencyKey: string = randomUUID()
    const storm = await Promise.all(
      Array.from({ length: 50 }, (_, n) => world.book(n, quoteId, idempotencyKey)),
    )
    for (const { status, code } of storm) {
      expect([202, 'REQUEST_IN_PROGRESS']).toContain(code ?? status)
    }
    const ids = storm.flatMap(({ data }) => data?.['bookingId'] ?? [])
    expect(new Set(ids).size).toBe(1)
  })

  it('rejects a revoked key within two seconds', async () => {
    const { id, key: secret } = await world.newKey('fjord-cars')
    for (const n of [0, 1])
      expect((await world.call(n, '/asset-groups', undefined, { secret })).status).toBe(200)
    await world.rental(['keys', 'revoke', id])
    for (const n of [0, 1]) {
      await waitFor(
        async () =>
          (await world.call(n, '/asset-groups', undefined, { secret })).code === 'API_KEY_REVOKED',
        visibleWithinMs,
      )
    }
  })

  it('uses the new price after rates or terms are changed on any node', async () => {
    const changes = [
      'update rates set daily_minor = daily_minor + 100',
      `update tenants set tax_percent = tax_percent + 1 where id = '${world.shop.tenantId}'`,
    ]
    let before = await Promise.all([world.quote(0), world.quote(1)])
    for (const [change, node] of [
      [changes[0], world.cluster.owner],
      [`${changes[0]} where tenant_id = '${world.shop.tenantId}'`, world.cluster.api.workers[1]],
      [changes[1], world.cluster.owner],
    ] as const) {
      await runStatements(node ?? '', change ?? '')
      const after = await Promise.all([world.quote(0), world.quote(1)])
      for (const n of [0, 1] as const) expect(after[n]['total']).not.toBe(before[n]['total'])
      before = after
    }
  })

  it('stores the last use of a key whose row is on every node', async () => {
    const { id, key: secret } = await world.newKey('fjord-cars')
    const third = await world.open(1)
    const headers = { authorization: `Bearer ${secret}` }
    expect((await fetch(`${third.url}/api/v1/asset-groups`, { headers })).status).toBe(200)
    // A replica writes the last uses of keys that it has not stored yet when it stops.
    third.signal('SIGTERM')
    expect(await third.exited).toBe(0)
    expect(await world.rental(['keys', 'show', id])).toMatchObject({
      secrets: [{ lastUsedAt: expect.any(String) }],
    })
  })

  it('deletes old records of tenants on every node', async () => {
    for (const n of [0, 1]) await world.quote(n)
    await runStatements(
      world.cluster.owner,
      `update quotes set expires_at = now() - interval '8 days' where used_at is null`,
      `update idempotency_records set created_at = now() - interval '2 days'`,
    )
    const options = { poolMax: 2, timeouts: requestTimeouts, plans: 'byIndex' } as const
    const database = openPool(world.cluster.api.workers[0] ?? '', options)
    try {
      const { quotes, idempotencyRecords } = await runHousekeeping(database)
      expect([quotes, idempotencyRecords].map((rows) => rows > 0)).toEqual([true, true])
      expect(await runHousekeeping(database)).toMatchObject({ quotes: 0, idempotencyRecords: 0 })
    } finally {
      await closeDatabase(database)
    }
  })
})

/** Returns a node with the rows of the tenant and another node. */
async function nodesFor(tenantId: string) {
  const [found] = await rowsOf<
    Record<'shard' | 'host' | 'port' | 'otherHost' | 'otherPort', string>
  >(
    world.cluster.owner,
    `select p.shardid as shard, p.nodename as host, p.nodeport as port,
       o.nodename as "otherHost", o.nodeport as "otherPort"
     from pg_dist_shard_placement p, pg_dist_node o
     where p.shardid = get_shard_id_for_distribution_column('bookings', $1::uuid)
       and o.groupid > 0 and (o.nodename, o.nodeport) <> (p.nodename, p.nodeport) limit 1`,
    tenantId,
  )
  if (found === undefined) throw new Error('No node has the tenant')
  return found
}

describe('node move and failure', () => {
  it('moves a tenant to another node under load without lost requests or lost bookings in the feed', async () => {
    const { key } = world.key
    const watching = await follow<{ booking: { id: string } }>(
      world.cluster.owner,
      'bookings',
      'watch',
      '--tenant',
      'fjord-cars',
    )
    const load = startLoad({ urls: world.replicas.map(({ url }) => url), key }, true)
    const { shard, host, port, otherHost, otherPort } = await nodesFor(world.shop.tenantId)
    const move = 'select citus_move_shard_placement($1, $2, $3, $4, $5)'
    await rowsOf(world.cluster.owner, move, shard, host, port, otherHost, otherPort)
    const { failures, bookings } = await load.stop()
    expect({ failures, some: bookings > 0 }).toEqual({ failures: [], some: true })
    await watching.printed(bookings)
    expect(new Set(watching.news.map(({ booking }) => booking.id)).size).toBe(bookings)
    expect(await watching.stop()).toBe(0)
    expect(watching.news).toHaveLength(bookings)
    expect(await nodesFor(world.shop.tenantId)).toMatchObject({ host: otherHost, port: otherPort })
    expect(await world.rental(['audit'])).toMatchObject({ ok: true })
  })

  it('returns 503 only for the tenants of an unavailable node until the node is available again', async () => {
    const { host, port } = await nodesFor(world.shop.tenantId)
    const other = await shopElsewhere({ host, port })
    const onOther = world.cluster.api.workers.findIndex((url) => !url.includes(`${host}:${port}/`))
    const quoteOf = (secret: string, shop: Shop) =>
      world.call(
        onOther,
        '/quotes',
        { assetGroupId: shop.assetGroups[0]?.id, ...period },
        { secret },
      )
    const back = await stopNode(new URL(world.cluster.admin.workers[1 - onOther] ?? ''))
    try {
      const startedMs = performance.now()
      expect(await quoteOf(world.key.key, world.shop)).toMatchObject({ status: 503 })
      expect(performance.now() - startedMs).toBeLessThan(3_000)
      expect(await quoteOf(other.key, other.shop)).toMatchObject({ status: 201 })
    } finally {
      await back()
    }
    await waitFor(async () => (await quoteOf(world.key.key, world.shop)).status === 201, soonMs)
    expect(await world.rental(['audit'])).toMatchObject({ ok: true })
  })
})

/** Creates a tenant whose rows are on another node. */
async function shopElsewhere(than: { host: string; port: string }) {
  for (let n = 0; ; n++) {
    const fleet = JSON.stringify(fleetOf(1, `shop-${n}`))
    const shop = await world.rental<Shop>(['fleet', 'import', '-'], fleet)
    const { host, port } = await nodesFor(shop.tenantId)
    if (host === than.host && port === than.port) continue
    return { shop, key: (await world.newKey(`shop-${n}`)).key }
  }
}

/** Closes the database of a node to connections and returns a function that reopens it. */
async function stopNode(node: URL) {
  const name = node.pathname.slice(1)
  const server = databaseUrl(node.href, 'postgres')
  await runStatements(
    server,
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  return () => runStatements(server, `alter database ${name} allow_connections true`)
}
