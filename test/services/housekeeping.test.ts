import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { deletePastRetention } from '../../src/db/queries/maintenance/retention.ts'
import { idempotencyRecords, quotes } from '../../src/db/schema/index.ts'
import { runHousekeeping } from '../helpers/housekeeping.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { seedBookings } from '../helpers/seedBookings.ts'

const test = useTestDatabase()
type Owner = { tenantId: string; apiKeyId: string; assetGroupId: string }
let owner: Owner
let neighbour: Owner

async function anOwner(): Promise<Owner> {
  const tenantId = await aTenant(test.database)
  const { id: apiKeyId } = await aKey(test.database, tenantId)
  return { tenantId, apiKeyId, assetGroupId: await aGroup(test.database, tenantId) }
}

beforeAll(async () => {
  owner = await anOwner()
  neighbour = await anOwner()
})

/** Inserts records of this age for two tenants in turn. */
const recordsAged = (hours: number, count: number) =>
  test.database.orm.insert(idempotencyRecords).values(
    Array.from({ length: count }, (_, index) => (index % 2 === 0 ? owner : neighbour)).map(
      ({ tenantId, apiKeyId }) => ({
        tenantId,
        apiKeyId,
        sessionScope: 'server',
        idempotencyKey: randomUUID(),
        fingerprint: Buffer.alloc(32),
        outcome: 'QUOTE_EXPIRED',
        createdAt: sql`now() - make_interval(hours => ${hours})`,
      }),
    ),
  )

const ago = (interval: string) => sql`now() - ${interval}::interval`

const expireQuotes = (interval: string) =>
  test.database.orm.update(quotes).set({ expiresAt: ago(interval) })

describe('runHousekeeping', () => {
  it('deletes old records and unused quotes of all tenants once when replicas run concurrently', async () => {
    await recordsAged(25, 2_500)
    await recordsAged(23, 3)
    const period = { pickupAt: new Date('2038-01-01'), dropoffAt: new Date('2038-01-02') }
    await seedBookings(test.database, owner, [{ ...period, status: 'pending' }])
    const [used] = await test.database.orm.select().from(quotes)
    if (used === undefined) throw new Error('No quote was seeded')
    const unused = { ...used, usedAt: null }
    await test.database.orm
      .insert(quotes)
      .values(Array.from({ length: 5 }, () => ({ ...unused, id: randomUUID() })))
    await expireQuotes('48 hours 1 minute')
    const expiresAt = ago('47 hours 59 minutes')
    await test.database.orm.insert(quotes).values({ ...unused, id: randomUUID(), expiresAt })

    const runs = await Promise.all([1, 2, 3].map(() => runHousekeeping(test.database)))
    const sum = (of: 'idempotencyRecords' | 'quotes') =>
      runs.reduce((total, deleted) => total + deleted[of], 0)
    expect([sum('idempotencyRecords'), sum('quotes')]).toEqual([2_500, 5])
    expect(await test.database.orm.$count(idempotencyRecords)).toBe(3)
    expect(await test.database.orm.$count(quotes)).toBe(2)
    const again = Object.values(await runHousekeeping(test.database))
    expect(again.every((count) => count === 0)).toBe(true)
  })

  it('fails after the other jobs have run when one job fails', async () => {
    await recordsAged(25, 2)
    const period = { pickupAt: new Date('2038-01-01'), dropoffAt: new Date('2038-01-02') }
    await seedBookings(test.database, owner, [{ ...period, status: 'pending' }])
    const { pool } = test.database
    await pool.query(`update quotes set used_at = null, expires_at = now() - interval '8 days';
      delete from bookings;
      alter table idempotency_records rename to records_elsewhere`)
    try {
      await expect(runHousekeeping(test.database)).rejects.toMatchObject({
        cause: { code: '42P01' },
      })
      expect(await test.database.orm.$count(quotes)).toBe(0)
    } finally {
      await pool.query('alter table records_elsewhere rename to idempotency_records')
    }
    expect(await runHousekeeping(test.database)).toMatchObject({ idempotencyRecords: 2 })
  })

  it('skips a job without waiting when another replica runs it', async () => {
    await recordsAged(25, 2)
    await inTransaction(test.database, async (other) => {
      expect(await deletePastRetention(other, 'idempotencyRecords', 1)).toBe(1)
      expect(await runHousekeeping(test.database)).toMatchObject({
        idempotencyRecords: 0,
        quotes: 0,
      })
    })
    expect(await runHousekeeping(test.database)).toMatchObject({ idempotencyRecords: 1 })
  })
})
