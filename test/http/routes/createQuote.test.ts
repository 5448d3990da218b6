import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { quotes, rates } from '../../../src/db/schema/index.ts'
import { fromNow, inDays } from '../../helpers/dates.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'
import { aGroup, anExtra, aRate, aTenant } from '../../helpers/seed.ts'

const bookers = useHttpClients()

const rental = (values: object = {}) => ({
  assetGroupId: bookers.groupId,
  pickupDatetime: inDays(10),
  dropoffDatetime: inDays(12, 2),
  ...values,
})

const quote = (values: object = {}) => bookers.partner.post('/quotes', rental(values))

describe('POST /quotes', () => {
  it('prices two days and two hours with an extra and an itemized breakdown', async () => {
    const database = bookers.database()
    const rateId = await aRate(database, bookers.tenantId, bookers.groupId, {
      validFrom: '2020-01-01',
    })
    const extraId = await anExtra(database, bookers.tenantId)
    const response = await quote({ extras: [{ extraId, quantity: 2 }] })
    expect(expectData(response, 201)).toMatchObject({
      assetGroupId: bookers.groupId,
      pickupDatetime: inDays(10),
      dropoffDatetime: inDays(12, 2),
      total: '1870.00',
      currency: 'NOK',
      // 50.00 × 3 charged days × 2 seats
      breakdown: {
        rate: { id: rateId },
        extras: [{ extraId, amount: '300.00' }],
        total: '1870.00',
      },
    })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('expires a quote 30 minutes after its creation by the database clock', async () => {
    const { quoteId, expiresAt } = expectData(await quote(), 201)
    const [row] = await bookers.database().orm.select().from(quotes).where(eq(quotes.id, quoteId))
    expect(row?.expiresAt.toISOString()).toBe(expiresAt)
    const validMs = Date.parse(expiresAt) - (row?.createdAt.getTime() ?? 0)
    expect(Math.round(validMs / 1000)).toBe(1800)
  })

  it('applies the rate of the pickup to all days when the tenant uses seasons "pickup"', async () => {
    const database = bookers.database()
    const tenant = await aTenant(database, { seasons: 'pickup' })
    const patient = await bookers.anotherPartner(tenant)
    const assetGroupId = await aGroup(database, tenant, { rate: null })
    await aRate(database, tenant, assetGroupId, { validTo: '2030-06-30', dailyMinor: 10_000n })
    await aRate(database, tenant, assetGroupId, { validFrom: '2030-07-01', dailyMinor: 20_000n })
    const dates = {
      pickupDatetime: '2030-06-29T10:00:00Z',
      dropoffDatetime: '2030-07-03T10:00:00Z',
    }
    const data = expectData(await patient.post('/quotes', rental({ ...dates, assetGroupId })), 201)
    expect(data.breakdown.subtotal).toBe('400.00')
  })

  it('rejects a pickup and a drop-off outside of the opening hours, both at once', async () => {
    const database = bookers.database()
    const tenant = await aTenant(database, {
      timeZone: 'Europe/Oslo',
      openingHours: [{ days: ['friday', 'monday'], opens: '07:00', closes: '22:00' }],
      specialDays: [
        { from: '2037-12-25', to: '2037-12-25', opens: null, closes: null, name: 'Christmas' },
      ],
    })
    const visitor = await bookers.anotherPartner(tenant)
    const assetGroupId = await aGroup(database, tenant)
    const outside = {
      pickupDatetime: '2037-12-25T09:00:00Z',
      dropoffDatetime: '2037-12-28T21:00:01Z',
    }
    const rejected = await visitor.post('/quotes', rental({ ...outside, assetGroupId }))
    expectInvalid(rejected, 'pickupDatetime', 'dropoffDatetime')
    expect(rejected.body.error.details).toEqual([
      {
        path: 'pickupDatetime',
        message:
          'must be within the opening hours in Europe/Oslo: Friday 25 December 2037 is closed (Christmas); opens Monday 28 December at 07:00',
      },
      {
        path: 'dropoffDatetime',
        message:
          'must be within the opening hours in Europe/Oslo: Monday 28 December 2037 is open 07:00–22:00; opens Friday 1 January 2038 at 07:00',
      },
    ])
    // Days between the pickup and the drop-off may be closed.
    const inside = {
      pickupDatetime: '2037-12-21T06:00:00Z',
      dropoffDatetime: '2037-12-28T21:00:00Z',
    }
    expectData(await visitor.post('/quotes', rental({ ...inside, assetGroupId })), 201)
  })

  it('stores the price inputs of a quote, so that a later rate change does not affect the quote', async () => {
    const database = bookers.database()
    const id = await aGroup(database, bookers.tenantId)
    const { quoteId, total } = expectData(await quote({ assetGroupId: id }), 201)
    await database.orm.update(rates).set({ dailyMinor: 1n }).where(eq(rates.assetGroupId, id))
    const [row] = await database.orm.select().from(quotes).where(eq(quotes.id, quoteId))
    expect(row?.inputs).toMatchObject({ engine: 2, rates: [{ dailyMinor: '49900' }] })
    expect(row?.breakdown.total).toBe(total)
  })

  it('accepts a group without free vehicles', async () => {
    const id = await aGroup(bookers.database(), bookers.tenantId, { assets: 0 })
    expectData(await quote({ assetGroupId: id }), 201)
  })
})

describe('rejected quotes', () => {
  const uuid = randomUUID()
  it.each([
    ['an empty body', {}, ['assetGroupId', 'pickupDatetime', 'dropoffDatetime']],
    ['a missing group', { assetGroupId: undefined }, ['assetGroupId']],
    ['a group as a URN', { assetGroupId: `urn:uuid:${uuid}` }, ['assetGroupId']],
    ['a dropoff at the pickup', { dropoffDatetime: inDays(10) }, ['dropoffDatetime']],
    ['more than 366 days', { dropoffDatetime: inDays(377) }, ['dropoffDatetime']],
    [
      'a pickup in the past',
      { pickupDatetime: fromNow(-2), dropoffDatetime: fromNow(2) },
      ['pickupDatetime'],
    ],
    ['a missing quantity', { extras: [{ extraId: uuid }] }, ['extras.0.quantity']],
    [
      'a quantity that is a string',
      { extras: [{ extraId: uuid, quantity: '5' }] },
      ['extras.0.quantity'],
    ],
  ])('rejects %s with 400', async (what, values, paths) => {
    const response =
      what === 'an empty body' ? await bookers.partner.post('/quotes', {}) : await quote(values)
    expectInvalid(response, ...paths)
  })

  it('rejects a pickup within minLeadMinutes with 400 and skips the check when it is null', async () => {
    const database = bookers.database()
    const quoteWith = async (minLeadMinutes: number | null, days: number) => {
      const tenant = await aTenant(database, { minLeadMinutes })
      const patient = await bookers.anotherPartner(tenant)
      const assetGroupId = await aGroup(database, tenant)
      const range = { pickupDatetime: fromNow(days), dropoffDatetime: fromNow(days + 1) }
      return patient.post('/quotes', { assetGroupId, ...range })
    }
    expectInvalid(await quoteWith(60 * 24 * 30, 10), 'pickupDatetime')
    expectData(await quoteWith(60, 10), 201)
    expectData(await quoteWith(null, -2), 201)
  })

  it('rejects a duplicate extra with 400, in any case and at any position', async () => {
    const extraId = await anExtra(bookers.database(), bookers.tenantId)
    const line = { extraId, quantity: 1 }
    const shouted = { extraId: extraId.toUpperCase(), quantity: 2 }
    const other = { extraId: await anExtra(bookers.database(), bookers.tenantId), quantity: 1 }
    const extras = [line, shouted, other, line]
    expectInvalid(await quote({ extras }), 'extras.1.extraId', 'extras.3.extraId')
  })

  it.each([
    [
      'a group of another tenant',
      async () => {
        const database = bookers.database()
        return { assetGroupId: await aGroup(database, await aTenant(database)) }
      },
      'assetGroupId',
    ],
    [
      'an archived group',
      async () => ({
        assetGroupId: await aGroup(bookers.database(), bookers.tenantId, {
          archivedAt: new Date(),
        }),
      }),
      'assetGroupId',
    ],
    [
      'an extra of another tenant',
      async () => {
        const database = bookers.database()
        const extraId = await anExtra(database, await aTenant(database))
        return { extras: [{ extraId, quantity: 1 }] }
      },
      'extras.0.extraId',
    ],
    [
      'an archived extra',
      async () => {
        const archivedAt = new Date()
        const extraId = await anExtra(bookers.database(), bookers.tenantId, { archivedAt })
        return { extras: [{ extraId, quantity: 1 }] }
      },
      'extras.0.extraId',
    ],
  ])('rejects %s with 404 and names the field', async (_, values, field) => {
    const response = await quote(await values())
    expectError(response, 404, 'NOT_FOUND')
    expect(response.body.error.message).toContain(field)
  })

  it.each([
    ['no date of the rental', { validTo: '2020-01-01' }],
    ['no date because the rate is archived', { archivedAt: new Date() }],
  ])('returns 422 NO_RATE_AVAILABLE when a rate applies on %s', async (_, rate) => {
    const assetGroupId = await aGroup(bookers.database(), bookers.tenantId, { rate })
    expectError(await quote({ assetGroupId }), 422, 'NO_RATE_AVAILABLE')
  })

  it('returns 422 NO_RATE_AVAILABLE with the required days for too short a rental', async () => {
    const assetGroupId = await aGroup(bookers.database(), bookers.tenantId, {
      rate: { minDays: 4 },
    })
    const response = await quote({ assetGroupId })
    expectError(response, 422, 'NO_RATE_AVAILABLE')
    expect(response.body.error.message).toContain('rented for at least 4 days')
    expectData(await quote({ assetGroupId, dropoffDatetime: inDays(14) }), 201)
  })
})
