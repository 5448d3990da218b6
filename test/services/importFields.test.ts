import { beforeEach, describe, expect, it } from 'vitest'
import { fleetFile } from '../../src/fleet/fleetFile.ts'
import { importFile } from '../helpers/fleet.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'

const test = useTestDatabase()
let tenants = 0
beforeEach(() => {
  tenants += 1
})

const slug = () => `fjord-cars-${tenants}`
const load = (file: unknown) => importFile(test.database, file)

/** One item of each kind, with a value in every field of the file. */
const whole = {
  tenant: {
    name: 'Fjord Cars',
    timezone: 'Europe/Oslo',
    currency: 'NOK',
    taxPercent: '25',
    pricesIncludeTax: false,
    gracePeriodMinutes: 29,
    minLeadMinutes: 60,
    seasons: 'per_day',
    pendingHoldHours: 48,
    customerRetentionMonths: 36,
    address: 'Brygga 1\n5003 Bergen',
    facts: ['Free cancellation'],
    translations: { de: { address: 'Brygga 1', facts: ['Kostenlos stornierbar'] } },
    language: 'en',
  },
  group: {
    ref: 'economy',
    name: 'Economy',
    category: 'car',
    description: 'Toyota Yaris or similar',
    translations: {
      de: { name: 'Kleinwagen', category: 'Auto', description: 'Toyota Yaris oder ähnlich' },
    },
    imageUrl: 'https://example.com/yaris.jpg',
    currency: 'NOK',
    turnaroundMinutes: 60,
  },
  rate: {
    ref: 'summer',
    name: 'Summer',
    translations: { de: { name: 'Sommer' } },
    dailyRate: '699.00',
    hourlyRate: '99.00',
    weeklyRate: '4000.00',
    monthlyRate: '12000.00',
    minDays: 3,
    validFrom: '2038-06-01',
    validTo: '2038-08-31',
  },
  extra: {
    ref: 'child-seat',
    name: 'Child seat',
    category: 'Equipment',
    description: 'For 9 to 36 kg',
    translations: {
      de: { name: 'Kindersitz', category: 'Ausstattung', description: 'Für 9 bis 36 kg' },
    },
    pricing: 'per_day',
    currency: 'NOK',
    price: '50.00',
    maxPrice: '300.00',
  },
}

type Kind = keyof typeof whole
type Values = Readonly<Record<string, unknown>>

/** Returns the file with other values for some fields of one kind. */
function fileWith(kind: Kind, values: Values) {
  const as = (other: Kind) => ({ ...whole[other], ...(other === kind && values) })
  return {
    tenant: { slug: slug(), ...as('tenant') },
    assetGroups: [{ ...as('group'), rates: [as('rate')] }],
    extras: [as('extra')],
  }
}

const tables = { tenant: 'tenants', group: 'asset_groups', rate: 'rates', extra: 'extras' }

async function stored(kind: Kind): Promise<Values> {
  const { rows } = await test.database.pool.query<{ row: Values }>(
    `select to_jsonb(t) as row from ${tables[kind]} t
     where ${kind === 'tenant' ? 'id' : 'tenant_id'} = (select id from tenants where slug = $1)`,
    [slug()],
  )
  expect(rows).toHaveLength(1)
  return rows[0]?.row ?? {}
}

const hours = { days: ['monday'], opens: '07:00', closes: '24:00' }
const christmas = {
  from: '2038-12-25',
  to: '2038-12-26',
  opens: null,
  closes: null,
  name: 'Christmas',
}

/** A field of the file, its new value, and the stored columns. */
const changes: readonly [Kind, string, unknown, Values][] = [
  ['tenant', 'name', 'Fjord Rental', { name: 'Fjord Rental' }],
  ['tenant', 'timezone', 'Europe/Helsinki', { timezone: 'Europe/Helsinki' }],
  ['tenant', 'currency', 'EUR', { currency: 'EUR' }],
  ['tenant', 'taxPercent', '25.50', { tax_percent: 25.5 }],
  ['tenant', 'pricesIncludeTax', true, { prices_include_tax: true }],
  ['tenant', 'gracePeriodMinutes', 0, { grace_period_minutes: 0 }],
  ['tenant', 'minLeadMinutes', 61, { min_lead_minutes: 61 }],
  ['tenant', 'minLeadMinutes', null, { min_lead_minutes: null }],
  ['tenant', 'seasons', 'pickup', { seasons: 'pickup' }],
  ['tenant', 'pendingHoldHours', 47, { pending_hold_hours: 47 }],
  ['tenant', 'pendingHoldHours', null, { pending_hold_hours: null }],
  ['tenant', 'customerRetentionMonths', 24, { customer_retention_months: 24 }],
  ['tenant', 'openingHours', [hours], { opening_hours: [hours] }],
  ['tenant', 'specialDays', [christmas], { special_days: [christmas] }],
  ['tenant', 'address', 'Brygga 2\n5003 Bergen', { address: 'Brygga 2\n5003 Bergen' }],
  ['tenant', 'address', null, { address: null }],
  ['tenant', 'facts', ['From 21 years', 'Pay later'], { facts: ['From 21 years', 'Pay later'] }],
  ['tenant', 'facts', [], { facts: [] }],
  [
    'tenant',
    'translations',
    { DE: { address: null, facts: ['Ab 21'] }, nb: { facts: [] } },
    { translations: { de: { facts: ['Ab 21'] } } },
  ],
  ['tenant', 'language', 'EN-gb', { language: 'en-GB' }],
  ['group', 'name', 'Compact', { name: 'Compact' }],
  ['group', 'category', 'van', { category: 'van' }],
  ['group', 'description', 'Any', { description: 'Any' }],
  ['group', 'description', null, { description: null }],
  [
    'group',
    'translations',
    { DE: { description: 'Golf', name: null }, fr: {} },
    { translations: { de: { description: 'Golf' } } },
  ],
  ['group', 'imageUrl', 'https://example.com/b.jpg', { image_url: 'https://example.com/b.jpg' }],
  ['group', 'imageUrl', null, { image_url: null }],
  ['group', 'currency', 'EUR', { currency: 'EUR' }],
  ['group', 'turnaroundMinutes', 0, { turnaround_minutes: 0 }],
  ['rate', 'name', 'High season', { name: 'High season' }],
  [
    'rate',
    'translations',
    { nb: { name: 'Sommer' } },
    { translations: { nb: { name: 'Sommer' } } },
  ],
  ['rate', 'dailyRate', '699.01', { daily_minor: 69901 }],
  ['rate', 'hourlyRate', '98.99', { hourly_minor: 9899 }],
  ['rate', 'hourlyRate', null, { hourly_minor: null }],
  ['rate', 'weeklyRate', '4000.01', { weekly_minor: 400001 }],
  ['rate', 'weeklyRate', null, { weekly_minor: null }],
  ['rate', 'monthlyRate', '12000.01', { monthly_minor: 1200001 }],
  ['rate', 'monthlyRate', null, { monthly_minor: null }],
  ['rate', 'minDays', 4, { min_days: 4 }],
  ['rate', 'minDays', null, { min_days: null }],
  ['rate', 'validFrom', '2038-05-31', { valid_from: '2038-05-31' }],
  ['rate', 'validFrom', null, { valid_from: null }],
  ['rate', 'validTo', '2038-09-01', { valid_to: '2038-09-01' }],
  ['rate', 'validTo', null, { valid_to: null }],
  ['extra', 'name', 'Booster', { name: 'Booster' }],
  ['extra', 'category', 'Protection', { category: 'Protection' }],
  ['extra', 'category', null, { category: null }],
  ['extra', 'description', 'Any', { description: 'Any' }],
  ['extra', 'description', null, { description: null }],
  ['extra', 'translations', {}, { translations: {} }],
  ['extra', 'currency', 'EUR', { currency: 'EUR' }],
  ['extra', 'price', '50.01', { price_minor: 5001 }],
  ['extra', 'maxPrice', '299.99', { max_price_minor: 29999 }],
  ['extra', 'maxPrice', null, { max_price_minor: null }],
]

describe('an import of changed fields', () => {
  it.each(changes)(
    'updates only the column of %s.%s when it becomes %j',
    async (kind, field, value, column) => {
      await load(fileWith(kind, {}))
      const before = await stored(kind)
      const changed = fileWith(kind, { [field]: value })
      expect((await load(changed)).updated).toBeGreaterThanOrEqual(1)
      expect(await stored(kind)).toEqual({ ...before, ...touched(kind, before), ...column })
      expect(await load(changed)).toMatchObject({ created: 0, updated: 0, archived: 0 })
    },
  )

  it('stores an extra without a cap when it becomes priced per rental', async () => {
    await load(fileWith('extra', {}))
    const changed = fileWith('extra', { pricing: 'per_rental', maxPrice: null })
    expect(await load(changed)).toMatchObject({ created: 0, updated: 1, archived: 0 })
    expect(await stored('extra')).toMatchObject({ pricing: 'per_rental', max_price_minor: null })
    expect(await load(changed)).toMatchObject({ created: 0, updated: 0, archived: 0 })
  })

  it.each(['from', 'to', 'reason'])('replaces a block when its %s changes', async (field) => {
    const block = { from: '2038-01-10T08:00:00Z', to: '2038-01-12T08:00:00Z', reason: 'service' }
    const other = { from: '2038-01-09T08:00:00Z', to: '2038-01-13T08:00:00Z', reason: 'damage' }
    const withBlock = (values: object) => {
      const { assetGroups, ...rest } = fileWith('group', {})
      const assets = [{ ref: 'EL 12345', blocks: [values] }]
      return { ...rest, assetGroups: assetGroups.map((group) => ({ ...group, assets })) }
    }
    await load(withBlock(block))
    const changed = { ...block, [field]: other[field as keyof typeof other] }
    expect(await load(withBlock(changed))).toMatchObject({ created: 1, updated: 0, archived: 1 })
    const { rows } = await test.database.pool.query(
      `select starts_at, ends_at, reason from asset_blocks
       where archived_at is null and tenant_id = (select id from tenants where slug = $1)`,
      [slug()],
    )
    const { from, to, reason } = changed
    expect(rows).toEqual([{ starts_at: new Date(from), ends_at: new Date(to), reason }])
    expect(await load(withBlock(changed))).toMatchObject({ created: 0, updated: 0, archived: 0 })
  })
})

/** Returns the columns that the database sets itself. */
function touched(kind: Kind, before: Values): Values {
  if (kind === 'tenant') return { fleet_state: Number(before['fleet_state']) + 1 }
  return { created_at: before['created_at'] }
}

/** Columns that an import does not set from a field of the file, or sets once. */
const otherColumns =
  /^(id|tenant_id|asset_group_id|slug|ref|pricing|archived_at|created_at|status|subscription|online_booking|fleet_state|fleet_state_from)$/

describe('the list of changes in this test', () => {
  it.each(['tenant', 'group', 'rate', 'extra'] as const)(
    'covers every column of a %s',
    async (kind) => {
      await load(fileWith(kind, {}))
      const columns = Object.keys(await stored(kind)).filter((name) => !otherColumns.test(name))
      const changed = changes.flatMap(([of, , , values]) =>
        of === kind ? Object.keys(values) : [],
      )
      expect(new Set(changed)).toEqual(new Set(columns))
    },
  )

  it('covers every field of the file that an import can change', () => {
    const { tenant, assetGroups, extras } = fleetFile.shape
    const group = assetGroups.unwrap().element
    const rate = group.shape.rates.unwrap().element
    const fields = [
      ...Object.keys(tenant.shape).map((field) => `tenant ${field}`),
      ...Object.keys(group.shape).map((field) => `group ${field}`),
      ...Object.keys(rate.shape).map((field) => `rate ${field}`),
      ...Object.keys(extras.unwrap().element.shape).map((field) => `extra ${field}`),
    ]
    // Identifying fields never change, and lists have their own rows.
    const others = /^tenant slug$|ref$| id$|^group (assets|rates)$|^extra pricing$/
    const expected = fields.filter((field) => !others.test(field))
    expect([...new Set(changes.map(([kind, field]) => `${kind} ${field}`))].sort()).toEqual(
      expected.sort(),
    )
  })
})
