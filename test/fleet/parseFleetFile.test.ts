import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { problemsOf, withRate, withTenant } from './files.ts'

describe('parseFleetFile', () => {
  it('accepts the demo fleet of at least 100 vehicles', async () => {
    const fleet = parseFleetFile(await readFile('examples/fleet.json', 'utf8'))
    const vehicles = fleet.assetGroups.flatMap(({ assets }) => assets)
    expect(vehicles.length).toBeGreaterThanOrEqual(100)
    expect(new Set(vehicles.map(({ ref }) => ref)).size).toBe(vehicles.length)
  })

  it('accepts a file with a byte order mark', () => {
    expect(parseFleetFile(`\uFEFF${JSON.stringify(smallFleet())}`).tenant.slug).toBe('fjord-cars')
  })

  it('rejects invalid JSON', () => {
    expect(problemsOf(() => parseFleetFile('{"tenant":'))).toEqual({
      'the file': expect.stringMatching(/^is not valid JSON: \w/),
    })
  })

  it.each([null, 7, 'x', []])('rejects a file that is %j', (file) => {
    expect(problemsOf(() => parseFleetFile(JSON.stringify(file)))).toEqual({
      'the file': 'must be an object',
    })
  })

  it('reports every problem of a file at once', () => {
    const file = {
      tenant: { slug: 'Fjord Cars', name: '', timezone: 'Europe/Oslo', currency: 'NOK' },
      assetGroups: [
        { ref: 'g', category: 'car', turnaroundMinutes: -1, colour: 'red' },
        {
          ref: 'g',
          name: 'G',
          category: 'car',
          assets: [{ ref: 'a' }, { ref: 'a' }],
          rates: [
            { ref: 'r', name: 'R', dailyRate: '1.234' },
            { ref: 's', name: 'S', dailyRate: 5, validFrom: '2027-02-01', validTo: '2027-01-31' },
          ],
        },
      ],
      extras: 'none',
    }
    expect(Object.keys(problemsOf(() => parseFleetFile(JSON.stringify(file)))).sort()).toEqual([
      'assetGroups[0].colour',
      'assetGroups[0].name',
      'assetGroups[0].turnaroundMinutes',
      'assetGroups[1].assets[1].ref',
      'assetGroups[1].rates[0].dailyRate',
      'assetGroups[1].rates[1].dailyRate',
      'assetGroups[1].rates[1].validTo',
      'assetGroups[1].ref',
      'extras',
      'tenant.name',
      'tenant.slug',
      'tenant.taxPercent',
    ])
  })

  it('accepts the optional fields at their bounds', () => {
    const file = {
      ...withRate({ monthlyRate: '10000000000.00', validFrom: '2028-02-29' }),
      extras: [{ ref: 'e', name: 'E', pricing: 'per_rental', price: '0', currency: 'EUR' }],
      tenant: withTenant({
        taxPercent: '100',
        minLeadMinutes: null,
        seasons: 'pickup',
        pendingHoldHours: 8760,
        customerRetentionMonths: 1200,
      }).tenant,
    }
    expect(problemsOf(() => parseFleetFile(JSON.stringify(file)))).toEqual({})
  })

  it('fills in the defaults of docs/fleet.md for missing fields', () => {
    const { slug, name, timezone, currency, taxPercent } = smallFleet().tenant
    const block = { from: '2027-01-10T08:00:00Z', to: '2027-01-12T08:00:00Z' }
    const { tenant, assetGroups, extras } = parseFleetFile(
      JSON.stringify({
        tenant: { slug, name, timezone, currency, taxPercent },
        assetGroups: [
          {
            ref: 'g',
            name: 'G',
            category: 'car',
            assets: [{ ref: 'a', blocks: [block] }],
            rates: [{ ref: 'r', name: 'R', dailyRate: '10' }],
          },
        ],
        extras: [{ ref: 'e', name: 'E', pricing: 'per_day', price: '0' }],
      }),
    )
    expect(tenant).toMatchObject({
      pricesIncludeTax: false,
      gracePeriodMinutes: 29,
      minLeadMinutes: 0,
      seasons: 'per_day',
      pendingHoldHours: null,
      customerRetentionMonths: null,
    })
    expect(assetGroups).toMatchObject([
      {
        description: null,
        imageUrl: null,
        turnaroundMinutes: 0,
        assets: [{ blocks: [{ reason: null }] }],
        rates: [
          {
            hourlyRate: null,
            weeklyRate: null,
            monthlyRate: null,
            validFrom: null,
            validTo: null,
          },
        ],
      },
    ])
    expect(extras).toMatchObject([{ maxPrice: null }])
  })
})
