import { beforeEach, describe, expect, it } from 'vitest'
import { aServer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { expectData } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
let partner: ReturnType<typeof aServer>
let tenantId: string

beforeEach(async () => {
  tenantId = await aTenant(server.deps.database)
  partner = aServer(server, (await aKey(server.deps.database, tenantId)).key)
})

describe('GET /asset-groups', () => {
  it('returns every field of a group, with null for missing values', async () => {
    const { database } = server.deps
    const bare = await aGroup(database, tenantId, { name: 'Bare' })
    const full = await aGroup(database, tenantId, {
      name: 'Full',
      description: 'Toyota Yaris or similar',
      imageUrl: 'https://example.com/yaris.jpg',
    })
    expect(expectData(await partner.get('/asset-groups'), 200)).toMatchObject([
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

  it('returns an empty list for a tenant without groups', async () => {
    expect(expectData(await partner.get('/asset-groups'), 200)).toEqual([])
  })

  it('returns every active group of the tenant, however many there are', async () => {
    const { database } = server.deps
    const group = { rate: null, assets: 0 }
    await aGroup(database, tenantId, { ...group, archivedAt: new Date() })
    await aGroup(database, await aTenant(database), group)
    await Promise.all(Array.from({ length: 126 }, () => aGroup(database, tenantId, group)))
    expect(expectData(await partner.get('/asset-groups'), 200)).toHaveLength(126)
  })
})
