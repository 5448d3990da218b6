import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { findBooking } from '../../../src/db/queries/bookings/redeemQuote.ts'
import { catalogReader } from '../../../src/db/queries/catalog/loadCatalog.ts'
import { quoteStore } from '../../../src/db/queries/quotes/storeQuote.ts'
import { aGroup, anExtra, aRate, aTenant } from '../../helpers/seed.ts'
import { aQuote, attempt, type Ground, oneValue, type Rule } from './ground.ts'

const archivedAt = new Date('2026-01-01T00:00:00Z')

const aNewQuote = (on: Ground, catalogVersion: string) => ({
  tenantId: on.tenantId,
  catalogVersion,
  apiKeyId: on.keyId,
  sessionId: randomUUID(),
  assetGroupId: on.groupId,
  totalMinor: 124_750n,
  currency: 'NOK',
  ttlSeconds: 1_800,
  pickupAt: new Date('2038-05-01T10:00Z'),
  dropoffAt: new Date('2038-05-03T10:00Z'),
  inputs: { told: 'inputs' } as never,
  breakdown: { told: 'breakdown' } as never,
})

export const readingRules = {
  async 'returns only the current catalog of the tenant'(on) {
    const { database, tenantId, groupId, extraId } = on
    const elsewhere = await aTenant(database)
    await aGroup(database, elsewhere)
    await anExtra(database, elsewhere)
    const rateId = await aRate(database, tenantId, groupId, {
      name: 'Another',
      validTo: '2038-12-31',
    })
    await aGroup(database, tenantId, { archivedAt })
    await aRate(database, tenantId, groupId, { archivedAt, validFrom: '2038-01-01' })
    await anExtra(database, tenantId, { archivedAt })
    const catalog = await catalogReader(database)(tenantId)
    expect(catalog.groups.map(({ id }) => id)).toEqual([groupId])
    expect(catalog.groups[0]?.rates.map(({ name }) => name)).toEqual(['Another', 'Standard'])
    expect(catalog.groups[0]?.rates[0]?.id).toBe(rateId)
    expect([...catalog.extrasById.keys()]).toEqual([extraId])
    expect(catalog).toMatchObject({
      terms: {
        timeZone: 'Europe/Oslo',
        taxPercent: '25.0000',
        pricesIncludeTax: false,
        gracePeriodMinutes: 29,
      },
      minLeadMinutes: 0,
    })
  },

  async 'orders groups by category, name and id'(on) {
    const tenantId = await aTenant(on.database)
    const ids = [1, 2, 3, 4].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`)
    const groups = [
      { id: ids[3], category: 'car', name: 'B' },
      { id: ids[1], category: 'van', name: 'A' },
      { id: ids[2], category: 'car', name: 'A' },
      { id: ids[0], category: 'car', name: 'B' },
    ] as { id: string; category: string; name: string }[]
    for (const group of groups) await aGroup(on.database, tenantId, { ...group, rate: null })
    const catalog = await catalogReader(on.database)(tenantId)
    expect(catalog.groups.map(({ id }) => id)).toEqual([ids[2], ids[0], ids[3], ids[1]])
  },

  async 'orders rates by start date with null first, then name and id'(on) {
    const groupId = await aGroup(on.database, on.tenantId, { rate: null })
    const ids = [1, 2, 3, 4].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`)
    const rates = [
      { id: ids[2], validFrom: '2038-01-01', name: 'A' },
      { id: ids[1], validFrom: null, validTo: '2038-01-01', name: 'B' },
      { id: ids[0], validFrom: null, validTo: '2038-02-01', name: 'B' },
      { id: ids[3], validFrom: null, name: 'A' },
    ] as { id: string; validFrom: string | null; validTo?: string; name: string }[]
    for (const rate of rates) await aRate(on.database, on.tenantId, groupId, rate)
    const group = (await catalogReader(on.database)(on.tenantId)).groupsById.get(groupId)
    expect(group?.rates.map(({ id }) => id)).toEqual([ids[3], ids[0], ids[1], ids[2]])
  },

  async 'returns of two rates with the same dates the one with the smaller ref'(on) {
    for (const dates of [{}, { validFrom: '2038-01-01' }, { validTo: '2038-01-01' }]) {
      const groupId = await aGroup(on.database, on.tenantId, { rate: null })
      for (const ref of ['b', 'B', 'ä']) {
        await aRate(on.database, on.tenantId, groupId, { ref, name: ref, ...dates })
      }
      const group = (await catalogReader(on.database)(on.tenantId)).groupsById.get(groupId)
      expect(group?.rates.map(({ name }) => name)).toEqual(['B'])
    }
  },

  async 'stores a quote unchanged, with an expiry by the database clock'(on) {
    const version = await oneValue<string>(on, 'select version as value from catalogs')
    const made = aNewQuote(on, version)
    const stored = await quoteStore(on.database)(made)
    const { rows } = await on.database.pool.query(
      `select tenant_id as "tenantId", api_key_id as "apiKeyId", session_id as "sessionId",
         asset_group_id as "assetGroupId", pickup_at as "pickupAt", dropoff_at as "dropoffAt",
         total_minor::int as total, currency, inputs, breakdown, used_at as "usedAt", id,
         expires_at as "expiresAt", extract(epoch from expires_at - created_at)::int as "ttlSeconds"
       from quotes`,
    )
    const { catalogVersion: _, totalMinor, ...rest } = made
    expect(rows).toEqual([{ ...rest, ...stored, total: Number(totalMinor), usedAt: null }])
  },

  async 'stores no quote priced by an outdated catalog'(on) {
    const version = await oneValue<string>(on, 'select version as value from catalogs')
    for (const outdated of [`0${version}`, `1${version}`, '']) {
      expect(await quoteStore(on.database)(aNewQuote(on, outdated))).toBeUndefined()
    }
    expect(await oneValue(on, 'select count(*)::int as value from quotes')).toBe(0)
  },

  async 'returns a booking only to the key that created it'(on) {
    const { database, tenantId, keyId, otherKeyId } = on
    await attempt(on, { quoteId: await aQuote(on) })
    await attempt(on, { quoteId: await aQuote(on) })
    const { rows } = await database.pool.query('select id from bookings')
    for (const { id } of rows) {
      expect((await findBooking(database, tenantId, keyId, id))?.id).toBe(id)
      expect(await findBooking(database, tenantId, otherKeyId, id)).toBeUndefined()
      expect(await findBooking(database, await aTenant(database), keyId, id)).toBeUndefined()
    }
  },
} satisfies Record<string, Rule>
