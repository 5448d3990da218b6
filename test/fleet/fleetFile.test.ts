import { describe, expect, it } from 'vitest'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'

const from = '2027-01-01T00:00:00Z'
const to = '2027-01-02T00:00:00Z'

/** Returns a fleet file with one item of each kind and these changes. */
const fileWith = ({ tenant, group, asset, rate, extra, blocks = [{}], ...others }: Changes) => ({
  ...others,
  tenant: {
    slug: 'a',
    name: 'A',
    timezone: 'Europe/Oslo',
    currency: 'NOK',
    taxPercent: '25',
    ...tenant,
  },
  assetGroups: [
    {
      ref: 'g',
      name: 'G',
      category: 'car',
      ...group,
      assets: [{ ref: 'a', blocks: blocks.map((block) => ({ from, to, ...block })), ...asset }],
      rates: [{ ref: 'r', name: 'R', dailyRate: '10', ...rate }],
    },
  ],
  extras: [{ ref: 'e', name: 'E', pricing: 'per_day', price: '0', ...extra }],
})

interface Changes {
  readonly tenant?: object
  readonly group?: object
  readonly asset?: object
  readonly rate?: object
  readonly extra?: object
  readonly blocks?: readonly object[]
  readonly colour?: string
}

const parsed = (changes: Changes) => parseFleetFile(JSON.stringify(fileWith(changes)))

function problemsOf(changes: Changes): readonly string[] {
  try {
    parsed(changes)
    return []
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error
    return error.problems.map(({ path, message }) => `${path} ${message}`)
  }
}

const rate = 'assetGroups[0].rates[0]'
const blocks = 'assetGroups[0].assets[0].blocks'
const address = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`

describe('the fields of a fleet file', () => {
  it.each<[string, Changes, Changes, string]>([
    [
      'a slug',
      { tenant: { slug: 'x'.repeat(63) } },
      { tenant: { slug: 'x'.repeat(64) } },
      'tenant.slug must have at most 63 characters',
    ],
    [
      'a lead time',
      { tenant: { minLeadMinutes: 525_600 } },
      { tenant: { minLeadMinutes: 525_601 } },
      'tenant.minLeadMinutes must be a whole number from 0 to 525600',
    ],
    [
      'a hold of pending bookings',
      { tenant: { pendingHoldHours: 8760 } },
      { tenant: { pendingHoldHours: 8761 } },
      'tenant.pendingHoldHours must be a whole number from 1 to 8760',
    ],
    [
      'a retention of customers',
      { tenant: { customerRetentionMonths: 1 } },
      { tenant: { customerRetentionMonths: 0 } },
      'tenant.customerRetentionMonths must be a whole number from 1 to 1200',
    ],
    [
      'a grace period',
      { tenant: { gracePeriodMinutes: 1439 } },
      { tenant: { gracePeriodMinutes: 1440 } },
      'tenant.gracePeriodMinutes must be a whole number from 0 to 1439',
    ],
    [
      'a turnaround',
      { group: { turnaroundMinutes: 43_200 } },
      { group: { turnaroundMinutes: 43_201 } },
      'assetGroups[0].turnaroundMinutes must be a whole number from 0 to 43200',
    ],
    [
      'the length of an image address',
      { group: { imageUrl: address(2_000) } },
      { group: { imageUrl: address(2_001) } },
      'assetGroups[0].imageUrl must have at most 2000 characters',
    ],
    [
      'the form of an image address',
      { group: { imageUrl: 'HTTP://[::1]/' } },
      { group: { imageUrl: 'http://[' } },
      'assetGroups[0].imageUrl must be an http or https address',
    ],
    [
      'a last date',
      { rate: { validTo: '2100-12-31' } },
      { rate: { validTo: '2101-01-01' } },
      `${rate}.validTo must lie between 2000 and 2100`,
    ],
    [
      'the dates of a rate',
      { rate: { validFrom: '2027-06-01', validTo: '2027-06-01' } },
      { rate: { validFrom: '2027-06-02', validTo: '2027-06-01' } },
      `${rate}.validTo must not be before the first date`,
    ],
    [
      'the decimals of a price in yen',
      { group: { currency: 'JPY' } },
      { group: { currency: 'JPY' }, rate: { dailyRate: '10.0' } },
      `${rate}.dailyRate must have at most 0 decimals (JPY)`,
    ],
    [
      'the size of a price',
      { group: { currency: 'JPY' }, rate: { dailyRate: '1000000000000' } },
      { group: { currency: 'JPY' }, rate: { dailyRate: '1000000000001' } },
      `${rate}.dailyRate is too large`,
    ],
    [
      'the price cap of an extra per rental',
      { extra: { pricing: 'per_rental', maxPrice: null } },
      { extra: { pricing: 'per_rental', maxPrice: '10.25' } },
      'extras[0].maxPrice is only for extras per day',
    ],
    [
      'the decimals of a price cap',
      { extra: { maxPrice: '10.25' } },
      { extra: { maxPrice: '10.255' } },
      'extras[0].maxPrice must have at most 2 decimals (NOK)',
    ],
    [
      'blocks at the same time',
      { blocks: [{ reason: 'tyres' }, { reason: 'oil' }] },
      { blocks: [{ reason: 'oil' }, { reason: 'oil' }] },
      `${blocks}[1] repeats ${blocks}[0]`,
    ],
    [
      'the length of an address',
      { tenant: { address: '\u{1f697}'.repeat(300) } },
      { tenant: { address: 'x'.repeat(301) } },
      'tenant.address must have at most 300 characters',
    ],
    [
      'control characters in an address',
      { tenant: { address: 'Brygga 1\r\n5003 Bergen' } },
      { tenant: { address: 'Brygga 1\u0007' } },
      'tenant.address must have no control characters other than line breaks and tabs, but has U+0007',
    ],
    [
      'the number of facts',
      { tenant: { facts: Array(6).fill('From 21 years') } },
      { tenant: { facts: Array(7).fill('From 21 years') } },
      'tenant.facts must have at most 6 texts',
    ],
    [
      'the length of a fact',
      { tenant: { facts: ['x'.repeat(60)] } },
      { tenant: { facts: ['x'.repeat(61)] } },
      'tenant.facts[0] must have at most 60 characters',
    ],
    [
      'a fact of one line',
      { tenant: { facts: [' Free \u00a0 cancellation '] } },
      { tenant: { facts: ['Free cancellation', 'Pay\nlater'] } },
      'tenant.facts[1] must be one line without control characters, but has U+000A',
    ],
    [
      'a translated address',
      { tenant: { translations: { de: { address: 'x'.repeat(300), facts: null } } } },
      { tenant: { translations: { de: { address: 'x'.repeat(301) } } } },
      'tenant.translations.de.address must have at most 300 characters',
    ],
    [
      'the number of translated facts',
      { tenant: { translations: { de: { facts: Array(6).fill('Ab 21') } } } },
      { tenant: { translations: { de: { facts: Array(7).fill('Ab 21') } } } },
      'tenant.translations.de.facts must have at most 6 texts',
    ],
    [
      'the language of the translations of a tenant',
      { tenant: { translations: { de: { facts: ['Ab 21'] } } } },
      { tenant: { language: 'de', translations: { de: { facts: ['Ab 21'] } } } },
      "tenant.translations.de is the tenant's own language: its texts stand outside of translations",
    ],
    [
      'the texts of a tenant that have translations',
      { tenant: { translations: { de: {} } } },
      { tenant: { translations: { de: { name: 'Fjord-Autos' } } } },
      'tenant.translations.de.name is not a field',
    ],
    [
      'the category of an extra',
      { extra: { category: null, translations: { de: { category: 'Schutz' } } } },
      { extra: { category: 'Protec\ntion' } },
      'extras[0].category must be one line without control characters, but has U+000A',
    ],
    [
      'the length of the description of an extra',
      { extra: { description: 'Two\nlines' } },
      { extra: { description: 'x'.repeat(2_001) } },
      'extras[0].description must have at most 2000 characters',
    ],
    [
      'line breaks in a text',
      { group: { description: 'Small.\nRed.' } },
      { group: { name: 'Small.\nRed.' } },
      'assetGroups[0].name must be one line without control characters, but has U+000A',
    ],
  ])('accepts a valid and rejects an invalid value of %s', (_, good, bad, problem) => {
    expect(problemsOf(good)).toEqual([])
    expect(problemsOf(bad)).toEqual([problem])
  })

  it.each<[string, Changes]>([
    // A misspelt list would otherwise archive all its items.
    ['colour', { colour: 'red' }],
    ['tenant.colour', { tenant: { colour: 'red' } }],
    ['assetGroups[0].assets[0].colour', { asset: { colour: 'red' } }],
    [`${rate}.colour`, { rate: { colour: 'red' } }],
    [`${blocks}[0].colour`, { blocks: [{ colour: 'red' }] }],
    ['extras[0].colour', { extra: { colour: 'red' } }],
  ])('rejects the unknown field %s', (path, changes) => {
    expect(problemsOf(changes)).toEqual([`${path} is not a field`])
  })

  it.each([
    ['europe/oslo', 'Europe/Oslo'],
    ['EUROPE/OSLO', 'Europe/Oslo'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
  ])('accepts the time zone %s and stores it as %s', (timezone, spelled) => {
    expect(parsed({ tenant: { timezone } }).tenant.timezone).toBe(spelled)
  })
})

describe('parseFleetFile', () => {
  it.each([
    ['a list', '{ "assetGroups": [],\n "assetGroups": [] }', '"assetGroups" twice', 2],
    ['an escaped name', '{"extras": [],\n\n"\\u0065xtras": []}', '"extras" twice', 3],
    [
      'a name within a list',
      '{"extras": [{"ref": "a"}, {"ref": "{", "ref": "b"}]}',
      '"ref" twice',
      1,
    ],
  ])('rejects %s that stands twice in one object', (_, json, message, line) => {
    expect(() => parseFleetFile(json)).toThrow(
      new RegExp(`has ${message} in one object, the second time in line ${line}`),
    )
  })

  it('accepts the same name in two objects, and in a text', () => {
    const text = JSON.stringify(fileWith({ group: { name: '{"ref": "ref":' } }))
    expect(() => parseFleetFile(text)).not.toThrow()
  })
})
