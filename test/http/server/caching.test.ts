import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Actor, aServer, customer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { sendRequest } from '../../helpers/rawHttp.ts'
import { expectData } from '../../helpers/responses.ts'
import { aGroup, aKey, aRate, aTenant } from '../../helpers/seed.ts'

const compressions = vi.spyOn(zlib, 'brotliCompress')
afterAll(() => compressions.mockRestore())

const server = useTestApp()
let key: string
let tenantId: string
let partner: Actor

/** Creates lists of groups and rates above the compression threshold of 1 KiB. */
async function aLongCatalog(): Promise<string> {
  const { database } = server.deps
  tenantId = await aTenant(database)
  key = (await aKey(database, tenantId)).key
  partner = aServer(server, key)
  const groupId = await aGroup(database, tenantId, { description: 'ø'.repeat(550) })
  for (const [index, name] of [...'abcd'].entries())
    await aRate(database, tenantId, groupId, {
      name: name.repeat(200),
      validFrom: `203${index}-01-01`,
    })
  return groupId
}

/** Uses Node's fetch because it decodes every content coding. */
async function read(path: string, headers: Record<string, string> = {}) {
  const { port } = server.app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...headers },
  })
  const header = (name: string) => response.headers.get(name)
  return {
    status: response.status,
    text: await response.text(),
    coding: header('content-encoding'),
    bytes: Number(header('content-length')),
    etag: header('etag') ?? '',
    caching: [header('cache-control'), header('vary')],
  }
}

const vary = 'Origin, Authorization, X-Api-Key, Accept-Encoding'

describe('cacheable responses', () => {
  let groupId: string
  beforeAll(async () => {
    groupId = await aLongCatalog()
  })
  const paths = async () => {
    const rental = { assetGroupId: groupId, pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }
    const { quoteId } = expectData(await partner.post('/quotes', rental), 201)
    const { bookingId } = expectData(await partner.book({ quoteId, customer }), 202)
    const range = `from=${inDays(5)}&to=${inDays(6)}`
    return {
      groups: '/asset-groups',
      rates: `/asset-groups/${groupId}/rates`,
      booking: `/bookings/${bookingId}`,
      availability: `/asset-groups/${groupId}/availability?${range}`,
    }
  }

  it('sends Cache-Control and Vary with 200 and 304, and no-store for availability', async () => {
    const { groups, rates, booking, availability } = await paths()
    for (const [path, expected] of [
      [groups, 'private, max-age=30'],
      [rates, 'private, max-age=30'],
      [booking, 'private, no-cache'],
    ] as const) {
      const response = await read(path)
      expect([response.status, ...response.caching]).toEqual([200, expected, vary])
      const again = await read(path, { 'if-none-match': response.etag })
      expect([again.status, ...again.caching]).toEqual([304, expected, vary])
      expect(again.etag).toBe(response.etag)
    }
    const counted = await read(availability)
    expect([counted.status, counted.etag]).toEqual([200, ''])
    expect(counted.caching).toEqual(['no-store', 'Origin'])
  })

  it('sends no-store and no ETag with 400, 401 and 404', async () => {
    const { groups, rates, booking } = await paths()
    const unknown = rates.replace(groupId, tenantId)
    const rejected = [
      await read(groups, { authorization: 'Bearer x' }),
      await read(unknown, { 'if-none-match': '*' }),
      await read('/asset-groups/1/rates'),
      await read(`${booking}0`),
    ]
    expect(rejected.map(({ status }) => status)).toEqual([401, 404, 400, 400])
    for (const { caching, etag } of rejected)
      expect([...caching, etag]).toEqual(['no-store', 'Origin', ''])
  })
})

describe.each([
  ['groups', () => '/asset-groups'],
  ['rates', (groupId: string) => `/asset-groups/${groupId}/rates`],
])('long list of %s', (_, pathOf) => {
  let path: string
  beforeEach(async () => {
    path = pathOf(await aLongCatalog())
  })

  it('returns the coding of Accept-Encoding for the first and the second request', async () => {
    const plain = await read(path)
    expect(plain.coding).toBeNull()
    expect(plain.bytes).toBeGreaterThan(1024)
    for (const coding of ['br', 'gzip']) {
      for (const time of ['first', 'second']) {
        const response = await read(path, { 'accept-encoding': coding })
        expect([time, response.coding, response.text]).toEqual([time, coding, plain.text])
        expect(response.bytes).toBeLessThan(plain.bytes)
        expect(response.caching).toEqual(plain.caching)
      }
    }
    const withoutCoding = await sendRequest(server, {
      method: 'GET',
      path: `/api/v1${path}`,
      headers: [['X-Api-Key', key]],
    })
    expect(withoutCoding.headers['content-encoding']).toBeUndefined()
    expect(withoutCoding.text).toBe(plain.text)
  })

  it('returns 304 for the ETag of any coding, whatever Accept-Encoding is', async () => {
    const forms = ['identity', 'br', 'gzip']
    const etags: string[] = []
    for (const form of forms) etags.push((await read(path, { 'accept-encoding': form })).etag)
    expect(new Set(etags).size).toBe(3)
    for (const etag of etags) {
      expect(etag).toMatch(/^"[\w-]{27}(\.br|\.gzip)?"$/)
      for (const known of [etag, `W/${etag}`, `"other, one" , ${etag}`, `${etag},W/"x"`]) {
        for (const form of forms) {
          const response = await read(path, { 'if-none-match': known, 'accept-encoding': form })
          expect([response.status, response.text, response.coding]).toEqual([304, '', null])
          expect(response.etag).toBe(etag)
        }
      }
    }
    const any = await read(path, { 'if-none-match': '*', 'accept-encoding': 'gzip' })
    expect([any.status, any.etag]).toEqual([304, etags[2]])
    for (const unknown of ['"other"', `${etags[0]}x`, etags[0]?.slice(1, -1) ?? '']) {
      const response = await read(path, { 'if-none-match': unknown, 'accept-encoding': 'br' })
      expect([response.status, response.etag]).toEqual([200, etags[1]])
    }
  })

  it('returns the headers of GET without a body for HEAD', async () => {
    const got = await read(path, { 'accept-encoding': 'gzip' })
    const { headers, text } = await sendRequest(server, {
      method: 'HEAD',
      path: `/api/v1${path}`,
      headers: [
        ['X-Api-Key', key],
        ['Accept-Encoding', 'gzip'],
      ],
    })
    expect([headers['content-encoding'], headers['etag']]).toEqual(['gzip', got.etag])
    expect([headers['content-length'], text]).toEqual([String(got.bytes), ''])
  })
})

describe('rates list', () => {
  it('changes content and ETag after midnight in the time zone of the tenant', async () => {
    const groupId = await aLongCatalog()
    const { clock } = server
    const osloDay = () => clock.now().toLocaleDateString('sv-SE', { timeZone: 'Europe/Oslo' })
    const today = osloDay()
    await aRate(server.deps.database, tenantId, groupId, { name: 'Ends today', validTo: today })
    const path = `/asset-groups/${groupId}/rates`
    const listed = () => read(path, { 'accept-encoding': 'br' })
    const before = await listed()
    expect(before.text).toContain('Ends today')
    while (osloDay() === today) clock.advanceSeconds(60)
    const after = await listed()
    expect(after.text).not.toContain('Ends today')
    expect([after.coding, after.etag === before.etag]).toEqual(['br', false])
    expect((await read(path, { 'if-none-match': before.etag })).status).toBe(200)
  })
})
