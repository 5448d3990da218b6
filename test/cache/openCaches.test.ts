import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openCaches } from '../../src/cache/openCaches.ts'
import { parseConfig } from '../../src/config/environment.ts'
import { closeDatabase, type Database } from '../../src/db/connection/database.ts'
import { operatorTimeouts } from '../../src/db/connection/timeouts.ts'
import { openMetrics } from '../../src/telemetry/metrics.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts'
import { type FaultProxy, proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { openPool } from '../helpers/openPool.ts'
import { aGroup, aKey, anExtra, aTenant } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'

// A revocation must take effect within 2 s. The database is real;
// the test sets only the clock of the caches.
const effectiveMs = 2_000
const patienceMs = 30_000
/** A silent listener is detected within two seconds, later on a busy machine. */
const silenceMs = 8_000
/** Timeouts that let a test block a reader for as long as necessary. */
const patient = {
  ...operatorTimeouts,
  lockMs: patienceMs,
  statementMs: patienceMs,
  queryMs: patienceMs,
}

let test: TestDatabase
let database: Database
let nowMs: number

beforeAll(async () => {
  test = await createTestDatabase()
  database = openPool(test.url, { poolMax: 5, timeouts: patient })
})
afterAll(async () => {
  await closeDatabase(database)
  await test.drop()
})
beforeEach(() => {
  nowMs = 0
})

type Caches = Awaited<ReturnType<typeof openCaches>>

async function open(environment: Record<string, string> = {}): Promise<Caches> {
  const caches = await openCaches({
    config: parseConfig({ DATABASE_URL: test.url, ...environment }),
    database,
    databaseUrl: test.url,
    metrics: openMetrics(),
    onTransfer: () => {},
    nowMs: () => nowMs,
  })
  onTestFinished(caches.close)
  return caches
}

/** A cached value and a change that must invalidate it. */
interface Subject {
  find(caches: Caches): unknown
  hasChanged(caches: Caches): Promise<boolean>
  readonly change: string
  readonly notification: string
}

async function aKeyToRevoke(): Promise<Subject> {
  const tenantId = await aTenant(database)
  const { id, key } = await aKey(database, tenantId)
  return {
    find: ({ keys }) => keys.find(key),
    hasChanged: async ({ keys }) => (await keys.find(key))?.key.revokedAt !== null,
    change: `update api_keys set revoked_at = now() where id = '${id}'`,
    notification: `notify access_changed, '${tenantId}'`,
  }
}

async function aCatalogToChange(): Promise<Subject> {
  const tenantId = await aTenant(database)
  return {
    find: ({ catalogs }) => catalogs.find(tenantId),
    hasChanged: async ({ catalogs }) =>
      Number((await catalogs.find(tenantId)).terms.taxPercent) !== 25,
    change: `update tenants set tax_percent = 10 where id = '${tenantId}'`,
    notification: `notify catalog_changed, '${tenantId}'`,
  }
}

/** Advances the clock by two seconds and returns whether the value was read again. */
async function isOutdated(caches: Caches, { find }: Subject): Promise<boolean> {
  nowMs += effectiveMs
  const found = find(caches)
  await found
  return found instanceof Promise
}

/** Waits until values stay cached for two seconds, which requires notifications. */
const waitUntilListening = (caches: Caches, subject: Subject) =>
  waitFor(async () => !(await isOutdated(caches, subject)), patienceMs)

/** Waits until values expire within two seconds. Checks twice, as the long lifetime may also end. */
const waitUntilSilent = (caches: Caches, subject: Subject) =>
  waitFor(
    async () => (await isOutdated(caches, subject)) && (await isOutdated(caches, subject)),
    silenceMs,
  )

const changeWithoutNotification = ({ change }: Subject) => runStatements(test.url, change)

const rejectListeners = (proxy: FaultProxy) => proxy.down()
const silenceListeners = (proxy: FaultProxy) => proxy.blackhole()

describe.each([
  ['a revoked key', aKeyToRevoke],
  ['a changed catalog', aCatalogToChange],
])('%s', (_, aSubject) => {
  it('reads the change within 2 s without notifications, as behind a pooler', async () => {
    const subject = await aSubject()
    const caches = await open({ PREPARED_STATEMENTS: 'off' })
    expect(await subject.hasChanged(caches)).toBe(false)
    // A pooler delivers no notifications, so the cache must never rely on them.
    for (let n = 0; n < 500; n++) expect(await isOutdated(caches, subject)).toBe(true)
    await changeWithoutNotification(subject)
    nowMs += effectiveMs
    expect(await subject.hasChanged(caches)).toBe(true)
  })

  it('reads the change immediately after a notification', async () => {
    const subject = await aSubject()
    const caches = await open()
    await waitUntilListening(caches, subject)
    expect(await subject.hasChanged(caches)).toBe(false)
    await runStatements(test.url, subject.change, subject.notification)
    // The clock of the caches does not advance.
    await waitFor(() => subject.hasChanged(caches), patienceMs)
  })

  it.each([
    ['stays disconnected', rejectListeners],
    ['receives nothing, as on a dead connection', silenceListeners],
  ])('reads the change within 2 s when the listener %s', async (_, cut) => {
    const proxy = await startFaultProxy(upstreamOf(test.url))
    const subject = await aSubject()
    const caches = await open({ DATABASE_DIRECT_URL: proxiedUrl(test.url, proxy) })
    // Runs before the caches close, which would wait for the dead connection.
    onTestFinished(proxy.stop)
    await waitUntilListening(caches, subject)
    cut(proxy)
    await waitUntilSilent(caches, subject)
    await runStatements(test.url, subject.change, subject.notification)
    nowMs += effectiveMs
    expect(await subject.hasChanged(caches)).toBe(true)
  })
})

describe('cached catalogs', () => {
  it('evicts an old catalog when a large one exceeds CATALOG_ROWS_MAX', async () => {
    const [small, large] = [await aTenant(database), await aTenant(database)]
    // Each group also has a rate.
    for (let group = 0; group < 2; group++) await aGroup(database, large)
    await anExtra(database, large)
    const caches = await open({ CATALOG_ROWS_MAX: '6', PREPARED_STATEMENTS: 'off' })
    await caches.catalogs.find(small)
    expect(caches.catalogs.find(small)).not.toBeInstanceOf(Promise)
    await caches.catalogs.find(large)
    expect(caches.catalogs.find(large)).not.toBeInstanceOf(Promise)
    const again = caches.catalogs.find(small)
    expect(again).toBeInstanceOf(Promise)
    await again
  })
})
