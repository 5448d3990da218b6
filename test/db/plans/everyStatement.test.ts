import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { hashApiKey } from '../../../src/auth/keyFormat.ts'
import { parseConfig } from '../../../src/config/environment.ts'
import { placement } from '../../../src/db/distribution/placement.ts'
import { catalogReader } from '../../../src/db/queries/catalog/loadCatalog.ts'
import { findKey } from '../../../src/db/queries/keys/keyLookup.ts'
import { openDependencies } from '../../../src/lifecycle/openDependencies.ts'
import { customer } from '../../helpers/actors.ts'
import { roomyLimits, sessionSecret } from '../../helpers/app.ts'
import { createTestDatabase } from '../../helpers/database.ts'
import { fromNow } from '../../helpers/dates.ts'
import { runHousekeeping } from '../../helpers/housekeeping.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { watchedLog } from '../../helpers/privacy.ts'
import { aKey } from '../../helpers/seed.ts'
import { fill, type IndexAge, prepare } from './fill.ts'
import { explainEverything, type Scan, watchScans } from './watchScans.ts'

const one = { groups: 1, vehiclesPerGroup: 1, bookings: 1 }
const busy = { groups: 20, vehiclesPerGroup: 25, bookings: 8_000 }
const huge = { ...busy, bookings: 100_000 }

const sources = join(import.meta.dirname, '../../../src/db')
const namedStatement = /(?:named\(|runNamed[^(]*\([^,]*,\s*)'(\w+)'/g

/** PostgreSQL decides after five runs whether to cache a generic plan. */
const runs = 7

/** The rows a statement may read from a table per lookup; the default is one. */
const bounds: readonly { statement: RegExp; table: string; rows: number; why: string }[] = [
  { statement: /^select "id", "name"/, table: 'asset_groups', rows: 20, why: 'the list' },
  {
    statement: /asset_group_id as "groupId"/,
    table: 'rates',
    rows: 20,
    why: 'the list of all groups',
  },
  { statement: /^select "id", "name"/, table: 'extras', rows: 20, why: 'the list' },
  { statement: /^with windows/, table: 'assets', rows: 25, why: 'the vehicles of the group' },
  { statement: /^with windows/, table: 'bookings', rows: 120, why: 'those that touch the window' },
]
/** An index of 100,000 rows has three levels; a window also reads the entries of later bookings. */
const pagesOf = (scan: Scan) => (scan.by === 'bookings_overlap_idx' ? 30 : 10) + scan.rows

const isTooMuch = (scan: Scan) => {
  const { statement, table, rows } = scan
  const bound = bounds.find((each) => each.table === table && each.statement.test(statement))
  return scan.by === 'Seq Scan' || rows > (bound?.rows ?? 1) || scan.pages > pagesOf(scan)
}

const tooMuch = (scans: readonly Scan[]) => [
  ...new Set(
    scans
      .filter(isTooMuch)
      .map(({ table, by, rows, pages, statement }) =>
        [
          `${table} by ${by}:`,
          rows,
          'rows',
          Math.round(pages),
          'pages,',
          statement.slice(0, 120),
        ].join(' '),
      ),
  ),
]

/** Opens a service on one connection, so that each plan is made once. */
async function openService(url: string) {
  const environment = { SESSION_SECRETS: sessionSecret, DATABASE_POOL_MAX: '1', ...roomyLimits }
  const now = () => new Date()
  const { deps, close } = await openDependencies(parseConfig(environment), url, watchedLog([]), now)
  const { database } = deps
  const scans = watchScans(database.pool, database.pipeline.pool)
  const app = await buildApp(deps)
  return {
    scans,
    database,
    /** Calls every endpoint, with each error response that queries the database. */
    async use(slug: string) {
      const tenant = await database.pool.query('select id from tenants where slug = $1', [slug])
      const tenantId: string = tenant.rows[0].id
      const { key } = await aKey(database, tenantId)
      scans.length = 0
      const call = callerOf(app, key)
      const groups = await call(200, '/asset-groups')
      for (let run = 1; run <= runs; run++) {
        await findKey(database, hashApiKey(key))
        await catalogReader(database)(tenantId)
        await rent(call, groups[run % groups.length].id, run)
      }
      return tooMuch(scans)
    },
    async keepHouse(slug: string) {
      const erase = 'update tenants set customer_retention_months = 1 where slug = $1'
      await database.pool.query(erase, [slug])
      scans.length = 0
      await runHousekeeping(database)
      // A run reads the list of tenants once.
      return tooMuch(scans.filter(({ table }) => table !== 'tenants'))
    },
    async close() {
      await app.close()
      await close()
    },
  }
}

type Call = ReturnType<typeof callerOf>

function callerOf(app: Awaited<ReturnType<typeof buildApp>>, key: string) {
  return async (status: number, path: string, payload?: object, idempotencyKey = randomUUID()) => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey }
    const method = payload === undefined ? 'GET' : 'POST'
    const url = `/api/v1${path}`
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    expect([path, response.statusCode]).toEqual([path, status])
    return response.json().data
  }
}

async function rent(call: Call, assetGroupId: string, run: number): Promise<void> {
  const [from, to] = [fromNow(60 + run), fromNow(63 + run)]
  await call(200, `/asset-groups/${assetGroupId}/availability?from=${from}&to=${to}`)
  const rental = { assetGroupId, pickupDatetime: from, dropoffDatetime: to }
  const { quoteId } = await call(201, '/quotes', rental)
  const attempt = randomUUID()
  const { bookingId } = await call(202, '/bookings', { quoteId, customer }, attempt)
  await call(202, '/bookings', { quoteId, customer }, attempt)
  await call(409, '/bookings', { quoteId, customer })
  await call(404, '/bookings', { quoteId: randomUUID(), customer })
  await call(200, `/bookings/${bookingId}`)
  await call(404, `/bookings/${randomUUID()}`)
}

type Service = Awaited<ReturnType<typeof openService>>

/** Runs the test on a database in the given state, once for each plan mode. */
async function inState(
  { before, age }: { before: readonly string[]; age: IndexAge },
  test: (service: Service, url: string, mode: string) => Promise<void>,
): Promise<void> {
  const { url, drop } = await createTestDatabase()
  try {
    await prepare(url, age)
    await runStatements(url, ...before)
    for (const mode of ['auto', 'force_generic_plan']) {
      await explainEverything(url, `plan_cache_mode = ${mode}`)
      const service = await openService(url)
      await test(service, url, mode).finally(service.close)
    }
  } finally {
    await drop()
  }
}

const ofOne = (tenants: number) => [...fill('small', tenants, one), 'analyze']
const states: readonly [state: string, age: IndexAge, before: readonly string[]][] = [
  ['in a database that was never analysed', 'as migrated', fill('busy', 1, busy)],
  ['in a database restored without statistics', 'as restored', fill('busy', 1, busy)],
  [
    'in an analysed database with one tenant of 100,000 bookings among 3,000 tenants of one booking',
    'keys reindexed',
    [...fill('small', 3_000, one), ...fill('busy', 1, huge), 'analyze'],
  ],
  [
    'in a database analysed before a tenant got 8,000 bookings beside 8,000 tenants of one booking',
    'keys reindexed',
    [...ofOne(8_000), ...fill('busy', 1, busy)],
  ],
]

describe('SQL statements', () => {
  it.each(states)('reads no more rows and pages than allowed %s', async (_state, age, before) => {
    await inState({ before, age }, async (service, _url, mode) => {
      expect(await service.use('busy-1')).toEqual([])
      // Housekeeping runs unnamed statements, which have no cached generic plan.
      if (mode === 'auto') expect(await service.keepHouse('busy-1')).toEqual([])
    })
  })

  it.each(['as migrated', 'keys reindexed'] as const)(
    'reads no more rows and pages than allowed with plans cached when the tenant had one booking (index order: %s)',
    async (age) => {
      await inState(
        { before: [...fill('first', 1, one), 'analyze'], age },
        async (service, url, mode) => {
          await service.use('first-1')
          await runStatements(url, ...fill(mode, 1, busy))
          // Until autovacuum analyses these tables, lookups may read the tenant's whole fleet.
          const ofFleet = /^asset(s|_blocks) by .*: [1-5]\d\d rows/
          const found = await service.use(`${mode}-1`)
          expect(found.filter((each) => !ofFleet.test(each))).toEqual([])
          await runStatements(url, 'analyze assets, asset_blocks')
          expect(await service.use(`${mode}-1`)).toEqual([])
          await runStatements(url, 'analyze')
        },
      )
    },
  )

  it('measures every named statement', async () => {
    const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .map((name) => join(sources, name))
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(namedStatement)])
      .map(([, name]) => name)
    await inState({ before: fill('busy', 1, one), age: 'as migrated' }, async (service) => {
      await service.use('busy-1')
      const { pool, pipeline } = service.database
      const text = 'select name from pg_prepared_statements'
      const prepared = await Promise.all([pool.query(text), pipeline.query({ text })])
      const all = prepared.flatMap(({ rows }) => rows.map(({ name }) => name))
      // Counts run on both.
      expect([...new Set(all)].sort()).toEqual(names.sort())
    })
  })

  it('filters every distributed table by tenant', async () => {
    await inState({ before: fill('busy', 1, one), age: 'as migrated' }, async (service) => {
      await service.use('busy-1')
      const spread = service.scans.filter(
        // A bitmap index scan shows only the index's columns; the table scan has the full filter.
        ({ table, by }) => placement.distributed.includes(table) && !by.endsWith('_overlap_idx'),
      )
      const read = new Set(spread.map(({ table }) => table))
      const onlyWritten = ['booking_events', 'booking_feeds']
      expect(placement.distributed.filter((table) => !read.has(table))).toEqual(onlyWritten)
      expect(spread.filter(({ ofTenant }) => !ofTenant)).toEqual([])
    })
  })
})
