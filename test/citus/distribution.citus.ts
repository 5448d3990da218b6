import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/auth/keyFormat.ts'
import { closeDatabase } from '../../src/db/connection/database.ts'
import { requestTimeouts } from '../../src/db/connection/timeouts.ts'
import { placement, tenantFunctions } from '../../src/db/distribution/placement.ts'
import { migrateDatabase } from '../../src/db/migrations/migrate.ts'
import { countAvailability } from '../../src/db/queries/bookings/availability.ts'
import { findBooking, redeemQuote } from '../../src/db/queries/bookings/redeemQuote.ts'
import { catalogReader } from '../../src/db/queries/catalog/loadCatalog.ts'
import { findKey } from '../../src/db/queries/keys/keyLookup.ts'
import { quoteStore } from '../../src/db/queries/quotes/storeQuote.ts'
import { commandLineOn, follow, stopFollowing } from '../cli/commandLine.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { withDefinition, withMigration } from '../helpers/migrations.ts'
import { openPool } from '../helpers/openPool.ts'
import { createTestRedis } from '../helpers/redis.ts'
import { openRental } from '../helpers/rental.ts'
import { startReplica } from '../helpers/replica.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { startLoad } from '../upgrade/load.ts'
import { createClusterDatabase, rowsOf } from './cluster.ts'
import { type Plan, watchPlans } from './plans.ts'
import { customer, openShop, period } from './world.ts'

let open: Awaited<ReturnType<typeof openShop>>
let rowsBefore: Awaited<ReturnType<typeof readRows>>
beforeAll(async () => {
  open = await openShop()
  await useDatabase(open)
  rowsBefore = await readRows(open.cluster.owner)
  await open.rental(['distribute'])
})
afterAll(() => open?.cluster.drop())
afterEach(stopFollowing)

/** Adds a tenant with an unused quote, and with a confirmed booking in the feed. */
async function useDatabase({ cluster, rental }: typeof open) {
  const database = openPool(cluster.owner)
  const used = await openRental(database, fleetOf(1, 'used-cars'))
  await used.quote('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
  const id = await used.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
  await closeDatabase(database)
  await rental(['bookings', 'confirm', id])
  const feed = ['bookings', 'watch', '--tenant', used.fleet.slug, '--since', '0'] as const
  const watching = await follow(cluster.owner, ...feed)
  await watching.printed(2)
  await watching.stop()
}

/** Returns the number of rows and a hash of all rows of each table. */
async function readRows(url: string) {
  const hashes = Object.values(placement)
    .flat()
    .map(
      (name) => `select '${name}' as name, count(*)::int as rows,
        md5(string_agg(md5(t::text), '' order by md5(t::text))) as hash from ${name} t`,
    )
  return rowsOf<{ name: string; rows: number }>(url, hashes.join(' union all '))
}

describe('rental distribute', () => {
  it('keeps every row of a database in use, and the triggers', async () => {
    expect(rowsBefore.filter(({ rows }) => rows === 0)).toEqual([])
    expect(await readRows(open.cluster.owner)).toEqual(rowsBefore)
    const raising = `select distinct regexp_replace(tgrelid::regclass::text, '_\\d+$', '') as name
      from pg_trigger where tgrelid::regclass::text ~ '_\\d+$' and not tgisinternal order by name`
    const offered = [{ name: 'asset_groups' }, { name: 'extras' }, { name: 'rates' }]
    for (const worker of open.cluster.admin.workers)
      expect(await rowsOf(worker, raising)).toEqual(offered)
  })

  it('distributes every table and function, and changes nothing on a second run', async () => {
    const tables = Object.entries(placement).flatMap(([kind, names]) =>
      names.map((name) => ({ name, kind })),
    )
    expect(await open.rental(['distribute'])).toEqual({ tables, functions: tenantFunctions })
    expect(await open.rental(['distribute', '--dry-run'])).toMatchObject({ tables: [] })
    expect(await open.rental(['migrate'])).toMatchObject({ applied: 0 })
  })

  it('keeps foreign keys and leaves no rows on the coordinator', async () => {
    const text = `select count(*)::int as keys from pg_constraint
      where contype = 'f' and conrelid = 'bookings'::regclass`
    expect(await rowsOf(open.cluster.owner, text)).toEqual([{ keys: 3 }])
    const size = `select pg_relation_size('rates')::int as bytes`
    expect(await rowsOf(open.cluster.owner, size)).toEqual([{ bytes: 0 }])
  })

  it('grants the API role read access on every node, including views of later migrations', async () => {
    const release = withMigration('create view quoted as select tenant_id, id from quotes')
    await migrateDatabase(open.cluster.owner, { release })
    const newer = withDefinition('9.0.0', 'catalogs', (sql) =>
      sql.replace('\nFROM tenants', ', t.slug\nFROM tenants'),
    )
    await migrateDatabase(open.cluster.owner, { release: newer })
    await migrateDatabase(open.cluster.owner, { back: true })
    const { coordinator, workers } = open.cluster.api
    for (const node of [coordinator, ...workers])
      for (const view of ['catalogs', 'quoted'])
        expect(await rowsOf(node, `select from ${view} limit 0`)).toEqual([])
  })

  it('distributes an empty database after an interrupted run', async () => {
    const empty = await createClusterDatabase()
    try {
      const line = commandLineOn(empty.owner)
      await line(['migrate'])
      const first = line(['distribute'])
      await waitFor(async () => {
        const ended = await rowsOf(
          empty.owner,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
           and application_name = 'rental migrate' and query like '%create_distributed_table%'`,
        )
        return ended.length > 0
      }, 30_000)
      expect((await first).exitCode).toBe(1)
      expect(await rowsOf(empty.owner, 'select from citus_tables')).toEqual([])
      expect(await line(['distribute'])).toMatchObject({ exitCode: 0 })
    } finally {
      await empty.drop()
    }
  })

  it('blocks requests under load, and the same replica serves requests afterwards', async () => {
    const { cluster, rental, key } = await openShop()
    const redis = await createTestRedis()
    const before = { databaseUrl: cluster.api.coordinator, redisUrl: redis.url }
    const replica = await startReplica(before)
    try {
      const target = { urls: [replica.url], key: key.key }
      const load = startLoad(target)
      await rental(['distribute'])
      // Requests wait for its locks until their lock timeout.
      for (const failure of (await load.stop()).failures) expect(failure).toContain('UNAVAILABLE')
      const after = startLoad(target)
      await rental(['audit'])
      const { failures, bookings } = await after.stop()
      expect({ failures, some: bookings > 0 }).toEqual({ failures: [], some: true })
    } finally {
      await replica.kill()
      await redis.release()
      await cluster.drop()
    }
  })
})

describe('API statements', () => {
  it.each(['the coordinator', 'a worker'])(
    'runs each statement as one task on one node through %s',
    async (node) => {
      const plans: Plan[] = []
      const { workers, coordinator } = open.cluster.api
      const url = (node === 'a worker' ? workers[0] : coordinator) ?? ''
      const database = openPool(url, { timeouts: requestTimeouts, plans: 'byIndex' })
      for (const pool of [database.pool, database.pipeline.pool]) watchPlans(pool, plans)
      try {
        const { tenantId } = open.shop
        const storeQuote = quoteStore(database)
        const assetGroupId = open.shop.assetGroups[0]?.id ?? ''
        const pickupAt = new Date(period.pickupDatetime)
        const dropoffAt = new Date(period.dropoffDatetime)
        // PostgreSQL decides after five runs whether to use a generic plan.
        for (let run = 0; run < 8; run++) {
          await findKey(database, hashApiKey(open.key.key))
          const catalog = await catalogReader(database)(tenantId)
          const window = { from: pickupAt, to: dropoffAt }
          await countAvailability(database.reads, tenantId, assetGroupId, window)
          const stored = await storeQuote({
            ...{
              tenantId,
              assetGroupId,
              pickupAt,
              dropoffAt,
              apiKeyId: open.key.id,
              sessionId: null,
            },
            catalogVersion: catalog?.version ?? '',
            totalMinor: 1n,
            currency: 'NOK',
            inputs: {} as never,
            breakdown: {} as never,
            ttlSeconds: 60,
          })
          await redeemQuote(database, {
            tenantId,
            apiKeyId: open.key.id,
            sessionId: null,
            idempotencyKey: randomUUID(),
            quoteId: stored?.id ?? '',
            details: { customer },
          })
          await findBooking(database, tenantId, open.key.id, randomUUID())
        }
        const names = new Set(plans.map(({ statement }) => statement))
        expect(names.size).toBe(9)
        expect(plans.filter(({ tasks }) => tasks !== 1)).toEqual([])
      } finally {
        await closeDatabase(database)
        await runStatements(open.cluster.owner, `delete from idempotency_records`)
      }
    },
  )
})
