import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeDatabase } from '../../src/db/connection/database.ts'
import { idempotencyRecords } from '../../src/db/schema/index.ts'
import { type Metrics, openMetrics } from '../../src/telemetry/metrics.ts'
import { startHousekeeping } from '../helpers/housekeeping.ts'
import { lockWaits } from '../helpers/lockWaits.ts'
import { openPool } from '../helpers/openPool.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'
import { createTestRedis } from '../helpers/redis.ts'
import { startReplica } from '../helpers/replica.ts'
import { aKey, aTenant } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'

const tenMinutesMs = 600_000
const patienceMs = 30_000
const test = useTestDatabase(beforeEach)
let metrics: Metrics

beforeEach(() => {
  metrics = openMetrics()
  // Fakes intervals only, because the database driver needs real timeouts.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function runs(result: 'done' | 'failed'): Promise<number> {
  const { values } = await metrics.housekeepingRuns.get()
  return values.find(({ labels }) => labels.result === result)?.value ?? 0
}

const allRuns = async () => (await runs('done')) + (await runs('failed'))

async function anOutdatedRecord(): Promise<void> {
  const tenantId = await aTenant(test.database)
  const { id } = await aKey(test.database, tenantId)
  await test.database.orm.insert(idempotencyRecords).values({
    tenantId,
    apiKeyId: id,
    sessionScope: 'server',
    idempotencyKey: randomUUID(),
    fingerprint: Buffer.alloc(32),
    outcome: 'QUOTE_EXPIRED',
    createdAt: sql`now() - interval '25 hours'`,
  })
}

describe('the housekeeping metric', () => {
  it('exports a series for each result from the start, so that alerts detect the first failure', async () => {
    expect(await openMetrics().text()).toMatch(
      /housekeeping_runs_total\{result="done"\} 0\n.*housekeeping_runs_total\{result="failed"\} 0\n/,
    )
  })
})

describe('startHousekeeping', () => {
  it('deletes rows past retention every ten minutes and counts rows and runs', async () => {
    const housekeeping = startHousekeeping(test.database, metrics)
    for (const round of [1, 2]) {
      for (let records = 0; records < 2; records++) await anOutdatedRecord()
      vi.advanceTimersByTime(tenMinutesMs)
      await waitFor(async () => (await runs('done')) === round, patienceMs)
      expect(await test.database.orm.$count(idempotencyRecords)).toBe(0)
    }
    const deleted = (await metrics.deletedRows.get()).values
    expect(deleted.find(({ labels }) => labels.chore === 'idempotencyRecords')?.value).toBe(4)
    expect(await runs('failed')).toBe(0)
    // A run that deletes nothing logs nothing.
    vi.advanceTimersByTime(tenMinutesMs)
    await waitFor(async () => (await runs('done')) === 3, patienceMs)
    await housekeeping.stop()
    expect(housekeeping.logged()).toEqual(Array(2).fill([30, 'housekeeping done']))
  })

  it('counts a failed run as failed, never as done, and retries at the next interval', async () => {
    const unavailable = openPool('postgresql://127.0.0.1:1/nowhere')
    const housekeeping = startHousekeeping(unavailable, metrics)
    for (const round of [1, 2]) {
      vi.advanceTimersByTime(tenMinutesMs)
      await waitFor(async () => (await runs('failed')) === round, patienceMs)
    }
    expect(await runs('done')).toBe(0)
    await housekeeping.stop()
    expect(housekeeping.logged()).toEqual(Array(2).fill([40, 'housekeeping failed']))
    await closeDatabase(unavailable)
  })

  it('stops after the run in progress has finished', async () => {
    const housekeeping = startHousekeeping(test.database, metrics)
    const holder = await test.database.pool.connect()
    await holder.query('begin; lock table idempotency_records')
    vi.advanceTimersByTime(tenMinutesMs)
    await lockWaits(test.database.pool)
    vi.advanceTimersByTime(tenMinutesMs)
    const runsWhenStopped = housekeeping.stop().then(allRuns)
    await holder.query('rollback')
    holder.release()
    expect(await runsWhenStopped).toBe(1)
    vi.advanceTimersByTime(tenMinutesMs)
    await housekeeping.stop()
    expect(await allRuns()).toBe(1)
  })
})

describe('a running server', () => {
  it('runs housekeeping and keeps its connections open until a run in progress ends', async () => {
    const redis = await createTestRedis()
    await anOutdatedRecord()
    const server = await startReplica({
      databaseUrl: test.url,
      redisUrl: redis.url,
      nodeOptions: ['--import', new URL('../faults/preload.mjs', import.meta.url).href],
      env: { FAULT_INTERVAL_MS: '50' },
    })
    try {
      await waitFor(
        async () => (await test.database.orm.$count(idempotencyRecords)) === 0,
        patienceMs,
      )
      const holder = await test.database.pool.connect()
      await holder.query('begin; lock table idempotency_records')
      await lockWaits(test.database.pool)
      server.signal('SIGINT')
      await waitFor(() => server.lines().join('').includes('"cut off"'), patienceMs)
      await holder.query('rollback')
      holder.release()
      expect(await server.exited).toBe(0)
      expect(server.lines().join('\n')).not.toContain('after calling end on the pool')
    } finally {
      await server.kill()
      await redis.release()
    }
  })
})
