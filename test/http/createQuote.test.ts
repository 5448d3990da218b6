import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { quotes, rates } from '../../src/db/schema.ts'
import { type Actor, aPage, aServer, aVisitor } from '../helpers/actors.ts'
import { expectData, expectError, expectInvalid } from '../helpers/answers.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, anExtra, aRate, aTenant } from '../helpers/seed.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let tenantId: string
let groupId: string
let key: string
let partner: Actor

beforeAll(async () => {
  const { database } = server.deps
  tenantId = await aTenant(database)
  groupId = await aGroup(database, tenantId)
  key = (await aKey(database, tenantId, { origins: [origin] })).key
  partner = aServer(server, key)
})

const rental = (values: object = {}) => ({
  assetGroupId: groupId,
  pickupDatetime: inDays(10),
  dropoffDatetime: inDays(12, 2),
  ...values,
})

const quote = (values: object = {}) => partner.post('/quotes', rental(values))

describe('POST /quotes', () => {
  it('prices two days and two hours with an extra, every line adding up', async () => {
    const { database } = server.deps
    const rateId = await aRate(database, tenantId, groupId, { validFrom: '2020-01-01' })
    const extraId = await anExtra(database, tenantId)
    const answer = await quote({ extras: [{ extraId, quantity: 2 }] })
    const data = expectData(answer, 201)
    expect(data).toEqual({
      quoteId: expect.stringMatching(/^[\da-f-]{36}$/),
      assetGroupId: groupId,
      pickupDatetime: inDays(10),
      dropoffDatetime: inDays(12, 2),
      total: '1870.00',
      currency: 'NOK',
      breakdown: {
        days: 2,
        hours: 2,
        rate: {
          id: rateId,
          name: 'Standard',
          lines: [
            { unit: 'day', quantity: 2, unitPrice: '499.00', amount: '998.00' },
            { unit: 'hour', quantity: 2, unitPrice: '99.00', amount: '198.00' },
          ],
        },
        // 50.00 × 3 charged days × 2 seats
        extras: [
          {
            extraId,
            name: 'Child seat',
            pricing: 'per_day',
            quantity: 2,
            unitPrice: '50.00',
            amount: '300.00',
          },
        ],
        subtotal: '1496.00',
        tax: { percent: '25', amount: '374.00', included: false },
        total: '1870.00',
      },
      expiresAt: expect.any(String),
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('is valid for 30 minutes by the clock of the database', async () => {
    const { quoteId, expiresAt } = expectData(await quote(), 201)
    const [row] = await server.deps.database.orm.select().from(quotes).where(eq(quotes.id, quoteId))
    expect(row?.expiresAt.toISOString()).toBe(expiresAt)
    const validMs = Date.parse(expiresAt) - (row?.createdAt.getTime() ?? 0)
    expect(Math.round(validMs / 1000)).toBe(1800)
  })

  it('takes the rate of the pickup date where the tenant is', async () => {
    const { database } = server.deps
    const id = await aGroup(database, tenantId, { rate: null })
    await aRate(database, tenantId, id, { validTo: '2030-06-30', dailyMinor: 10_000n })
    await aRate(database, tenantId, id, { validFrom: '2030-07-01', dailyMinor: 20_000n })
    const at = (pickupDatetime: string, dropoffDatetime: string) =>
      quote({ assetGroupId: id, pickupDatetime, dropoffDatetime })
    // 22:30 UTC is half past midnight on the next day in Oslo.
    const june = expectData(await at('2030-06-30T21:30:00Z', '2030-07-01T21:30:00Z'), 201)
    const july = expectData(await at('2030-06-30T22:30:00Z', '2030-07-01T22:30:00Z'), 201)
    expect([june.breakdown.subtotal, july.breakdown.subtotal]).toEqual(['100.00', '200.00'])
  })

  it('freezes its inputs: a later rate card does not touch it', async () => {
    const { database } = server.deps
    const id = await aGroup(database, tenantId)
    const { quoteId, total } = expectData(await quote({ assetGroupId: id }), 201)
    await database.orm.update(rates).set({ dailyMinor: 1n }).where(eq(rates.assetGroupId, id))
    const [row] = await database.orm.select().from(quotes).where(eq(quotes.id, quoteId))
    expect(row?.inputs.rate.dailyMinor).toBe('49900')
    expect(row?.breakdown.total).toBe(total)
  })

  it('accepts a booked-out group: staff review every booking, and a quote holds no stock', async () => {
    const id = await aGroup(server.deps.database, tenantId, { assets: 0 })
    expectData(await quote({ assetGroupId: id }), 201)
  })

  it('ignores fields it does not know', async () => {
    const data = expectData(await quote({ total: '0.01', tenantId: randomUUID() }), 201)
    expect(data.total).not.toBe('0.01')
  })

  it('takes the same extra twice as two lines', async () => {
    const extraId = await anExtra(server.deps.database, tenantId, { maxPriceMinor: null })
    const line = { extraId, quantity: 1 }
    const data = expectData(await quote({ extras: [line, line] }), 201)
    expect(data.breakdown.extras).toHaveLength(2)
  })

  it('lets a browser quote with the session of its origin', async () => {
    const visitor = await aVisitor(server, key, origin)
    expectData(await visitor.post('/quotes', rental()), 201)
  })
})

describe('a quote is refused', () => {
  const uuid = randomUUID()
  it.each([
    ['nothing', {}, ['assetGroupId', 'pickupDatetime', 'dropoffDatetime']],
    ['no group', { assetGroupId: undefined }, ['assetGroupId']],
    ['a group that is no UUID', { assetGroupId: 'economy' }, ['assetGroupId']],
    ['a urn', { assetGroupId: `urn:uuid:${uuid}` }, ['assetGroupId']],
    ['a date without time', { pickupDatetime: '2030-01-01' }, ['pickupDatetime']],
    ['a day that never comes', { pickupDatetime: '2030-02-30T10:00:00Z' }, ['pickupDatetime']],
    ['a leap second', { dropoffDatetime: '2030-06-30T23:59:60Z' }, ['dropoffDatetime']],
    ['an end before its beginning', { dropoffDatetime: inDays(9) }, ['dropoffDatetime']],
    ['an end at its beginning', { dropoffDatetime: inDays(10) }, ['dropoffDatetime']],
    ['more than 366 days', { dropoffDatetime: inDays(376, 1) }, ['dropoffDatetime']],
    ['a pickup in the past', { pickupDatetime: inDays(-2) }, ['pickupDatetime']],
    ['extras that are no list', { extras: {} }, ['extras']],
    ['21 extras', { extras: Array(21).fill({ extraId: uuid, quantity: 1 }) }, ['extras']],
    ['no quantity', { extras: [{ extraId: uuid }] }, ['extras.0.quantity']],
    ['quantity 0', { extras: [{ extraId: uuid, quantity: 0 }] }, ['extras.0.quantity']],
    ['quantity 101', { extras: [{ extraId: uuid, quantity: 101 }] }, ['extras.0.quantity']],
    ['half an extra', { extras: [{ extraId: uuid, quantity: 1.5 }] }, ['extras.0.quantity']],
    ['a quantity in text', { extras: [{ extraId: uuid, quantity: '5' }] }, ['extras.0.quantity']],
    [
      'a yes for a quantity',
      { extras: [{ extraId: uuid, quantity: true }] },
      ['extras.0.quantity'],
    ],
  ])('with 400 for %s', async (what, values, paths) => {
    const answer = what === 'nothing' ? await partner.post('/quotes', {}) : await quote(values)
    expectInvalid(answer, ...paths)
  })

  it('with 400 inside the lead time of the tenant; null switches the check off', async () => {
    const { database } = server.deps
    const ask = async (minLeadMinutes: number | null, pickupDatetime: string) => {
      const tenant = await aTenant(database, { minLeadMinutes })
      const patient = aServer(server, (await aKey(database, tenant)).key)
      const assetGroupId = await aGroup(database, tenant)
      return patient.post('/quotes', rental({ assetGroupId, pickupDatetime }))
    }
    expectInvalid(await ask(60 * 24 * 30, inDays(10)), 'pickupDatetime')
    expectData(await ask(60, inDays(10)), 201)
    expectData(await ask(null, inDays(-2)), 201)
  })

  it('with 400 for an extra in another currency', async () => {
    const extraId = await anExtra(server.deps.database, tenantId, { currency: 'EUR' })
    expectInvalid(await quote({ extras: [{ extraId, quantity: 1 }] }), 'extras.0.extraId')
  })

  it.each([
    ['an unknown group', async () => ({ assetGroupId: randomUUID() }), 'assetGroupId'],
    [
      'a foreign group',
      async () => {
        const { database } = server.deps
        return { assetGroupId: await aGroup(database, await aTenant(database)) }
      },
      'assetGroupId',
    ],
    [
      'an unknown extra',
      async () => ({ extras: [{ extraId: randomUUID(), quantity: 1 }] }),
      'extras.0.extraId',
    ],
    [
      'an archived extra',
      async () => {
        const archivedAt = new Date()
        const extraId = await anExtra(server.deps.database, tenantId, { archivedAt })
        return { extras: [{ extraId, quantity: 1 }] }
      },
      'extras.0.extraId',
    ],
  ])('with 404 for %s, naming the field', async (_, values, field) => {
    const answer = await quote(await values())
    expectError(answer, 404, 'NOT_FOUND')
    expect(answer.body.error.message).toContain(field)
  })

  it('with 422 NO_RATE_AVAILABLE when no rate applies on the pickup date', async () => {
    const assetGroupId = await aGroup(server.deps.database, tenantId, {
      rate: { validTo: '2020-01-01' },
    })
    expectError(await quote({ assetGroupId }), 422, 'NO_RATE_AVAILABLE')
  })

  it('with 401 SESSION_REQUIRED for a browser without a session', async () => {
    const answer = await aPage(server, key, origin).post('/quotes', rental())
    expectError(answer, 401, 'SESSION_REQUIRED')
  })
})
