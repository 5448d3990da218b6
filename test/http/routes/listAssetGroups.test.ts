import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { aServer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { expectData } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

/** Shorter than the cache lifetime of 30 s, so only a notification can pass. */
const visibleWithinMs = 20_000
const server = useTestApp()
let partner: ReturnType<typeof aServer>
let tenantId: string

async function aPartner(): Promise<void> {
  tenantId = await aTenant(server.deps.database)
  partner = aServer(server, (await aKey(server.deps.database, tenantId)).key)
}

describe('GET /asset-groups', () => {
  beforeEach(aPartner)

  it('returns every field of a group, with null for missing values', async () => {
    const { database } = server.deps
    const bare = await aGroup(database, tenantId, { name: 'Bare' })
    const full = await aGroup(database, tenantId, {
      name: 'Full',
      description: 'Toyota Yaris or similar',
      imageUrl: 'https://example.com/yaris.jpg',
    })
    expect(expectData(await partner.get('/asset-groups'), 200)).toEqual([
      { id: bare, name: 'Bare', category: 'car', description: null, imageUrl: null },
      {
        id: full,
        name: 'Full',
        category: 'car',
        description: 'Toyota Yaris or similar',
        imageUrl: 'https://example.com/yaris.jpg',
      },
    ])
  })
})

describe('list of groups', () => {
  beforeEach(aPartner)

  it('returns an empty list for a tenant without groups', async () => {
    expect(expectData(await partner.get('/asset-groups'), 200)).toEqual([])
  })

  it('returns every active group of the tenant, ordered by category, name and id', async () => {
    const { database } = server.deps
    const group = (category: string, name: string) =>
      aGroup(database, tenantId, { category, name, rate: null, assets: 0 })
    await aGroup(database, tenantId, { archivedAt: new Date() })
    await aGroup(database, await aTenant(database))
    const van = await group('van', 'A')
    const twins = []
    for (let n = 0; n < 4; n++) twins.push(await group('car', 'B'))
    const first = await group('car', 'A')
    await Promise.all(Array.from({ length: 120 }, () => group('zz', randomUUID())))
    const ids = expectData(await partner.get('/asset-groups'), 200).map(
      ({ id }: { id: string }) => id,
    )
    expect(ids.slice(0, 6)).toEqual([first, ...twins.sort(), van])
    expect(ids).toHaveLength(126)
  })
})

describe('conditional read', () => {
  beforeEach(aPartner)

  it('returns 304 with limit headers until a group changes', async () => {
    const first = await partner.get('/asset-groups')
    const etag = first.headers['etag'] ?? ''
    expect(first.headers['cache-control']).toBe('private, max-age=30')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await partner.get('/asset-groups', { 'if-none-match': known })
      expect([response.status, response.text]).toEqual([304, ''])
      expect(response.headers['etag']).toBe(etag)
      expect(response.headers['x-ratelimit-remaining']).toMatch(/^\d+$/)
    }
    await aGroup(server.deps.database, tenantId)
    const changed = await waitFor(async () => {
      const response = await partner.get('/asset-groups', { 'if-none-match': etag })
      return response.status !== 304 && response
    }, visibleWithinMs)
    expectData(changed, 200)
  })
})
