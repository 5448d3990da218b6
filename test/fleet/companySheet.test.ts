import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { noFleet, toColumns } from '../../src/fleet/columns.ts'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { fleetOfWorkbook } from '../../src/fleet/workbook/fleetOfWorkbook.ts'
import { readWorkbook } from '../../src/fleet/workbook/readWorkbook.ts'
import { writeWorkbook } from '../../src/fleet/workbook/writeWorkbook.ts'
import { smallFleet } from '../helpers/fleet.ts'

const small = smallFleet('texts')
const { tenant, ...lists } = parseFleetFile(
  JSON.stringify({
    ...small,
    tenant: {
      ...small.tenant,
      address: 'Brygga 1\n5003 Bergen',
      facts: ['#1 in town', 'From 21 years'],
      translations: {
        de: { address: 'Brygga 1\nBergen, Norwegen', facts: ['Ab 21 Jahren'] },
        nb: { facts: ['Fra 21 år'] },
      },
    },
  }),
)
const stored = {
  ...noFleet,
  tenant: { id: 't', archived: false, content: toColumns.tenant(tenant) },
}

const textsOf = async (bytes: Uint8Array) => {
  const { tables } = await readWorkbook(Buffer.from(bytes))
  const { address, facts, translations } = fleetOfWorkbook(tables, 'texts', stored).file.tenant
  return { address, facts, translations }
}

type Rows = (string | number | Date | null)[][]
const withRows = (titles: readonly string[], rows: Rows) =>
  writeXlsx({ sheets: [{ name: 'Company', rows: [['Setting', 'Value', ...titles], ...rows] }] })

const { address, facts, translations } = tenant
const { de, nb } = translations

describe("a company's texts for customers in a workbook", () => {
  it('are written and read without a change', async () => {
    expect(await textsOf(await writeWorkbook({ tenant, ...lists }))).toEqual({
      address,
      facts,
      translations,
    })
  })

  it('are written into rows that are as high as their lines', async () => {
    const { sheets } = await readXlsx(await writeWorkbook({ tenant, ...lists }))
    const heights = sheets[0]?.rows.map(([setting], at) => [
      setting,
      sheets[0]?.rowDefs?.get(at)?.height,
    ])
    expect(heights?.filter(([, height]) => height !== undefined)).toEqual([
      ['Address', 30],
      ['Facts', 30],
    ])
  })

  it.each<[string, readonly string[], Rows, object]>([
    ['keep their stored values without rows', [], [], {}],
    [
      'keep their stored values and translations with rows that are empty',
      [],
      [['Address'], ['Facts']],
      {},
    ],
    [
      'are read line by line, whatever ends a line',
      [],
      [
        ['facts', ' Free\u00a0 cancellation \r\n\n\u2028Pay later\r911'],
        ['ADDRESS', ' Brygga 2\r\n5003  Bergen\n'],
      ],
      { facts: ['Free cancellation', 'Pay later', '911'], address: 'Brygga 2\n5003  Bergen' },
    ],
    ['may be a number', [], [['Facts', 911]], { facts: ['911'] }],
    [
      'are removed by the word none',
      ['value (DE)', 'Value (nb)'],
      [
        ['Address', 'none', 'None'],
        ['Facts', 'None', 'none', 'Ab 21'],
      ],
      { address: null, facts: [], translations: { nb: { facts: ['Ab 21'] } } },
    ],
    [
      'lose only the translations whose cell is empty',
      ['Value (de)', 'Value (fr)'],
      [['Facts', null, null, 'Dès 21 ans\nKilométrage illimité']],
      {
        translations: {
          de: { address: de?.address },
          nb,
          fr: { facts: ['Dès 21 ans', 'Kilométrage illimité'] },
        },
      },
    ],
    [
      'change places with their translations when the language changes',
      [],
      [['Language', 'de']],
      { ...de, translations: { nb, en: { address, facts } } },
    ],
  ])('%s', async (_, titles, rows, changed) => {
    expect(await textsOf(await withRows(titles, rows))).toEqual({
      address,
      facts,
      translations,
      ...changed,
    })
  })

  it.each<[readonly string[], Rows[number], string]>([
    [[], ['Facts', 'a\nb\nc\nd\ne\nf\ng'], 'Company!B2: must have at most 6 texts'],
    [
      [],
      ['Facts', `From 21 years\n\n${'x'.repeat(61)}`],
      'Company!B2, line 2: must have at most 60 characters',
    ],
    [[], ['Address', 'x'.repeat(301)], 'Company!B2: must have at most 300 characters'],
    [
      [],
      ['Facts', new Date('2027-01-02')],
      'Company!B2: must be text, not the date 2027-01-02: format the cell as text and type it again',
    ],
    [
      ['Value (de)'],
      ['Facts', null, `Ab 21\n${'x'.repeat(61)}`],
      'Company!C2, line 2: must have at most 60 characters',
    ],
    [
      ['Value (de)'],
      ['Address', null, 'x'.repeat(301)],
      'Company!C2: must have at most 300 characters',
    ],
    [
      ['Value (de)'],
      ['Facts', null, 'a\nb\nc\nd\ne\nf\ng'],
      'Company!C2: must have at most 6 texts',
    ],
    [['Value (de)'], ['Name', 'Fjord', 'Fjord'], 'Company!C2: Name has no translations'],
    [
      ['Value (en)'],
      ['Facts', null, 'From 21'],
      "Company!C2: is the tenant's own language: its texts stand outside of translations",
    ],
    [
      ['Value (xx)'],
      ['Facts', null, 'From 21'],
      'Company!C1: "Value (xx)" is not a column; did you mean Value?',
    ],
  ])('are rejected with their cell under %j as %j', async (titles, row, problem) => {
    const error = await withRows(titles, [row])
      .then(textsOf)
      .catch((each: unknown) => each)
    expect(error).toBeInstanceOf(FleetFileError)
    const { problems } = error as FleetFileError
    expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([problem])
  })
})
