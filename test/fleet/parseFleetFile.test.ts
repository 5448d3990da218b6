import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { decodeFleetFile, parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { problemsOf, withRate, withTenant } from './files.ts'

describe('a fleet file', () => {
  it('may be the demo fleet, with a hundred vehicles or more', async () => {
    const fleet = parseFleetFile(await readFile('examples/fleet.json', 'utf8'))
    const vehicles = fleet.assetGroups.flatMap(({ assets }) => assets)
    expect(vehicles.length).toBeGreaterThanOrEqual(100)
    expect(new Set(vehicles.map(({ ref }) => ref)).size).toBe(vehicles.length)
  })

  it('may begin with a byte order mark', () => {
    expect(parseFleetFile(`\uFEFF${JSON.stringify(smallFleet())}`).tenant.slug).toBe('fjord-cars')
  })

  it('that is no JSON is refused', () => {
    expect(problemsOf(() => parseFleetFile('{"tenant":'))).toEqual({
      $: expect.stringMatching(/^is not valid JSON: \w/),
    })
    for (const begin of ['', '\uFEFF']) {
      const text = `${begin}{"tenant":{"slug":"a"\n"name":"b"}}`
      expect(problemsOf(() => parseFleetFile(text))).toEqual({
        $: expect.stringMatching(/^is not valid JSON: .*\bline 2\b/),
      })
    }
  })

  it('that has a field twice is refused: JSON would keep the last one', () => {
    const once = JSON.stringify({ ...smallFleet(), extras: [] })
    const twice = once.replace(/}$/, ',\n"assetGr\\u006fups" : []}')
    expect(problemsOf(() => parseFleetFile(twice))).toEqual({
      $: 'has "assetGroups" twice in one object, again in line 2',
    })
    const named = (name: string) => once.replaceAll('"Economy"', JSON.stringify(name))
    const inGroup = named('17" wheels').replace('"turnaround', '"rates":[],"turnaround')
    expect(problemsOf(() => parseFleetFile(inGroup))).toEqual({
      $: 'has "rates" twice in one object, again in line 1',
    })
    // The same names in other objects, and in what people wrote, are no second ones.
    expect(parseFleetFile(named('{"a":1,"a":2} \\"')).extras).toEqual([])
  })

  it('is read however many fields it has twice', () => {
    const fields = Array.from({ length: 60_000 }, (_, n) => `"k${n}":1,\n"k${n}":2`)
    expect(problemsOf(() => parseFleetFile(`{${fields.join(',\n')}}`))).toMatchObject({
      $: 'has "k59999" twice in one object, again in line 120000',
    })
  })

  it('is read however much of it is escaped', () => {
    const name = '"'.repeat(4_000_000)
    const file = { ...smallFleet(), extras: [{ ref: 'x', name, pricing: 'per_day', price: '1' }] }
    expect(problemsOf(() => parseFleetFile(JSON.stringify(file)))).toEqual({
      'extras[0].name': 'must have at most 100 characters',
    })
  })

  it('that was cut off within a character says where', () => {
    const cut = Buffer.from('{"a":"\uFFFD",\n"name":"\uFFFD').subarray(0, -1)
    expect(problemsOf(() => decodeFleetFile(cut))).toEqual({
      $: 'is not UTF-8 in line 2. Save the file as UTF-8',
    })
  })

  it.each([null, 7, 'x', []])('that is %j is refused', (file) => {
    expect(problemsOf(() => parseFleetFile(JSON.stringify(file)))).toEqual({
      $: 'must be an object',
    })
  })

  it('is told everything that is wrong with it at once, whatever else is', () => {
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

  it('may say as much as is allowed', () => {
    const file = {
      ...withRate({ currency: 'NOK', monthlyRate: '10000000000.00', validFrom: '2028-02-29' }),
      extras: [{ ref: 'e', name: 'E', pricing: 'per_rental', price: '0', currency: 'EUR' }],
      tenant: withTenant({
        taxPercent: '100',
        minLeadMinutes: null,
        seasons: 'pickup',
        pendingHoldHours: 8760,
      }).tenant,
    }
    expect(problemsOf(() => parseFleetFile(JSON.stringify(file)))).toEqual({})
  })

  it('may leave out what has a default (docs/fleet.md)', () => {
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
