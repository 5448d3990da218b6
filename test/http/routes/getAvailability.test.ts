import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { customer } from '../../helpers/actors.ts'
import { inDays } from '../../helpers/dates.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'
import { aGroup, aTenant } from '../../helpers/seed.ts'

const clients = useHttpClients()

const availability = (groupId: string, from: string, to: string) =>
  clients.partner.get(
    `/asset-groups/${groupId}/availability?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`,
  )

async function count(groupId: string, from: string, to: string): Promise<number> {
  return expectData(await availability(groupId, from, to), 200).availableCount
}

async function book(groupId: string, from: string, to: string): Promise<string> {
  const body = { assetGroupId: groupId, pickupDatetime: from, dropoffDatetime: to }
  const quote = expectData(await clients.partner.post('/quotes', body), 201)
  const booking = await clients.partner.book({ quoteId: quote.quoteId, customer })
  return expectData(booking, 202).bookingId
}

describe('GET /asset-groups/{id}/availability', () => {
  it('returns the counts of the period with times in UTC and no-store', async () => {
    const groupId = await aGroup(clients.database(), clients.tenantId, { assets: 3 })
    const response = await availability(
      groupId,
      '2031-06-01T12:00:00+02:00',
      '2031-06-02T12:00:00+02:00',
    )
    expect(expectData(response, 200)).toMatchObject({
      assetGroupId: groupId,
      from: '2031-06-01T10:00:00.000Z',
      to: '2031-06-02T10:00:00.000Z',
      available: true,
      availableCount: 3,
      totalAssets: 3,
    })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['etag']).toBeUndefined()
  })

  it('returns the periods of a month that are sold out, with times in UTC', async () => {
    const groupId = await aGroup(clients.database(), clients.tenantId, { turnaroundMinutes: 60 })
    await book(groupId, '2031-06-09T09:00:00Z', '2031-06-11T16:00:00Z')
    const month = await availability(groupId, '2031-06-01T00:00:00+02:00', '2031-07-01T00:00:00Z')
    expect(expectData(month, 200)).toMatchObject({
      available: false,
      soldOut: [{ from: '2031-06-09T08:00:00.000Z', to: '2031-06-11T17:00:00.000Z' }],
    })
    const before = await availability(groupId, '2031-06-01T00:00:00Z', '2031-06-09T08:00:00Z')
    expect(expectData(before, 200)).toMatchObject({ available: true, soldOut: [] })
  })

  it('accepts a period in the past', async () => {
    const groupId = await aGroup(clients.database(), clients.tenantId)
    expect(await count(groupId, '2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z')).toBe(1)
  })

  it.each([
    ['', ['query.from', 'query.to']],
    ['?from=2038-01-01T00:00:00Z', ['query.to']],
    ['?from=2038-01-01&to=2038-01-02', ['query.from', 'query.to']],
    ['?from=2038-01-01T00:00:00+01:00&to=2038-01-02T00:00:00Z', ['query.from']],
    ['?from=2038-01-02T00:00:00Z&to=2038-01-01T00:00:00Z', ['query.to']],
    [
      '?from=2038-01-01T00:00:00Z&from=2038-01-01T00:00:00Z&to=2038-01-02T00:00:00Z',
      ['query.from'],
    ],
  ])('rejects the query "%s" with 400 and names the field', async (query, paths) => {
    const groupId = await aGroup(clients.database(), clients.tenantId)
    expectInvalid(
      await clients.partner.get(`/asset-groups/${groupId}/availability${query}`),
      ...paths,
    )
  })

  it('limits a period to 366 days in the time zone of the tenant', async () => {
    const groupId = await aGroup(clients.database(), clients.tenantId)
    const until = (to: string) => availability(groupId, '2031-03-29T10:00:00Z', to)
    // 11:00 to 11:00 in Oslo: summer time begins before 29 March 2032.
    expectData(await until('2032-03-29T09:00:00Z'), 200)
    expectInvalid(await until('2032-03-29T09:00:00.001Z'), 'query.to')
  })

  it('returns the same 404 for unknown groups, groups of other tenants and archived groups', async () => {
    const database = clients.database()
    const unknown = await availability(randomUUID(), inDays(1), inDays(2))
    expectError(unknown, 404, 'NOT_FOUND')
    const foreign = await aGroup(database, await aTenant(database))
    const archived = await aGroup(database, clients.tenantId, { archivedAt: new Date() })
    for (const groupId of [foreign, archived]) {
      const response = await availability(groupId, inDays(1), inDays(2))
      expect([response.status, response.text]).toEqual([404, unknown.text])
    }
  })
})
