import { readFile, writeFile } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { commandLineOn } from './commandLine.ts'
import { unchanged, useFleets, useWorkbook } from './fleets.ts'

const fleets = useFleets()
const { operator, whole, loaded, block } = fleets
const { file, pathOf, importFile, exportWorkbook } = useWorkbook(fleets)

type Rows = (string | number | boolean | null)[][]

/** Imports a workbook with these sheets. */
async function importSheets(sheets: Readonly<Record<string, Rows>>, ...more: string[]) {
  const written = Object.entries(sheets).map(([name, rows]) => ({ name, rows }))
  await writeFile(file(), await writeXlsx({ sheets: written }))
  return importFile('--yes', ...more)
}

const nothingChanged = 'Created 0, updated 0, archived 0.'

describe('fleet as a workbook', () => {
  it('imports the template for a new tenant, and again without a change', async () => {
    expect((await operator.run('fleet', 'template', '--output', file())).exitCode).toBe(0)
    const { out } = await importFile('--yes')
    expect(out).toContain(`${fleets.slug}: 2 groups, 5 vehicles, 2 extras.\nCreated 13, `)
    expect((await importFile()).out).toContain(nothingChanged)
  })

  it('exports a workbook whose import changes nothing', async () => {
    await loaded(whole())
    await block('--from', '2030-03-01', '--to', '2030-03-02')
    const before = await fleets.exported()
    expect((await exportWorkbook()).exitCode).toBe(0)
    expect((await importFile()).out).toContain(nothingChanged)
    expect(await fleets.exported()).toEqual(before)
  })

  it('adds the column Ref when rates or extras cannot be told apart by name and dates', async () => {
    const fleet = whole()
    const [group] = fleet.assetGroups
    const [rate] = group?.rates ?? []
    if (rate === undefined) throw new Error('The fleet has no rate')
    group?.rates?.push({ ...rate, ref: 'summer-2', dailyRate: '799', validTo: '2038-07-31' })
    const [extra] = fleet.extras
    if (extra !== undefined)
      fleet.extras.push({ ...extra, ref: 'seat-2', name: 'seat', price: '6' })
    await loaded(fleet)
    await exportWorkbook()
    expect((await importFile()).out).toContain(nothingChanged)
  })

  it('keeps what the workbook has no sheet or column for', async () => {
    await loaded(whole())
    const before = await fleets.exported()
    const vehicles: Rows = [
      ['Vehicle', 'Group'],
      [`${fleets.slug} 1`, 'economy'],
      [`${fleets.slug} 2`, 'economy'],
      ['VAN', 'van'],
    ]
    expect((await importSheets({ Vehicles: vehicles })).out).toContain(nothingChanged)
    const rates: Rows = [
      ['Group', 'Rate', 'Per day'],
      ['economy', 'Summer', 799],
    ]
    expect((await importSheets({ Rates: rates })).out).toContain('updated 1')
    const [economy] = before.assetGroups
    Object.assign(economy.rates[0], { dailyRate: '799' })
    expect(await fleets.exported()).toEqual(before)
  })

  it('changes and removes only the translations of which the workbook has the column', async () => {
    await loaded(whole())
    const groups: Rows = [
      ['Group', 'Name (nb)', 'Description (de-ch)'],
      ['economy', 'Småbil', null],
      ['van', null, null],
    ]
    expect((await importSheets({ Groups: groups })).out).toContain('updated 1')
    const [economy] = (await fleets.exported()).assetGroups
    expect(economy.translations).toEqual({
      'de-CH': { name: 'Kleinwagen', category: 'Autos' },
      nb: { name: 'Småbil', description: 'Liten.' },
    })
  })

  it('keeps the id and the blocks of a vehicle that moves to another group', async () => {
    const { assetGroups } = await loaded(whole())
    const blocks = await fleets.blocksOf(`${fleets.slug} 1`)
    const vehicles: Rows = [
      ['Vehicle', 'Group'],
      [` ${fleets.slug.toUpperCase()}\u00a01`, 'van'],
      [`${fleets.slug} 2`, 'economy'],
      ['VAN', 'van'],
    ]
    await importSheets({ Vehicles: vehicles })
    const { assetGroups: after } = await fleets
      .load(await fleets.exported())
      .then(({ out }) => JSON.parse(out))
    expect(after[1].assets).toContainEqual({
      ref: `${fleets.slug.toUpperCase()} 1`,
      id: assetGroups[0].assets[0].id,
    })
    expect(await fleets.blocksOf(`${fleets.slug.toUpperCase()} 1`)).toEqual(blocks)
  })

  it('keeps the blocks of a vehicle whose row is deleted and put back', async () => {
    await loaded(whole())
    await block('--from', '2030-03-01', '--to', '2030-03-02')
    const before = await fleets.exported()
    const [first, second] = [1, 2].map((n) => [`${fleets.slug} ${n}`, 'economy'])
    for (const rows of [[second], [first], [first, second]]) {
      const vehicles: Rows = [['Vehicle', 'Group'], ...(rows as Rows), ['VAN', 'van']]
      await importSheets({ Vehicles: vehicles })
    }
    expect(await fleets.exported()).toEqual(before)
  })

  it('keeps the texts of a language that becomes the language of the company, and back', async () => {
    const fleet = whole()
    const [economy] = fleet.assetGroups
    Object.assign(economy ?? {}, { translations: { de: { name: 'Kleinwagen' } } })
    await loaded(fleet)
    const before = await fleets.exported()
    const languageIs = (language: string) =>
      importSheets({
        Company: [
          ['Setting', 'Value'],
          ['Language', language],
        ] as Rows,
      })
    expect((await languageIs('de')).exitCode).toBe(0)
    const { tenant, assetGroups } = await fleets.exported()
    expect(assetGroups[0]).toMatchObject({
      name: 'Kleinwagen',
      translations: { 'en-GB': { name: 'Economy' } },
    })
    const { de, ...others } = fleet.tenant.translations
    const { address, facts } = fleet.tenant
    expect(tenant).toMatchObject({
      ...de,
      translations: { ...others, 'en-GB': { address, facts } },
    })
    expect((await languageIs('en-GB')).exitCode).toBe(0)
    expect(await fleets.exported()).toEqual(before)
  })

  it('names the cell of a translation into the language of the company', async () => {
    await loaded(whole())
    const { error } = await importSheets({
      Company: [
        ['Setting', 'Value'],
        ['Language', 'de'],
      ],
      Groups: [
        ['Group', 'Name', 'Name (de)'],
        ['economy', 'Economy', 'Kleinwagen'],
        ['van', 'Van', null],
      ],
    })
    expect(error).toContain("Groups!C2: is the tenant's own language")
    expect(error).not.toContain('assetGroups')
  })

  it('gives no ref twice when one is typed and another is made from a name', async () => {
    await loaded(whole())
    const extras: Rows = [
      ['Extra', 'Price', 'Per', 'Ref'],
      ['Seat', 5, 'day', null],
      ['Chains', 5, 'day', null],
      ['Other chains', 6, 'day', 'chains'],
    ]
    expect((await importSheets({ Extras: extras })).exitCode).toBe(0)
    const refs = (await fleets.exported()).extras.map(({ ref }: { ref: string }) => ref)
    expect(refs).toEqual(['chains', 'chains-2', 'seat'])
    expect((await importFile()).out).toContain(nothingChanged)
  })

  it('finds groups, rates and extras whatever their case', async () => {
    await loaded(whole())
    const before = await fleets.exported()
    const rates: Rows = [
      ['Group', 'Rate', 'Per day'],
      ['ECONOMY', 'Summer', 699],
    ]
    const extras: Rows = [
      ['Extra', 'Price', 'Per', 'At most'],
      ['SEAT', 5, 'day', 30],
    ]
    const groups: Rows = [['Group'], ['Economy'], ['VAN']]
    const { out } = await importSheets({ Groups: groups, Rates: rates, Extras: extras })
    expect(out).toContain('Created 0, updated 1, archived 0.')
    Object.assign(before.extras[0], { name: 'SEAT' })
    expect(await fleets.exported()).toEqual(before)
  })

  it.each([
    ['keeps a setting without a value', null, 48],
    ['removes a setting with the value none', 'none', null],
  ])('%s', async (_, value, expected) => {
    await loaded(whole())
    await importSheets({
      Company: [
        ['Setting', 'Value'],
        ['Pending hold hours', value],
      ],
    })
    expect((await fleets.exported()).tenant).toMatchObject({ pendingHoldHours: expected })
  })

  it('empties the list of an empty sheet, after a question', async () => {
    await loaded(whole())
    const extras: Rows = [['Extra', 'Price', 'Per']]
    await writeFile(file(), await writeXlsx({ sheets: [{ name: 'Extras', rows: extras }] }))
    const refused = await importFile()
    expect(refused).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('1 of the 1 extras'),
    })
    expect((await importFile('--yes')).out).toContain('archived 1')
  })

  it('restores what comes back under its old id', async () => {
    const { extras } = await loaded(whole())
    const header = ['Extra', 'Price', 'Per', 'At most', 'Currency']
    await importSheets({ Extras: [header] })
    await importSheets({ Extras: [header, ['Seat', 5, 'day', 30, 'EUR']] })
    const [restored] = (await fleets.exported()).extras
    expect(restored).toMatchObject({ ref: 'seat', id: extras[0].id })
  })

  it.each([
    ['has a value', 'Small', 1],
    ['is empty', null, 0],
  ])('rejects a merged cell only if the first of its cells %s', async (_, text, exitCode) => {
    await loaded(whole())
    const rows: Rows = [
      ['Group', 'Description'],
      ['economy', text],
      ['van', null],
    ]
    const merges = [{ startRow: 1, startCol: 1, endRow: 2, endCol: 1 }]
    await writeFile(file(), await writeXlsx({ sheets: [{ name: 'Groups', rows, merges }] }))
    const run = await importFile('--dry-run')
    expect(run.exitCode).toBe(exitCode)
    if (exitCode === 1) expect(run.error).toContain('Groups!B3: is merged with Groups!B2')
  })

  it('keeps the currency of extras when the company gets another', async () => {
    await loaded(whole())
    const { extras } = await fleets.exported()
    const company: Rows = [
      ['Setting', 'Value'],
      ['Currency', 'USD'],
    ]
    const seats: Rows = [
      ['Extra', 'Price', 'Per', 'At most'],
      ['Seat', 5, 'day', 30],
    ]
    await importSheets({ Company: company, Extras: seats })
    expect((await fleets.exported()).extras).toEqual(extras)
  })

  it('rejects a workbook with errors and changes nothing', async () => {
    await loaded(whole())
    const rates: Rows = [
      ['Group', 'Per day'],
      ['econmy', '59.90 €'],
    ]
    const { exitCode, error } = await importSheets({ Rates: rates })
    expect(exitCode).toBe(1)
    expect(error).toContain('Rates!A2: "econmy" is not a group; did you mean economy?')
    expect(error).toContain('Rates!B2: must be an amount such as 59.90, not "59.90 €"')
  })

  it('requires the first four settings for a new tenant', async () => {
    const company: Rows = [
      ['Setting', 'Value'],
      ['Name', 'Vans'],
    ]
    const { error } = await importSheets({ Company: company })
    for (const setting of ['Time zone', 'Currency', 'Tax percent']) {
      expect(error).toContain(`Company, ${setting}: is required`)
    }
  })
})

describe('the output of a workbook', () => {
  it.each([
    ['template', ['fleet', 'template']],
    ['export', ['fleet', 'export', '--format', 'xlsx']],
  ])('%s writes to stdout unless it is a terminal', async (_, argv) => {
    await loaded(whole())
    const tenant = argv.includes('export') ? ['--tenant', fleets.slug] : []
    const { out } = await operator.run(...argv, ...tenant)
    expect(out.startsWith('PK')).toBe(true)
    const shown = await commandLineOn(operator.url)([...argv, ...tenant], { columns: 80 })
    expect(shown).toMatchObject({ exitCode: 2, error: expect.stringContaining('--output') })
  })

  it('writes an exported JSON file', async () => {
    await loaded(whole())
    const json = pathOf('fleet.json')
    await operator.run('fleet', 'export', '--tenant', fleets.slug, '--output', json)
    const written = JSON.parse(await readFile(json, 'utf8'))
    expect(written).toEqual(await fleets.exported())
    expect(JSON.parse((await fleets.load(written)).out)).toMatchObject(unchanged)
  })
})

it.each([
  ['a CSV file', 'group;vehicle\neconomy;B 1\n', 'is neither JSON nor a workbook'],
  ['Latin-1', Buffer.from('{"name": "Å"}', 'latin1'), 'is not UTF-8'],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'is not UTF-8'],
])('rejects %s with what to do', async (_, stdin, message) => {
  const argv = ['fleet', 'import', '-', '--tenant', 'any']
  const { exitCode, error } = await commandLineOn(operator.url)(argv, { stdin })
  expect({ exitCode, error }).toEqual({ exitCode: 1, error: expect.stringContaining(message) })
})
