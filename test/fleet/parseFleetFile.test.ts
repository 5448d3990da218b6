import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { decodeFleetFile, parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { FleetFileError } from '../../src/fleet/problems.ts'
import { smallFleet } from '../helpers/fleet.ts'

/** Path and message of everything wrong with a file. */
function problemsOf(read: () => unknown): Record<string, string> {
  try {
    read()
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error
    return Object.fromEntries(error.problems.map(({ path, message }) => [path, message]))
  }
  return {}
}

const withTenant = (change: object) => ({
  ...smallFleet(),
  tenant: { ...smallFleet().tenant, ...change },
})
const withGroup = (change: object) => ({
  ...smallFleet(),
  assetGroups: [{ ref: 'g', name: 'G', category: 'car', ...change }],
})
const withRate = (change: object) =>
  withGroup({ rates: [{ ref: 'r', name: 'R', dailyRate: '10', ...change }] })
const withExtra = (change: object) => ({
  ...smallFleet(),
  extras: [{ ref: 'e', name: 'E', pricing: 'per_day', price: '0', ...change }],
})
const withBlocks = (...blocks: object[]) => withGroup({ assets: [{ ref: 'a', blocks }] })
const id = '6f1c2f5e-1c1b-4c1f-9d8c-1f0e5f7a9b3d'

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

  const rate = 'assetGroups[0].rates[0]'
  const blocks = 'assetGroups[0].assets[0].blocks'
  const from = '2027-01-01T00:00:00Z'
  const to = '2027-01-02T00:00:00Z'
  /** In UTC, by which the API judges years, too. */
  const lastCentury = '2000-01-01T00:30:00+01:00'
  it.each<[string, string, object]>([
    ['a time zone that is an offset', 'tenant.timezone', withTenant({ timezone: '+02:00' })],
    ['an unknown currency', 'tenant.currency', withTenant({ currency: 'NOX' })],
    ['a withdrawn currency', 'tenant.currency', withTenant({ currency: 'BGN' })],
    ['a percentage as a number', 'tenant.taxPercent', withTenant({ taxPercent: 25 })],
    ['more than the whole as tax', 'tenant.taxPercent', withTenant({ taxPercent: '100.0001' })],
    ['a fifth decimal', 'tenant.taxPercent', withTenant({ taxPercent: '7.67501' })],
    ['a day of grace', 'tenant.gracePeriodMinutes', withTenant({ gracePeriodMinutes: 1440 })],
    ['half a minute', 'tenant.gracePeriodMinutes', withTenant({ gracePeriodMinutes: 0.5 })],
    ['a negative lead time', 'tenant.minLeadMinutes', withTenant({ minLeadMinutes: -1 })],
    ['unknown seasons', 'tenant.seasons', withTenant({ seasons: 'by_day' })],
    ['holds of no time', 'tenant.pendingHoldHours', withTenant({ pendingHoldHours: 0 })],
    ['no name', 'assetGroups[0].name', withGroup({ name: '  ' })],
    ['no category', 'assetGroups[0].category', withGroup({ category: ' ' })],
    ['a name too long', 'assetGroups[0].name', withGroup({ name: 'x'.repeat(101) })],
    ['a control character', 'assetGroups[0].name', withGroup({ name: 'a\u0000b' })],
    ['half a character', 'assetGroups[0].name', withGroup({ name: 'a\ud800' })],
    [
      'a long description',
      'assetGroups[0].description',
      withGroup({ description: 'x'.repeat(2001) }),
    ],
    ['an image elsewhere', 'assetGroups[0].imageUrl', withGroup({ imageUrl: 'ftp://a.example/b' })],
    [
      'a script as image',
      'assetGroups[0].imageUrl',
      withGroup({ imageUrl: 'javascript:alert(1)' }),
    ],
    [
      'an image with what no database stores',
      'assetGroups[0].imageUrl',
      withGroup({ imageUrl: 'https://a.example/\u0000' }),
    ],
    [
      'a month between rentals',
      'assetGroups[0].turnaroundMinutes',
      withGroup({ turnaroundMinutes: 43_201 }),
    ],
    ['an id that is none', 'assetGroups[0].id', withGroup({ id: '7' })],
    ['a ref with spaces around', 'assetGroups[0].ref', withGroup({ ref: ' g' })],
    ...['dailyRate', 'hourlyRate', 'weeklyRate', 'monthlyRate'].map(
      (tier): [string, string, object] => [
        `a free tier: ${tier}`,
        `${rate}.${tier}`,
        withRate({ [tier]: '0.00' }),
      ],
    ),
    ['a negative price', `${rate}.hourlyRate`, withRate({ hourlyRate: '-1' })],
    ['a price in scientific form', `${rate}.hourlyRate`, withRate({ hourlyRate: '1e3' })],
    [
      'a price no total could hold',
      `${rate}.monthlyRate`,
      withRate({ monthlyRate: '10000000000.01' }),
    ],
    ['such a price without decimals', `${rate}.dailyRate`, withRate({ dailyRate: '10000000001' })],
    [
      'decimals the yen has not',
      `${rate}.dailyRate`,
      withGroup({ currency: 'JPY', rates: [{ ref: 'r', name: 'R', dailyRate: '1.5' }] }),
    ],
    [
      'an extra in yen with decimals',
      'extras[0].price',
      withExtra({ currency: 'JPY', price: '1.5' }),
    ],
    [
      'such an extra after another',
      'extras[1].price',
      {
        ...smallFleet(),
        extras: [...withExtra({}).extras, ...withExtra({ ref: 'f', price: '1.555' }).extras],
      },
    ],
    ...['hourlyRate', 'weeklyRate', 'monthlyRate'].map((tier): [string, string, object] => [
      `a third decimal: ${tier}`,
      `${rate}.${tier}`,
      withRate({ [tier]: '9.125' }),
    ]),
    ['two currencies in one group', `${rate}.currency`, withRate({ currency: 'SEK' })],
    [
      'two currencies in one group, the other first by name',
      `${rate}.currency`,
      withRate({ currency: 'EUR' }),
    ],
    ['a day that is none', `${rate}.validFrom`, withRate({ validFrom: '2027-02-29' })],
    ['a season in another age', `${rate}.validTo`, withRate({ validTo: '1999-01-01' })],
    ['an unknown way of pricing', 'extras[0].pricing', withExtra({ pricing: 'per_week' })],
    ['an amount as a number', 'extras[0].price', withExtra({ price: 50 })],
    [
      'a block without an offset',
      `${blocks}[0].from`,
      withBlocks({ from: '2027-01-01T00:00:00', to }),
    ],
    ['a block of no time', `${blocks}[0].to`, withBlocks({ from, to: from })],
    ['lines in a reason', `${blocks}[0].reason`, withBlocks({ from, to, reason: 'a\nb' })],
    [
      'such a block of the second vehicle',
      'assetGroups[0].assets[1].blocks[0].to',
      withGroup({ assets: [{ ref: 'a' }, { ref: 'b', blocks: [{ from, to: from }] }] }),
    ],
    ['a block given twice', `${blocks}[1]`, withBlocks({ from, to }, { from, to })],
    [
      'a block given twice, but for spaces at the end of its reason',
      `${blocks}[1]`,
      withBlocks({ from, to, reason: 'service' }, { from, to, reason: 'service ' }),
    ],
    ['a block from another age', `${blocks}[0].from`, withBlocks({ from: lastCentury, to })],
    [
      'a ref given twice to extras',
      'extras[1].ref',
      { ...smallFleet(), extras: [...withExtra({}).extras, ...withExtra({}).extras] },
    ],
    [
      'an id given twice to rates',
      `${rate.slice(0, -'[0]'.length)}[1].id`,
      withGroup({
        rates: ['r', 's'].map((ref) => ({ id, ref, name: 'R', dailyRate: '10' })),
      }),
    ],
    [
      'an id given twice to rates of two groups',
      'assetGroups[1].rates[0].id',
      {
        ...smallFleet(),
        assetGroups: ['g', 'h'].map((ref) => {
          const rates = [{ id, ref: 'r', name: 'R', dailyRate: '10' }]
          return { ref, name: 'G', category: 'car', rates }
        }),
      },
    ],
    [
      'an id given twice',
      'extras[1].id',
      {
        ...smallFleet(),
        extras: [
          { ...withExtra({ id }).extras[0] },
          { ...withExtra({ id: id.toUpperCase(), ref: 'f' }).extras[0] },
        ],
      },
    ],
  ])('with %s is refused at its path', (_, path, file) => {
    expect(Object.keys(problemsOf(() => parseFleetFile(JSON.stringify(file))))).toEqual([path])
  })

  it.each([
    [1_000, '$: is wrong'],
    [1_001, 'and 1 more'],
    [2_001, 'and 1,001 more'],
  ])('with %s problems is told a thousand, and how many more', (count, end) => {
    const problems = Array.from({ length: count }, () => ({ path: '$', message: 'is wrong' }))
    const lines = new FleetFileError(problems).message.split('\n').slice(1)
    expect(lines.filter((line) => line.includes('$'))).toHaveLength(1_000)
    expect(lines.at(-1)).toBe(`  ${end}`)
  })

  it('is not told that blocks repeat each other when their dates are no dates', () => {
    const file = withBlocks({ from: 'May', to: 'June' }, { from: 'July', to: 'August' })
    const paths = ['[0].from', '[0].to', '[1].from', '[1].to'].map((path) => blocks + path)
    expect(Object.keys(problemsOf(() => parseFleetFile(JSON.stringify(file))))).toEqual(paths)
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
