import { describe, expect, it } from 'vitest'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { problemsOf, withBlocks, withExtra, withGroup, withRate, withTenant } from './files.ts'

const id = '6f1c2f5e-1c1b-4c1f-9d8c-1f0e5f7a9b3d'

describe('an invalid fleet file', () => {
  it('names both places of a vehicle that is in the file twice', () => {
    const file = withGroup({
      assets: [{ ref: 'M AB 101' }, { ref: 'b' }, { ref: 'm ab\u00a0101' }],
    })
    expect(problemsOf(() => parseFleetFile(JSON.stringify(file)))).toEqual({
      'assetGroups[0].assets[2].ref': '"m ab 101" is already used at assetGroups[0].assets[0].ref',
    })
  })

  const rate = 'assetGroups[0].rates[0]'
  const blocks = 'assetGroups[0].assets[0].blocks'
  const from = '2027-01-01T00:00:00Z'
  const to = '2027-01-02T00:00:00Z'
  /** 1999 in UTC; the check uses the UTC year. */
  const lastCentury = '2000-01-01T00:30:00+01:00'
  it.each<[string, string, object]>([
    ['a time zone that is an offset', 'tenant.timezone', withTenant({ timezone: '+02:00' })],
    ['an unknown currency', 'tenant.currency', withTenant({ currency: 'NOX' })],
    ['a withdrawn currency', 'tenant.currency', withTenant({ currency: 'BGN' })],
    ['a percentage as a number', 'tenant.taxPercent', withTenant({ taxPercent: 25 })],
    ['a tax above 100 percent', 'tenant.taxPercent', withTenant({ taxPercent: '100.0001' })],
    ['a tax with a fifth decimal', 'tenant.taxPercent', withTenant({ taxPercent: '7.67501' })],
    [
      'a grace period of half a minute',
      'tenant.gracePeriodMinutes',
      withTenant({ gracePeriodMinutes: 0.5 }),
    ],
    ['a negative lead time', 'tenant.minLeadMinutes', withTenant({ minLeadMinutes: -1 })],
    ['unknown seasons', 'tenant.seasons', withTenant({ seasons: 'by_day' })],
    ['a hold of zero hours', 'tenant.pendingHoldHours', withTenant({ pendingHoldHours: 0 })],
    ['an unknown language', 'tenant.language', withTenant({ language: 'english' })],
    [
      'a translation into an unknown language',
      'assetGroups[0].translations.xx',
      withGroup({ translations: { xx: { name: 'x' } } }),
    ],
    [
      'a translation into an invalid tag',
      'assetGroups[0].translations.de_CH',
      withGroup({ translations: { de_CH: { name: 'x' } } }),
    ],
    [
      'two translations into one language',
      'assetGroups[0].rates[0].translations["de-ch"]',
      withRate({ translations: { 'de-CH': { name: 'x' }, 'de-ch': { name: 'y' } } }),
    ],
    [
      "a translation into the tenant's own language",
      'extras[0].translations.en',
      withExtra({ translations: { EN: { name: 'x' } } }),
    ],
    [
      'a translation of another text',
      'extras[0].translations.de.price',
      withExtra({ translations: { de: { price: 'x' } } }),
    ],
    [
      'a translated name that is too long',
      'assetGroups[0].translations.de.name',
      withGroup({ translations: { de: { name: 'x'.repeat(101) } } }),
    ],
    ['no name', 'assetGroups[0].name', withGroup({ name: '  ' })],
    ['no category', 'assetGroups[0].category', withGroup({ category: ' ' })],
    ['a name that is too long', 'assetGroups[0].name', withGroup({ name: 'x'.repeat(101) })],
    ['a control character', 'assetGroups[0].name', withGroup({ name: 'a\u0000b' })],
    ['half a surrogate pair', 'assetGroups[0].name', withGroup({ name: 'a\ud800' })],
    [
      'an ftp image address',
      'assetGroups[0].imageUrl',
      withGroup({ imageUrl: 'ftp://a.example/b' }),
    ],
    [
      'a script as image address',
      'assetGroups[0].imageUrl',
      withGroup({ imageUrl: 'javascript:alert(1)' }),
    ],
    [
      'an image address with a null character',
      'assetGroups[0].imageUrl',
      withGroup({ imageUrl: 'https://a.example/\u0000' }),
    ],
    ['an id that is not a UUID', 'assetGroups[0].id', withGroup({ id: '7' })],
    ['a ref of spaces', 'assetGroups[0].ref', withGroup({ ref: ' \u00a0' })],
    ...[
      ['München', 'Mu\u0308nchen'],
      ['B 1', ' B\u00a0\u00a01\t'],
      ['van', 'Van'],
    ].map((refs): [string, string, object] => [
      `refs of groups that are the same text: ${refs.join(', ')}`,
      'assetGroups[1].ref',
      { ...smallFleet(), assetGroups: refs.map((ref) => ({ ref, name: 'G', category: 'car' })) },
    ]),
    ...['dailyRate', 'hourlyRate', 'weeklyRate', 'monthlyRate'].map(
      (tier): [string, string, object] => [
        `a price of 0 as ${tier}`,
        `${rate}.${tier}`,
        withRate({ [tier]: '0.00' }),
      ],
    ),
    ['a negative price', `${rate}.hourlyRate`, withRate({ hourlyRate: '-1' })],
    ['a price in scientific form', `${rate}.hourlyRate`, withRate({ hourlyRate: '1e3' })],
    [
      'a price that is too large for a total',
      `${rate}.monthlyRate`,
      withRate({ monthlyRate: '10000000000.01' }),
    ],
    [
      'an extra in yen with decimals',
      'extras[0].price',
      withExtra({ currency: 'JPY', price: '1.5' }),
    ],
    [
      'a second extra with too many decimals',
      'extras[1].price',
      {
        ...smallFleet(),
        extras: [...withExtra({}).extras, ...withExtra({ ref: 'f', price: '1.555' }).extras],
      },
    ],
    ...['hourlyRate', 'weeklyRate', 'monthlyRate'].map((tier): [string, string, object] => [
      `a third decimal as ${tier}`,
      `${rate}.${tier}`,
      withRate({ [tier]: '9.125' }),
    ]),
    ['a date that does not exist', `${rate}.validFrom`, withRate({ validFrom: '2027-02-29' })],
    ['a season before 2000', `${rate}.validTo`, withRate({ validTo: '1999-01-01' })],
    ['an unknown pricing unit', 'extras[0].pricing', withExtra({ pricing: 'per_week' })],
    ['an amount as a number', 'extras[0].price', withExtra({ price: 50 })],
    [
      'a block without an offset',
      `${blocks}[0].from`,
      withBlocks({ from: '2027-01-01T00:00:00', to }),
    ],
    ['a block of zero length', `${blocks}[0].to`, withBlocks({ from, to: from })],
    ['a line break in a reason', `${blocks}[0].reason`, withBlocks({ from, to, reason: 'a\nb' })],
    [
      'a block of zero length on the second vehicle',
      'assetGroups[0].assets[1].blocks[0].to',
      withGroup({ assets: [{ ref: 'a' }, { ref: 'b', blocks: [{ from, to: from }] }] }),
    ],
    [
      'a duplicate block whose reason has trailing spaces',
      `${blocks}[1]`,
      withBlocks({ from, to, reason: 'service' }, { from, to, reason: 'service ' }),
    ],
    ['a block before 2000', `${blocks}[0].from`, withBlocks({ from: lastCentury, to })],
    [
      'a duplicate ref of extras',
      'extras[1].ref',
      { ...smallFleet(), extras: [...withExtra({}).extras, ...withExtra({}).extras] },
    ],
    [
      'a duplicate id of rates',
      `${rate.slice(0, -'[0]'.length)}[1].id`,
      withGroup({
        rates: [
          { id, ref: 'r', name: 'R', dailyRate: '10' },
          { id, ref: 's', name: 'R', dailyRate: '10', validFrom: '2027-01-01' },
        ],
      }),
    ],
    ...[
      [{}, {}],
      [{ validFrom: '2027-06-01' }, { validFrom: '2027-06-01', validTo: null }],
      [
        { validFrom: '2027-06-01', validTo: '2027-08-31' },
        { validFrom: '2027-06-01', validTo: '2027-08-31', minDays: 3 },
      ],
    ].map((dates): [string, string, object] => [
      `two rates of a group with the same dates: ${JSON.stringify(dates[1])}`,
      `${rate.slice(0, -'[0]'.length)}[1].validFrom`,
      withGroup({
        rates: dates.map((each, n) => ({ ref: `r${n}`, name: `R${n}`, dailyRate: '10', ...each })),
      }),
    ]),
    [
      'a duplicate id of rates in two groups',
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
      'a duplicate id of extras in different case',
      'extras[1].id',
      {
        ...smallFleet(),
        extras: [
          { ...withExtra({ id }).extras[0] },
          { ...withExtra({ id: id.toUpperCase(), ref: 'f' }).extras[0] },
        ],
      },
    ],
    [
      'a vehicle in two groups',
      'assetGroups[1].assets[0].ref',
      {
        ...smallFleet(),
        assetGroups: ['M AB 101', 'm\u00a0AB 101'].map((plate, index) => {
          return { ref: `g${index}`, name: 'G', category: 'car', assets: [{ ref: plate }] }
        }),
      },
    ],
  ])('rejects %s and reports the path of the problem', (_, path, file) => {
    expect(Object.keys(problemsOf(() => parseFleetFile(JSON.stringify(file))))).toEqual([path])
  })
})
