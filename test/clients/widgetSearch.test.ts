import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RentalClient } from '../../clients/typescript/index.ts'
import { priceGuide } from '../../clients/widget/lazy/guide.ts'
import { arrange } from '../../clients/widget/order.ts'
import { openSearch, type Search } from '../../clients/widget/vehicles.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { watching } from './fetches.ts'
import { aClient as anOfflineClient, json, rejected } from './offlineClient.ts'
import { useClients } from './useClients.ts'

const { signal } = new AbortController()

/** Returns a search for a rental of one day. */
function searchOf(rental: RentalClient) {
  const search = openSearch({
    rental,
    config: { timeZone: 'Europe/Oslo' },
    loadSteps: async () => ({ priceGuide }),
  })
  return () => search({ pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }, undefined, signal)
}

describe('search with a key without rates:read', () => {
  const rejections = 5
  const { server, aClient } = useClients({ LIMIT_UNAUTHENTICATED_PER_MINUTE: String(rejections) })

  it('finds vehicles and stops requesting rates after a rejection', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database)
    for (let at = 0; at < 13; at++) await aGroup(database, tenantId)
    const { key: apiKey } = await aKey(database, tenantId, { scopes: ['availability:read'] })
    const { fetch, seen } = watching()
    const patience = { attemptsMax: 1 }
    const { client: rental } = aClient({ apiKey, fetch, patience })
    const search = searchOf(rental)
    // More groups than the rejections that the address is allowed.
    const found = await search()
    expect(found.vehicles.map(({ rates }) => rates)).toEqual(Array(12).fill(undefined))
    expect(found.hasMore).toBe(true)
    expect((await found.more(signal)).vehicles).toHaveLength(13)
    expect(seen.filter(({ url }) => url.endsWith('/rates'))).toHaveLength(12)
  })
})

describe('search', () => {
  it('omits a group archived since it was listed and returns every other group once', async () => {
    const groups = Array.from({ length: 14 }, (_, at) => ({ id: `${at}`, name: `Class ${at}` }))
    const { client: rental } = anOfflineClient((path) => {
      if (path === '/asset-groups') return json(200, { data: groups })
      if (path.startsWith('/asset-groups/3/')) return rejected(404, 'NOT_FOUND')
      return json(200, { data: path.endsWith('/rates') ? [] : { available: true } })
    })
    const search = searchOf(rental)
    const first = await search()
    expect([first.vehicles.length, first.hasMore]).toEqual([11, true])
    const all = await first.more(signal)
    const others = groups.filter(({ id }) => id !== '3')
    expect([all.vehicles.map(({ group }) => group), all.hasMore]).toEqual([others, false])
  })

  it('rejects when the availability of a group cannot be read', async () => {
    const { client: rental } = anOfflineClient(
      (path) => {
        if (path === '/asset-groups') return json(200, { data: [{ id: '0' }, { id: '1' }] })
        if (path.startsWith('/asset-groups/1/a')) return rejected(429, 'RATE_LIMITED')
        return json(200, { data: path.endsWith('/rates') ? [] : { available: true } })
      },
      { patience: { attemptsMax: 1 } },
    )
    const search = searchOf(rental)
    const found = search()
    await expect(found).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('reads rates again after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { client: rental, seen } = anOfflineClient((path) => {
      if (path === '/asset-groups') return json(200, { data: [{ id: '1', name: 'Class' }] })
      return json(200, { data: path.endsWith('/rates') ? [] : { available: true } })
    })
    const search = searchOf(rental)
    const read = async (afterMs: number) => {
      vi.setSystemTime(Date.now() + afterMs)
      await search()
      return seen.filter(({ url }) => url.endsWith('/rates')).length
    }
    expect([await read(0), await read(299_999), await read(1)]).toEqual([1, 1, 2])
  })

  it('returns sold out groups last and hasMore false when all are returned', async () => {
    const groups = Array.from({ length: 12 }, (_, at) => ({ id: `${at}`, name: `Class ${at}` }))
    const { client: rental } = anOfflineClient((path) => {
      if (path === '/asset-groups') return json(200, { data: groups })
      const available = !path.startsWith('/asset-groups/3/')
      return json(200, { data: path.endsWith('/rates') ? [] : { available } })
    })
    const search = searchOf(rental)
    const found = await search()
    expect([found.vehicles.at(-1)?.group.id, found.hasMore]).toEqual(['3', false])
  })
})

describe('order of the vehicles', () => {
  const vehicleOf = (name: string, available = true) => ({
    group: { id: name, name, category: 'car', description: null, imageUrl: null },
    availability: {
      assetGroupId: name,
      from: inDays(5),
      to: inDays(6),
      available,
      availableCount: Number(available),
      totalAssets: 1,
      soldOut: [],
    },
    rates: undefined,
  })
  const totals: Readonly<Record<string, number>> = { Dear: 900, Cheap: 100, Middle: 500, Sold: 50 }
  const search: Search = {
    period: { pickupDatetime: inDays(5), dropoffDatetime: inDays(6) },
    vehicles: [
      vehicleOf('Dear'),
      vehicleOf('Sold', false),
      vehicleOf('Unpriced'),
      vehicleOf('Cheap'),
      vehicleOf('Middle'),
    ],
    guide({ group: { name } }) {
      const total = totals[name]
      if (total === undefined) return undefined
      const tax = { percent: '0', amount: '0', included: false }
      const price = { total: `${total}`, tax, rate: { lines: [] }, extras: [] }
      return { ...price, currency: 'NOK', days: 1, hours: 0 }
    },
    hasMore: false,
    more: async () => search,
  }

  it.each([
    ['up', false, 'Cheap Middle Dear Unpriced Sold'],
    ['down', false, 'Dear Middle Cheap Unpriced Sold'],
    ['name', false, 'Cheap Dear Middle Unpriced Sold'],
    ['up', true, 'Dear Sold Unpriced Cheap Middle'],
  ])('sorts by %s only once all vehicles are loaded (more: %s)', (order, hasMore, names) => {
    const sorted = arrange({ ...search, hasMore }, { order })
    expect(sorted.map(({ group }) => group.name).join(' ')).toBe(names)
  })
})
