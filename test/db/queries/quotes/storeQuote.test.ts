import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeDatabase, type Database } from '../../../../src/db/connection/database.ts'
import { isDatabaseUnavailable } from '../../../../src/db/connection/failures.ts'
import { requestTimeouts, type Timeouts } from '../../../../src/db/connection/timeouts.ts'
import { type NewQuote, quoteStore } from '../../../../src/db/queries/quotes/storeQuote.ts'
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts'
import { lockWaits } from '../../../helpers/lockWaits.ts'
import { openPool } from '../../../helpers/openPool.ts'
import { aGroup, aKey, aTenant } from '../../../helpers/seed.ts'

let test: TestDatabase
let database: Database
let storeQuote: ReturnType<typeof quoteStore>
let statements = 0

const open = (poolMax: number, timeouts: Partial<Timeouts>) =>
  openPool(test.url, { poolMax, timeouts: { ...requestTimeouts, ...timeouts } })

beforeAll(async () => {
  test = await createTestDatabase()
  database = open(3, { lockMs: 1_000 })
  storeQuote = quoteStore(database)
  database.pool.on('acquire', () => {
    statements += 1
  })
})
afterAll(async () => {
  await closeDatabase(database)
  await test.drop()
})

/** Returns an offer of a new tenant. */
async function anOffer(): Promise<NewQuote> {
  const tenantId = await aTenant(database)
  const { id: apiKeyId } = await aKey(database, tenantId)
  const assetGroupId = await aGroup(database, tenantId)
  const { rows } = await database.pool.query<{ version: string }>(
    'select version from catalogs where tenant_id = $1',
    [tenantId],
  )
  return {
    tenantId,
    apiKeyId,
    assetGroupId,
    catalogVersion: rows[0]?.version ?? '',
    sessionId: randomUUID(),
    totalMinor: 124_750n,
    currency: 'NOK',
    ttlSeconds: 1_800,
    pickupAt: new Date('2038-05-01T10:00Z'),
    dropoffAt: new Date('2038-05-03T10:00Z'),
    inputs: { of: tenantId } as never,
    breakdown: { of: tenantId } as never,
  }
}

const storedRow = async (id: string | undefined) => {
  const { rows } = await database.pool.query(
    `select tenant_id as "tenantId", api_key_id as "apiKeyId", asset_group_id as "assetGroupId",
       session_id as "sessionId", inputs from quotes where id = $1`,
    [id],
  )
  return rows[0]
}
const rowOf = ({ tenantId, apiKeyId, assetGroupId, sessionId, inputs }: NewQuote) => ({
  tenantId,
  apiKeyId,
  assetGroupId,
  sessionId,
  inputs,
})

describe('quoteStore', () => {
  let offers: [NewQuote, NewQuote, NewQuote]
  beforeEach(async () => {
    const offer = await anOffer()
    offers = [offer, { ...offer, sessionId: randomUUID() }, { ...offer, sessionId: null }]
    statements = 0
  })
  const storeAll = (quotes: readonly NewQuote[], store = storeQuote) =>
    Promise.allSettled(quotes.map((quote) => store(quote)))
  const idOf = (result: PromiseSettledResult<{ id: string } | undefined> | undefined) =>
    result?.status === 'fulfilled' ? result.value?.id : undefined

  it('stores concurrent quotes of a tenant in one statement', async () => {
    const results = await storeAll(offers)
    expect(statements).toBe(1)
    for (const [index, offer] of offers.entries()) {
      expect(await storedRow(idOf(results[index]))).toEqual(rowOf(offer))
    }
  })

  it('returns no quote when its catalog has changed, and stores the rest of the batch', async () => {
    const [first, second, third] = offers
    const outdated = { ...second, catalogVersion: `1${second.catalogVersion}` }
    const results = await storeAll([first, outdated, third])
    expect(results[1]).toEqual({ status: 'fulfilled', value: undefined })
    expect(await storedRow(idOf(results[0]))).toEqual(rowOf(first))
    expect(await storedRow(idOf(results[2]))).toEqual(rowOf(third))
    expect(statements).toBe(3)
  })

  it.each([
    ['its asset group', { assetGroupId: randomUUID() }, '23503'],
    ['its total', { totalMinor: 2n ** 63n }, '22003'],
  ])(
    'rejects a quote when the database rejects %s, and stores the rest of the batch once',
    async (...row) => {
      const [, wrong, code] = row
      const [first, second, third] = offers
      const results = await storeAll([first, { ...second, ...wrong }, third])
      expect(results[1]).toMatchObject({ status: 'rejected', reason: { code } })
      expect(await storedRow(idOf(results[0]))).toEqual(rowOf(first))
      expect(await storedRow(idOf(results[2]))).toEqual(rowOf(third))
      const { rows } = await database.pool.query('select from quotes where tenant_id = any($1)', [
        [first.tenantId],
      ])
      expect(rows).toHaveLength(2)
    },
  )

  it('stores the quotes of other tenants while the rows of a tenant are locked', async () => {
    const others = [await anOffer(), await anOffer()]
    const holder = await database.pool.connect()
    await holder.query('begin')
    const { tenantId } = offers[0]
    await holder.query('select from api_keys where tenant_id = $1 for update', [tenantId])
    const locked = storeAll(offers)
    const stored = storeAll(others)
    await lockWaits(database.pool)
    expect.soft((await stored).map(idOf)).not.toContain(undefined)
    await holder.query('rollback')
    holder.release()
    await locked
  })

  it('fails a batch as unavailable without retry when the table is locked', async () => {
    const holder = await database.pool.connect()
    await holder.query('begin; lock table quotes')
    statements = 0
    const locked = await storeAll(offers)
    await holder.query('rollback')
    holder.release()
    for (const each of locked) {
      expect(each.status === 'rejected' && isDatabaseUnavailable(each.reason)).toBe(true)
    }
    expect(statements).toBe(1)
  })
})
