import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeOds } from 'hucre/ods'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { noFleet } from '../../src/fleet/columns.ts'
import type { CellKind } from '../../src/fleet/fields.ts'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { fleetOfWorkbook } from '../../src/fleet/workbook/fleetOfWorkbook.ts'
import { type Cell, parseCell } from '../../src/fleet/workbook/parseCell.ts'
import { readWorkbook } from '../../src/fleet/workbook/readWorkbook.ts'
import { writeWorkbook } from '../../src/fleet/workbook/writeWorkbook.ts'
import { oddWorkbook } from './oddWorkbook.ts'

const template = (language: string) =>
  parseFleetFile(readFileSync(`examples/template-fleet${language}.json`, 'utf8'))
const exampleFleet = template('')

const bytesOf = (name: string) => readFileSync(join(import.meta.dirname, 'workbooks', name))

const readNew = async (bytes: Uint8Array) => {
  const { tables } = await readWorkbook(Buffer.from(bytes))
  return fleetOfWorkbook(tables, 'example', noFleet).file
}

/** Returns the rows of all sheets; files also contain the time at which they were written. */
const rowsOf = async (bytes: Uint8Array) =>
  (await readXlsx(bytes)).sheets.map(({ name, rows }) => ({ name, rows }))

async function problemsOf(bytes: Uint8Array): Promise<string[]> {
  const error = await readNew(bytes).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(FleetFileError)
  return (error as FleetFileError).problems.map(({ path, message }) => `${path}: ${message}`)
}

describe('the value of a cell', () => {
  const at = (iso: string) => new Date(iso)
  const choices = { 'per day': 'per_day', pickup: 'pickup' }
  const yesNo = { choices: { yes: true, no: false } }
  it.each<[CellKind, Cell['value'], unknown]>([
    ['amount', 39.9, '39.9'],
    ['amount', 39.900000000000006, '39.9'],
    ['amount', 0, '0'],
    ['amount', '59.90', '59.90'],
    ['amount', '59,90', '59.90'],
    ['amount', '1299', '1299'],
    ['amount', '1 299,00', '1299.00'],
    ['amount', '1\u00a0299', '1299'],
    ['amount', '1’299.00', '1299.00'],
    ['amount', '1.299,00', '1299.00'],
    ['amount', '1,299.00', '1299.00'],
    ['amount', '1.299.000', '1299000'],
    ['percent', 25, '25'],
    ['percent', 0, '0'],
    ['percent', '25 %', '25'],
    ['percent', '7,7%', '7.7'],
    ['percent', '0,5 %', '0.5'],
    ['date', at('2027-06-01T00:00:00Z'), '2027-06-01'],
    ['date', '2027-06-01', '2027-06-01'],
    ['date', '1.6.2027', '2027-06-01'],
    ['date', '２０２７-０６-０１', '2027-06-01'],
    ['amount', '５９．９０', '59.90'],
    ['percent', '１０％', '10'],
    ['wholeNumber', 60, 60],
    ['wholeNumber', '60', 60],
    [yesNo, true, true],
    [yesNo, 'No', false],
    ['text', 911, '911'],
    [{ choices }, 'Per Day', 'per_day'],
    [{ choices }, 'per_day', 'per_day'],
  ])('reads a cell of kind %j with %j as %j', (kind, value, expected) => {
    expect(parseCell({ value }, kind)).toEqual({ value: expected })
  })

  it.each(['3,000', '3.000', '3000'])('reads %s as 3000 if no currency has decimals', (value) => {
    expect(parseCell({ value }, 'amount', false)).toEqual({ value: '3000' })
  })

  it.each<[CellKind, Cell, string]>([
    ['text', { value: 123, shown: '00123' }, 'must be text, not the number 123 shown as 00123'],
    ['text', { value: 45, shown: 'AB 045' }, 'must be text, not the number 45 shown as AB 045'],
    ['text', { value: 1.2e35, shown: '1.2E+35' }, 'not the number 1.2e+35 shown as 1.2E+35'],
    ['text', { value: 1e5, shown: '1.00E+05' }, 'not the number 100000 shown as 1.00E+05'],
    ['amount', { value: 0.29, shown: '29 %', isPercentage: true }, 'not 29 %'],
  ])(
    'rejects a number of kind %s that the cell shows as something else: %j',
    (kind, cell, part) => {
      expect(parseCell(cell, kind)).toEqual({ problem: expect.stringContaining(part) })
    },
  )

  it('reads a number that is shown as a percentage by what the cell shows', () => {
    const cell = { value: 0.077, isPercentage: true }
    expect(parseCell(cell, 'percent')).toEqual({ value: '7.7' })
  })

  it.each<[CellKind, Cell['value'], string]>([
    ['amount', '1.299', '"1.299" can mean 1.299 or 1299: enter a number, not text'],
    ['amount', '1,299', '"1,299" can mean 1.299 or 1299: enter a number, not text'],
    ['amount', '59.90 €', 'must be an amount such as 59.90, not "59.90 €"'],
    ['amount', '-5', 'must be an amount such as 59.90, not "-5"'],
    ['amount', -5, 'must be an amount such as 59.90, not -5'],
    ['amount', 1e20, 'must be an amount such as 59.90, not 100000000000000000000'],
    ['amount', at('2027-05-01'), 'must be an amount such as 59.90, not the date 2027-05-01'],
    ['percent', 0.25, '0.25 can mean 0.25 % or 25 %: format the cell as %'],
    ['percent', '0,19', '0.19 can mean 0.19 % or 19 %: format the cell as %'],
    ['date', '01/06/2027', 'must be a date, or text such as 2027-06-01, not "01/06/2027"'],
    ['date', 46539, 'must be a date, or text such as 2027-06-01, not 46539'],
    ['date', at('2027-06-01T12:30Z'), 'must be a date without a time of day, not 2027-06-01T12:30'],
    ['wholeNumber', '1 h', 'must be a whole number, not "1 h"'],
    ['wholeNumber', 0.999, 'must be a whole number, not 0.999'],
    [yesNo, 'ja', 'must be yes or no, not "ja"'],
    ['text', at('2027-01-02'), 'must be text, not the date 2027-01-02'],
    [{ choices }, 'winter', 'must be per day or pickup, not "winter"'],
  ])('rejects a cell of kind %j with %j', (kind, value, problem) => {
    const parsed = parseCell({ value }, kind)
    expect(parsed).toEqual({ problem: expect.stringContaining(problem) })
  })
})

describe('workbooks of other programs', () => {
  it.each(['german', 'mac1904', 'typed'])('reads %s.xlsx', async (name) => {
    const { tenant, assetGroups, extras } = await readNew(bytesOf(`${name}.xlsx`))
    expect(tenant).toMatchObject({
      name: 'Müller Mobil'.normalize('NFC'),
      taxPercent: '19',
      pricesIncludeTax: true,
    })
    const [small, bus] = assetGroups
    expect(small).toMatchObject({ ref: 'klein', name: 'Kleinwagen', turnaroundMinutes: 60 })
    expect(bus).toMatchObject({ ref: 'bus', name: 'bus', category: 'car' })
    expect(assetGroups.flatMap(({ assets }) => assets.map(({ ref }) => ref))).toEqual([
      'M AB 101',
      'M AB 102',
      '911',
    ])
    expect(small?.rates).toMatchObject([
      { name: 'Standard', dailyRate: '39.9', weeklyRate: '240', validFrom: null },
      {
        name: 'Sommer',
        dailyRate: '59.90',
        weeklyRate: '1299.00',
        validFrom: '2027-06-01',
        validTo: '2027-08-31',
      },
    ])
    expect(bus?.rates).toMatchObject([{ name: 'Standard', dailyRate: '1299.00' }])
    expect(extras).toMatchObject([
      { name: 'Kindersitz', pricing: 'per_day', price: '5', maxPrice: '30' },
      { name: 'Ketten', pricing: 'per_rental', maxPrice: null },
    ])
  })

  it('lists all problems with the cells in which they are', async () => {
    expect(await problemsOf(bytesOf('faults.xlsx'))).toMatchInlineSnapshot(`
      [
        "Company, Currency: is required",
        "Company, Time zone: is required",
        "Company!A3: "Tax" is not a setting; did you mean Tax percent?",
        "Company!B4: 0.19 can mean 0.19 % or 19 %: format the cell as %",
        "Company!B5: must be per day or pickup, not "winter"",
        "Extras!B3: must be an amount such as 59.90, not "frei"",
        "Extras!C2: must be day or rental, not "week"",
        "Groups!A3: "klein" is already used at Groups!A2",
        "Rates!B14: repeats Rates!B13",
        "Rates!C2: must be an amount such as 59.90, not "59.90 €"",
        "Rates!C3: "1.299" can mean 1.299 or 1299: enter a number, not text",
        "Rates!C4: must be an amount such as 59.90, not -5",
        "Rates!C11: must be an amount such as 59.90, not TRUE",
        "Rates!C12: is required",
        "Rates!C15: has a formula without a result: open and save the workbook",
        "Rates!D6: has the error value #N/A",
        "Rates!E3: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E4: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E5: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E6: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E7: must be a date, or text such as 2027-06-01, not "01/06/2027", in which day and month can be mixed up",
        "Rates!E9: must be a date without a time of day, not 2027-06-02T12:30",
        "Rates!E10: must be a date, or text such as 2027-06-01, not 46539",
        "Rates!E11: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E12: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E13: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E14: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!E15: has the same dates as Rates!E2, and one day can have only one price",
        "Rates!F8: must not be before the first date",
        "Vehicles!A3: must be text, not the date 2027-01-02: format the cell as text and type it again",
        "Vehicles!A5: "M AB 102" is already used at Vehicles!A4",
        "Vehicles!A6: is required",
        "Vehicles!B2: "klien" is not a group; did you mean klein?",
      ]
    `)
  })

  it.each<[string, string[]]>([
    ['farCell', ['Rates!H1: has no title, but there is a value in Rates!H1000000']],
    ['merged', ['Rates!A3: is merged with Rates!A2, and only that cell has the value']],
    ['precise', ['Rates!C2: must have at most 2 decimals (EUR)']],
    ['similarSheet', ['Vehicels: is not a sheet of a fleet; did you mean Vehicles?']],
    [
      'wrongTitles',
      [
        'Groups!B1: "Colour" is not a column: the columns are Group, Name, Category, Description, Image URL, Turnaround minutes, Currency; begin the title of your own with #',
        'Groups!C1: "Descripton" is not a column; did you mean Description?',
        'Vehicles!B1: repeats the column Vehicle',
        'Vehicles: has no column Group in its first row',
        'Rates!C1: has no title, but there is a value in Rates!C2',
        'Extras: has no column Per in its first row',
      ],
    ],
  ])('rejects %s.xlsx', async (name, problems) => {
    expect(await problemsOf(bytesOf(`${name}.xlsx`))).toEqual(problems)
  })

  it('rejects a workbook without a sheet of a fleet', async () => {
    const message = 'has none of the sheets Company, Groups, Vehicles, Rates, Hours, Extras'
    expect(await problemsOf(bytesOf('noSheet.xlsx'))).toEqual([expect.stringContaining(message)])
  })

  it.each([{}, { hasPrefix: true }])(
    'reads phonetic guides, dates as text, escaped characters, #N/A as a name in a workbook %j',
    async (options) => {
      const { tenant, assetGroups } = await readNew(oddWorkbook(options))
      expect(tenant).toMatchObject({ name: '東京', taxPercent: '10' })
      expect(assetGroups).toMatchObject([
        {
          ref: 'kei',
          name: '#N/A',
          assets: [{ ref: '品川 300 あ 12-34' }],
          rates: [{ dailyRate: '3000', validFrom: '2027-06-01', validTo: '2027-08-31' }],
        },
        { ref: 'van', name: 'A_x0042_', rates: [{ dailyRate: '4500' }] },
      ])
    },
  )

  it('rejects a workbook that is cut off', async () => {
    const [problem] = await problemsOf(bytesOf('german.xlsx').subarray(0, 4_000))
    expect(problem).toContain('is damaged, or not an Excel workbook: save it again as .xlsx')
  })

  it.each([0, 50, 4_000_000_000])(
    'ignores the sizes of files that a workbook declares: %i',
    async (size) => {
      const bytes = Buffer.from(bytesOf('german.xlsx'))
      for (let at = bytes.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; ) {
        bytes.writeUInt32LE(size, at + 24)
        at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1')
      }
      expect((await readNew(bytes)).assetGroups).toHaveLength(2)
    },
  )

  const row = (number: number, cells: string) => `<row r="${number}" s="1">${cells}</row>`
  const repeated = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n + 2)).join('')
  it.each([
    ['100 MB of empty cells', '<c/>'.repeat(25_000_001), 'unpacks to more than 100 MB'],
    [
      'a million small cells',
      row(2, '<c><v>1</v></c>'.repeat(1_000_000)),
      'has more than 12 MB of content',
    ],
  ])('rejects %s', async (_, content, message) => {
    expect(await problemsOf(workbookOf(content))).toEqual([expect.stringContaining(message)])
  })

  it('ignores a million rows that are formatted and empty', async () => {
    const empty = repeated(1_000_000, (n) => row(n, `<c r="A${n}" s="1"/>`))
    const before = process.memoryUsage().rss
    const { tables } = await readWorkbook(workbookOf(empty))
    expect(tables.Groups?.rows).toEqual([])
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
  })
})

it('rejects a workbook with a password', async () => {
  const sheets = [{ name: 'Groups', rows: [['Group']] }]
  const bytes = await writeXlsx({ sheets, encryption: { password: 'x', spinCount: 1_000 } })
  expect(await problemsOf(bytes)).toEqual([expect.stringContaining('or has a password')])
})

it('rejects an OpenDocument file', async () => {
  const bytes = await writeOds({ sheets: [{ name: 'Groups', rows: [['Group']] }] })
  expect(await problemsOf(bytes)).toEqual([
    'the file: is an OpenDocument spreadsheet (.ods): save it as an Excel workbook (.xlsx)',
  ])
})

/** Returns a workbook whose sheet `Groups` has a title and then `content`. */
function workbookOf(content: string): Buffer {
  const title = '<row r="1"><c r="A1" t="inlineStr"><is><t>Group</t></is></c></row>'
  const sheet = `<worksheet><sheetData>${title}${content}</sheetData></worksheet>`
  return oddWorkbook({ changed: { 'xl/worksheets/sheet2.xml': sheet } })
}

/** The template with its names in German beside those in English. */
const germanNames = template('-de')
const translatedFleet = {
  ...exampleFleet,
  extras: exampleFleet.extras.map((extra, index) => {
    return { ...extra, translations: { de: { name: germanNames.extras[index]?.name ?? '' } } }
  }),
}

/** Writes the template with other titles, and values in the columns with those titles. */
async function templateWith(sheet: string, titles: readonly string[], values: readonly string[]) {
  const { sheets } = await readXlsx(await writeWorkbook(translatedFleet))
  const changed = sheets.map(({ name, rows: read }) => {
    // Without its format, 0.19 is not a percentage.
    const rows = read.map((row) => row.map((value) => (value === 0.19 ? '19 %' : value)))
    const more = [titles, ...rows.slice(1).map(() => values)]
    return { name, rows: name === sheet ? rows.map((row, at) => row.concat(more[at] ?? [])) : rows }
  })
  return writeXlsx({ sheets: changed })
}

describe('translations in a workbook', () => {
  it('reads columns in any case, keeps canonical tags, and leaves out empty cells', async () => {
    const bytes = await templateWith('Extras', ['EXTRA (pt-br)', 'extra (nb)'], ['Cadeira', ''])
    const { extras } = await readNew(bytes)
    expect(extras.map(({ translations }) => translations)).toEqual([
      { de: { name: 'Kindersitz' }, 'pt-BR': { name: 'Cadeira' } },
      { de: { name: 'Schneeketten' }, 'pt-BR': { name: 'Cadeira' } },
    ])
  })

  it.each<[string, string, string]>([
    ['Rates', 'Rate (xx)', 'Rates!1: "Rate (xx)" is not a column; did you mean Rate?'],
    ['Rates', 'Rate (DE)', 'Rates!1: repeats the column Rate (DE)'],
    ['Rates', 'Rate (deu)', 'Rates!1: "Rate (deu)" is not a column; did you mean Rate (de)?'],
    ['Extras', 'Price (de)', 'Extras!1: "Price (de)" is not a column; did you mean Price?'],
    [
      'Groups',
      'Name (en)',
      "Groups!2: is the tenant's own language: its texts stand outside of translations",
    ],
    ['Groups', 'Name (pt-BR)', 'Groups!2: must have at most 100 characters'],
  ])('rejects in the sheet %s the title %s or its cells', async (sheet, title, problem) => {
    const problems = await problemsOf(
      await templateWith(sheet, [title], [title === 'Name (en)' ? 'x' : 'x'.repeat(101)]),
    )
    // The column follows those of the sheet.
    expect(problems[0]?.replace(/![A-Z]+/, '!')).toBe(problem)
  })

  it('writes and reads more columns than there are letters', async () => {
    const tags = [
      'bg',
      'cs',
      'da',
      'el',
      'es',
      'et',
      'fi',
      'fr',
      'hr',
      'hu',
      'it',
      'lt',
      'lv',
      'nb',
    ]
    const texts = tags.map(
      (tag) => [tag, { name: `N ${tag}`, category: `C ${tag}`, description: `D ${tag}` }] as const,
    )
    const [group] = exampleFleet.assetGroups
    if (group === undefined) throw new Error('The example has no group')
    const assetGroups = [{ ...group, translations: Object.fromEntries(texts) }]
    const read = await readNew(await writeWorkbook({ ...exampleFleet, assetGroups }))
    expect(read.assetGroups[0]?.translations).toEqual(assetGroups[0]?.translations)
  })
})

describe('written workbooks', () => {
  it.each(['', '-de'])('reads the template%s as its fleet, in one language', async (language) => {
    const written = await writeWorkbook(template(language))
    const rows = await rowsOf(written)
    expect(await rowsOf(await writeWorkbook(await readNew(written)))).toEqual(rows)
    expect(JSON.stringify(rows)).not.toContain('(de)')
  })

  it.each(['#N/A', '#1', '_x0041_', '_X005f_', '=1+1', 'TRUE', '00123', '1E5', "'a", '12.5 %'])(
    'reads the name %j as it was written',
    async (name) => {
      const [group] = exampleFleet.assetGroups
      if (group === undefined) throw new Error('The example has no group')
      const named = { ...group, ref: name, name, description: `${name}\n${name}` }
      const read = await readNew(await writeWorkbook({ ...exampleFleet, assetGroups: [named] }))
      const { ref, description } = named
      expect(read.assetGroups).toMatchObject([{ ref, name, description, rates: [{}, {}] }])
    },
  )
})
