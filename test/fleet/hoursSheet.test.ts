import { readFileSync } from 'node:fs'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { noFleet, toColumns } from '../../src/fleet/columns.ts'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { fleetOfWorkbook } from '../../src/fleet/workbook/fleetOfWorkbook.ts'
import { type Cell, parseCell } from '../../src/fleet/workbook/parseCell.ts'
import { readWorkbook } from '../../src/fleet/workbook/readWorkbook.ts'
import { writeWorkbook } from '../../src/fleet/workbook/writeWorkbook.ts'

const { tenant, ...lists } = parseFleetFile(readFileSync('examples/hours-fleet.json', 'utf8'))
const stored = {
  ...noFleet,
  tenant: { id: 't', archived: false, content: toColumns.tenant(tenant) },
}
const titles = ['Day', 'Until', 'Opens', 'Closes', 'Note']

const tenantOf = async (bytes: Uint8Array) => {
  const { tables } = await readWorkbook(Buffer.from(bytes))
  return fleetOfWorkbook(tables, tenant.slug, stored).file.tenant
}

type Value = string | number | null | Date
const withRows = (...rows: readonly Value[][]) =>
  writeXlsx({ sheets: [{ name: 'Hours', rows: [titles, ...rows] }] })

const hoursOf = async (...rows: readonly Value[][]) => {
  const { openingHours, specialDays } = await tenantOf(await withRows(...rows))
  return { openingHours, specialDays }
}

async function problemsIn(...rows: readonly Value[][]): Promise<string[]> {
  const error = await withRows(...rows)
    .then(tenantOf)
    .catch((each: unknown) => each)
  expect(error).toBeInstanceOf(FleetFileError)
  return (error as FleetFileError).problems.map(({ path, message }) => `${path}: ${message}`)
}

describe('the value of a cell', () => {
  const all = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  it.each<['time' | 'day', Cell['value'], unknown]>([
    ['time', 0, '00:00'],
    ['time', 1, '24:00'],
    ['time', 0.3125, '07:30'],
    ['time', new Date('1899-12-31T22:00:00Z'), '22:00'],
    ['time', new Date('1899-12-31T07:59:59.999Z'), '08:00'],
    ['time', new Date('1900-01-01T00:00:00Z'), '24:00'],
    ['time', new Date('1904-01-01T08:15:00Z'), '08:15'],
    ['time', '8:00', '08:00'],
    ['time', '08.00', '08:00'],
    ['time', '24:00', '24:00'],
    ['time', '8:00 AM', '08:00'],
    ['time', '12:30 am', '00:30'],
    ['time', '12 PM', '12:00'],
    ['time', '10:15 p.m.', '22:15'],
    ['day', 'Mon', ['monday']],
    ['day', 'thurs.', ['thursday']],
    ['day', 'MONDAY - Friday', all],
    ['day', 'Mon–Fri', all],
    ['day', 'Mon—Fri', all],
    ['day', 'Sat-Mon', ['saturday', 'sunday', 'monday']],
    ['day', '24.12.2027', '2027-12-24'],
    ['day', new Date('2027-12-24T00:00:00Z'), '2027-12-24'],
  ])('reads a %s from %j', (kind, value, expected) => {
    expect(parseCell({ value }, kind)).toEqual({ value: expected })
  })

  it.each<['time' | 'day', Cell['value']]>([
    ['time', 1.5],
    ['time', -0.1],
    ['time', '8'],
    ['time', '8:60'],
    ['time', '25:00'],
    ['time', '13:00 PM'],
    ['time', 'morning'],
    ['time', new Date('2027-12-24T08:00:00Z')],
    ['day', 'Montag'],
    ['day', 'mo'],
    ['day', 'Mon-Wed-Fri'],
    ['day', '12/24/2027'],
    ['day', true],
  ])('rejects a %s from %j', (kind, value) => {
    expect(parseCell({ value }, kind)).toHaveProperty('problem', expect.stringMatching(/^must be /))
  })
})

describe('the sheet Hours', () => {
  it('is written and read without a change, with breaks, midnight and closed days', async () => {
    const written = await tenantOf(await writeWorkbook({ tenant, ...lists }))
    expect(written.openingHours).toEqual(tenant.openingHours)
    expect(written.specialDays).toEqual(tenant.specialDays)
  })

  it('leaves the stored hours without the sheet, and is always open with titles only', async () => {
    const company = [['Setting', 'Value']]
    const without = await tenantOf(
      await writeXlsx({ sheets: [{ name: 'Company', rows: company }] }),
    )
    expect(without).toMatchObject({
      openingHours: tenant.openingHours,
      specialDays: tenant.specialDays,
    })
    expect(await hoursOf()).toEqual({ openingHours: null, specialDays: [] })
  })

  it('reads weekdays and dates, and keeps the note of a weekday to the owner', async () => {
    expect(
      await hoursOf(
        ['Mon-Fri', null, '8:00', '18.00', 'reception'],
        ['Sunday', null, null, null, null],
        ['2027-12-25', '2027-12-26', null, null, 'Christmas'],
        ['24.12.2027', null, '8:00 AM', '12:00', null],
      ),
    ).toEqual({
      openingHours: [
        {
          days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
          opens: '08:00',
          closes: '18:00',
        },
      ],
      specialDays: [
        { from: '2027-12-25', to: '2027-12-26', opens: null, closes: null, name: 'Christmas' },
        { from: '2027-12-24', to: '2027-12-24', opens: '08:00', closes: '12:00', name: null },
      ],
    })
  })

  it.each<[string, Value[][], string[]]>([
    [
      'closing before opening, one time missing, an unknown day and no day, all at once',
      [
        ['Mon', null, '22:00', '7:00', null],
        ['Tue', null, '8:00', null, null],
        ['Mo', null, '8:00', '9:00', null],
        [null, null, '8:00', '9:00', null],
      ],
      [
        'Hours!A4: must be a weekday such as Monday or Mon-Fri, or a date such as 2027-12-25, not "Mo"',
        'Hours!A5: is required',
        'Hours!D2: must be later than opens',
        'Hours!D3: is required with Opens',
      ],
    ],
    [
      'overlapping intervals of a day',
      [
        ['Mon-Fri', null, '8:00', '12:00', null],
        ['Wed', null, '11:30', '18:00', null],
      ],
      ['Hours!A3: overlaps entry 1 on wednesday'],
    ],
    [
      'an end before its beginning, a date with one time, and an end of a weekday',
      [
        ['2027-12-26', '2027-12-25', null, null, null],
        ['2027-12-31', null, '8:00', null, null],
        ['Mon', '2027-12-25', '8:00', '12:00', null],
      ],
      [
        'Hours!B2: must not be before from',
        'Hours!B4: is only for dates',
        'Hours!D3: is required with opens',
      ],
    ],
    [
      'a weekday that one row opens and another closes',
      [
        ['Mon-Fri', null, '8:00', '12:00', null],
        ['Fri', null, null, null, null],
      ],
      ['Hours!A3: closes friday, which another row opens'],
    ],
    [
      'no weekday that is open',
      [['Mon-Sun', null, null, null, null]],
      ['Hours!A2: leaves no weekday that is open'],
    ],
  ])('rejects %s with their cells', async (_, rows, problems) => {
    expect((await problemsIn(...rows)).toSorted()).toEqual(problems)
  })
})
