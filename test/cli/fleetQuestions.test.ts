import { readFile, writeFile } from 'node:fs/promises'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { useFleets, useWorkbook } from './fleets.ts'

const fleets = useFleets()
const { operator, loaded, load } = fleets
const { file, pathOf, importFile, exportWorkbook } = useWorkbook(fleets)

const company = (currency = 'NOK') => ({
  slug: fleets.slug,
  name: `Cars ${fleets.slug}`,
  timezone: 'Europe/Oslo',
  currency,
  taxPercent: '25',
})
const rate = (dailyRate: string, more: object = {}) => {
  return { ref: 'standard', name: 'Standard', dailyRate, ...more }
}
const fleet = (change: object = {}) => ({
  tenant: company(),
  assetGroups: [
    {
      ref: 'economy',
      name: 'Economy',
      category: 'car',
      assets: [{ ref: `${fleets.slug} 1` }, { ref: `${fleets.slug} 2` }],
      rates: [rate('1125.00')],
    },
  ],
  extras: [{ ref: 'seat', name: 'Seat', pricing: 'per_day', price: '50.00' }],
  ...change,
})

type Rows = unknown[][]
/** Changes the exported workbook as an owner does. */
async function edit(change: (sheets: Record<string, Rows>) => void) {
  const { sheets } = await readXlsx(await readFile(file()))
  const rows = Object.fromEntries(sheets.map((sheet) => [sheet.name, sheet.rows as Rows]))
  change(rows)
  const tax = rows['Company']?.find(([title]) => title === 'Tax percent')
  if (tax) tax[1] = '25 %'
  const written = Object.entries(rows).map(([name, cells]) => ({ name, rows: cells as never[] }))
  await writeFile(file(), await writeXlsx({ sheets: written }))
}
const setting = (sheets: Record<string, Rows>, title: string, value: unknown) => {
  const row = sheets['Company']?.find(([name]) => name === title)
  if (row) row[1] = value
}
const price = (sheets: Record<string, Rows>, value: number) => {
  const [titles = [], row = []] = sheets['Rates'] ?? []
  row[titles.indexOf('Per day')] = value
}

describe('an import with another currency', () => {
  it('reads the new prices in the new currency', async () => {
    await loaded(fleet())
    await exportWorkbook()
    await edit((sheets) => {
      setting(sheets, 'Currency', 'EUR')
      price(sheets, 102.26)
      const [titles = [], row = []] = sheets['Extras'] ?? []
      row[titles.indexOf('Price')] = 4.5
    })
    expect((await importFile()).error).toBe('')
    const { tenant, assetGroups, extras } = await operator.json(
      'fleet',
      'show',
      '--tenant',
      fleets.slug,
    )
    expect([tenant.currency, assetGroups[0].currency, extras[0].currency]).toEqual([
      'EUR',
      'EUR',
      'EUR',
    ])
    expect(assetGroups[0].rates[0].dailyRate).toBe('102.26')
    expect((await importFile()).out).toContain('Created 0, updated 0, archived 0.')
  })

  it('asks when the amounts stay, also with other decimals', async () => {
    await loaded(fleet())
    await exportWorkbook()
    await edit((sheets) => {
      setting(sheets, 'Currency', 'JPY')
      delete sheets['Rates']
    })
    const { exitCode, error } = await importFile()
    expect(exitCode).toBe(1)
    expect(error).toContain(
      'These amounts were NOK and stay: economy 1125 JPY, seat 50 JPY. Nothing was changed.',
    )
    expect((await importFile('--yes')).exitCode).toBe(0)
  })

  it('asks when a group keeps a currency of its own', async () => {
    const { assetGroups, ...others } = fleet()
    await loaded({
      ...others,
      assetGroups: assetGroups.map((group) => ({ ...group, currency: 'USD' })),
    })
    await exportWorkbook()
    await edit((sheets) => setting(sheets, 'Currency', 'EUR'))
    const { error } = await importFile()
    expect(error).toContain('The company has EUR now. Still in another: economy 1125.00 USD.')
  })

  it('exports no currency that is the one of the company', async () => {
    await loaded(fleet())
    const { assetGroups, extras } = await fleets.exported()
    expect([assetGroups[0], extras[0]].map((each) => 'currency' in each)).toEqual([false, false])
  })
})

describe('an import that has questions', () => {
  it('names vehicles that are probably one, only when it makes one of them', async () => {
    const [group] = fleet().assetGroups
    const withVehicles = (...refs: string[]) =>
      fleet({ assetGroups: [{ ...group, assets: refs.map((ref) => ({ ref })) }] })
    await loaded(withVehicles('B MW 555', 'X 1'))
    const both = withVehicles('B MW 555', 'BM W 555', 'X 1')
    const { exitCode, error } = await load(both)
    expect(exitCode).toBe(1)
    expect(error).toContain('B MW 555, BM W 555 are probably one vehicle.')
    await loaded(both, '--yes')
    await loaded(both)
  })

  it('asks before a workbook creates a second tenant, and tells its namesake', async () => {
    await loaded(fleet())
    await exportWorkbook()
    const asked = await operator.run('fleet', 'import', file(), '--tenant', `${fleets.slug}-typo`)
    expect(asked.exitCode).toBe(1)
    expect(asked.error).toContain(`There is no tenant "${fleets.slug}-typo" yet`)
    expect(asked.error).toContain(`"${fleets.slug}" has the same name.`)
    const planned = await operator.json(
      'fleet',
      'import',
      file(),
      '--tenant',
      `${fleets.slug}-typo`,
      '--dry-run',
    )
    expect(planned).toMatchObject({ tenantCreated: true, needsYes: true })
  })

  it('asks before an older workbook undoes a change, and not for its own changes', async () => {
    await loaded(fleet())
    await exportWorkbook()
    await edit((sheets) => price(sheets, 1200))
    expect((await importFile()).exitCode).toBe(0)
    await edit((sheets) => price(sheets, 1300))
    expect((await importFile()).exitCode).toBe(0)
    await operator.json('tenants', 'set', fleets.slug, '--tax-percent', '10')
    const asked = await importFile()
    expect(asked.exitCode).toBe(1)
    expect(asked.error).toMatch(/taxPercent +10 +25/)
    expect(asked.error).toContain('changed elsewhere after this workbook was exported')
    expect((await importFile('--yes')).exitCode).toBe(0)
    await edit((sheets) => price(sheets, 1400))
    expect((await importFile()).exitCode).toBe(0)
  })

  it('names sheets that are not read, a new price of ten times, and what cannot be sold', async () => {
    await loaded(fleet())
    await exportWorkbook()
    await edit((sheets) => {
      price(sheets, 11250)
      sheets['Preise'] = [['Group']]
    })
    const { out } = await importFile()
    expect(out).toContain('Warning: The sheet "Preise" is not read.')
    expect(out).toContain('Warning: economy / Standard: a price changes from 1125.00 to 11250.00.')
    const empty = { ref: 'bus', name: 'Bus', category: 'van' }
    const { warnings } = await loaded(fleet({ assetGroups: [...fleet().assetGroups, empty] }))
    expect(warnings).toEqual([
      'economy / Standard: a price changes from 11250.00 to 1125.00.',
      'bus has no vehicle.',
      'bus has no rate.',
    ])
    const shown = await operator.json('fleet', 'show', '--tenant', fleets.slug)
    expect(shown.warnings).toEqual(['bus has no vehicle.', 'bus has no rate.'])
  })

  it('shows the prices and dates of what it would create', async () => {
    const [group] = fleet().assetGroups
    const dated = {
      ...group,
      rates: [rate('29.00', { weeklyRate: '17.40', validFrom: '2038-06-01' })],
    }
    const { out } = await load(fleet({ assetGroups: [dated] }), '--dry-run')
    expect(JSON.parse(out).changes).toContainEqual({
      change: 'created',
      kind: 'rate',
      name: 'economy / standard',
      field: null,
      from: null,
      to: { dailyRate: '29.00', weeklyRate: '17.40', validFrom: '2038-06-01' },
    })
    await writeFile(pathOf('fleet.json'), JSON.stringify(fleet({ assetGroups: [dated] })))
    const text = await operator.run('fleet', 'import', pathOf('fleet.json'), '--dry-run')
    expect(text.out).toContain('dailyRate 29.00, weeklyRate 17.40, validFrom 2038-06-01')
    expect(text.out).toContain('a week costs 17.40, less than a day (29.00)')
  })
})
