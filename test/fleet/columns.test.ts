import { expect, it } from 'vitest'
import { fleetOf, type StoredFleet, toFileFormat } from '../../src/fleet/columns.ts'

const group = (ref: string, archived = false) => ({
  id: ref,
  archived,
  content: {
    ref,
    name: ref,
    category: 'car',
    description: null,
    translations: {},
    imageUrl: null,
    currency: 'EUR',
    turnaroundMinutes: 0,
  },
})
const block = (startsAt: string, archived = false) => ({
  id: startsAt,
  archived,
  content: {
    assetId: 'v',
    startsAt: new Date(startsAt),
    endsAt: new Date('2038-03-01T00:00Z'),
    reason: null,
    blockedBy: null,
  },
})
const stored: StoredFleet = {
  tenant: {
    id: 't',
    archived: false,
    content: {
      name: 'T',
      timeZone: 'UTC',
      currency: 'EUR',
      taxPercent: '0',
      pricesIncludeTax: false,
      gracePeriodMinutes: 0,
      minLeadMinutes: 0,
      seasons: 'per_day',
      pendingHoldHours: null,
      customerRetentionMonths: null,
      openingHours: null,
      specialDays: [],
      address: null,
      facts: [],
      translations: {},
      language: 'en',
    },
  },
  groups: [group('b'), group('c', true), group('a')],
  assets: [{ id: 'v', archived: false, content: { assetGroupId: 'a', ref: 'V', foldedRef: 'v' } }],
  blocks: [block('2038-02-01'), block('2038-01-02', true), block('2038-01-01')],
  rates: [],
  extras: [],
}

it('fleetOf returns active groups by ref and the active blocks of a vehicle in order', () => {
  const { assetGroups } = fleetOf('t', stored, toFileFormat.blocks)
  expect(assetGroups.map(({ ref }) => ref)).toEqual(['a', 'b'])
  const blocks = assetGroups[0]?.assets[0]?.blocks
  expect(blocks?.map(({ from }) => from.slice(0, 10))).toEqual(['2038-01-01', '2038-02-01'])
})

it('fleetOf returns every vehicle of a fleet of 10,000', () => {
  const assets = Array.from({ length: 10_000 }, (_, index) => ({
    id: `${index}`,
    archived: false,
    content: { assetGroupId: 'a', ref: `V ${index}`, foldedRef: `v${index}` },
  }))
  const { assetGroups } = fleetOf('t', { ...stored, assets }, toFileFormat.blocks)
  expect(assetGroups[0]?.assets).toHaveLength(assets.length)
})
