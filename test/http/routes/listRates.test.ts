import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'
import { aGroup, aRate, aTenant } from '../../helpers/seed.ts'

const clients = useHttpClients()

const ratesOf = async (groupId: string) =>
  expectData(await clients.partner.get(`/asset-groups/${groupId}/rates`), 200)

describe('GET /asset-groups/{id}/rates', () => {
  it('returns every field with the decimals of the currency', async () => {
    const database = clients.database()
    const groupId = await aGroup(database, clients.tenantId, { rate: null })
    const id = await aRate(database, clients.tenantId, groupId, {
      dailyMinor: 49_950n,
      hourlyMinor: 5n,
      monthlyMinor: 1_000_000n,
      minDays: 3,
      validFrom: '2038-01-01',
      validTo: '2099-12-31',
    })
    expect(await ratesOf(groupId)).toMatchObject([
      {
        id,
        name: 'Standard',
        dailyRate: '499.50',
        hourlyRate: '0.05',
        weeklyRate: '2990.00',
        monthlyRate: '10000.00',
        minDays: 3,
        currency: 'NOK',
        validFrom: '2038-01-01',
        validTo: '2099-12-31',
      },
    ])
  })

  it.each([
    ['JPY', '49900'],
    ['BHD', '49.900'],
  ])(
    'returns %s with its own decimals and null for missing tiers: %s',
    async (currency, dailyRate) => {
      const rate = { hourlyMinor: null, weeklyMinor: null }
      const groupId = await aGroup(clients.database(), clients.tenantId, { currency, rate })
      expect(await ratesOf(groupId)).toMatchObject([
        { dailyRate, hourlyRate: null, weeklyRate: null, monthlyRate: null, currency },
      ])
    },
  )

  it('excludes archived rates and rates that ended yesterday in the time zone of the tenant', async () => {
    const { database, now } = clients.server.deps
    const groupId = await aGroup(database, clients.tenantId, { rate: null })
    const oslo = (days: number) =>
      new Date(now().getTime() + days * 86_400_000).toLocaleDateString('sv-SE', {
        timeZone: 'Europe/Oslo',
      })
    await aRate(database, clients.tenantId, groupId, { validTo: oslo(-1) })
    await aRate(database, clients.tenantId, groupId, { validFrom: oslo(-9), validTo: oslo(-1) })
    await aRate(database, clients.tenantId, groupId, { archivedAt: new Date() })
    const today = await aRate(database, clients.tenantId, groupId, { validTo: oslo(0) })
    expect(await ratesOf(groupId)).toMatchObject([{ id: today }])
  })

  it('returns an empty list for a group without rates', async () => {
    expect(
      await ratesOf(await aGroup(clients.database(), clients.tenantId, { rate: null })),
    ).toEqual([])
  })

  it('rejects an id that is not a UUID with 400', async () => {
    expectInvalid(await clients.partner.get('/asset-groups/economy/rates'), 'params.id')
  })

  it('returns the same 404 for unknown groups, archived groups and groups of other tenants', async () => {
    const database = clients.database()
    const foreign = await aGroup(database, await aTenant(database))
    const archived = await aGroup(database, clients.tenantId, { archivedAt: new Date() })
    const unknown = await clients.partner.get(`/asset-groups/${randomUUID()}/rates`)
    expectError(unknown, 404, 'NOT_FOUND')
    for (const id of [foreign, archived]) {
      const response = await clients.partner.get(`/asset-groups/${id}/rates`)
      expect([response.status, response.text]).toEqual([404, unknown.text])
    }
  })
})
