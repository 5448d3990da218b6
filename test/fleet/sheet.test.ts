import { describe, expect, it } from 'vitest'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { decodeFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { fleetOfSheet } from '../../src/fleet/sheetFleet.ts'
import { parseSheet } from '../../src/fleet/sheetTable.ts'

const tenant = {
  slug: 'vans',
  name: 'Vans',
  timezone: 'Europe/Oslo',
  currency: 'NOK',
  taxPercent: '25',
}
const read = (text: string) => fleetOfSheet(parseSheet(text), tenant, undefined)

/** Returns the problems of a sheet, one line each. */
function problemsOf(text: string | Buffer): string[] {
  try {
    read(typeof text === 'string' ? text : decodeFleetFile(text))
  } catch (error) {
    if (error instanceof FleetFileError) {
      return error.problems.map(({ path, message }) => `${path}: ${message}`)
    }
    throw error
  }
  return []
}

/** Summarises groups with their vehicles and rates. */
const summaryOf = (text: string) =>
  read(text).assetGroups.map(
    ({ ref, name, assets, rates }) =>
      `${ref}/${name} [${assets.map((asset) => asset.ref)}] ` +
      rates
        .map((rate) => `${rate.ref} ${rate.dailyRate} ${rate.validFrom ?? ''}`.trim())
        .join(', '),
  )

describe('a fleet spreadsheet', () => {
  it.each<[string, string, string[]]>([
    ['commas between cells', 'group,vehicle,daily_rate\na,V1,10\n', ['a/a [V1] Standard 10']],
    [
      'semicolons and decimal commas',
      'group;vehicle;daily_rate\na;V1;59,90\n',
      ['a/a [V1] Standard 59.90'],
    ],
    ['tabs between cells', 'group\tvehicle\tdaily_rate\na\tV1\t59,9\n', ['a/a [V1] Standard 59.9']],
    ['a byte order mark and CRLF', '\uFEFFgroup,vehicle\r\na,V1\r\n', ['a/a [V1] ']],
    [
      'column names in any spelling and order',
      'Daily Rate,VEHICLE,Group-Name,group\n10,V1,Vans,a\n',
      ['a/Vans [V1] Standard 10'],
    ],
    [
      'blank rows and empty columns at the end',
      '\n\ngroup,vehicle,,\n,,,\na,V1,,\n',
      ['a/a [V1] '],
    ],
    [
      'a rate in each vehicle row',
      'group,vehicle,daily_rate\na,V1,10\na,V2,10\n',
      ['a/a [V1,V2] Standard 10'],
    ],
    [
      'two seasons of one rate',
      'group,vehicle,rate,daily_rate,valid_from\na,V1,Day,10,\na,,Day,12,2027-06-01\n',
      ['a/a [V1] Day 10, Day 2027-06-01– 12 2027-06-01'],
    ],
    [
      'a group in separate rows',
      'group,vehicle\na,V1\nb,V2\na,V3\n',
      ['a/a [V1,V3] ', 'b/b [V2] '],
    ],
  ])('reads groups, vehicles and rates from a sheet with %s', (_, text, summary) => {
    expect(summaryOf(text)).toEqual(summary)
  })

  it.each<[string, string | Buffer, string[]]>([
    ['no content', '', ['row 1: is empty']],
    [
      'a control character between quotation marks',
      'group,group_name,vehicle\na,"A, ""big""\u0007one",V1\n',
      [
        'row 2, group_name: must be one line without control characters or marks that override the text direction',
      ],
    ],
    ['no group column', 'vehicle\nV1\n', ['row 1: has no column group']],
    [
      'a rate column but no column daily_rate',
      'group,rate,hourly_rate\na,Std,5\n',
      ['row 1: has the column rate, but no column daily_rate, which every rate needs'],
    ],
    [
      'an unknown column',
      'group,colour\na,red\n',
      [expect.stringContaining('row 1: "colour" is not a column. The columns are group, ')],
    ],
    ['a duplicate column', 'group,group\na,a\n', ['row 1: has the column group twice']],
    [
      'a decimal comma between commas',
      'group,daily_rate\na,59,90\n',
      ['row 2: has a value in column 3, which has no name in the header row'],
    ],
    [
      'merged cells',
      'group,vehicle\na,V1\n,V2\n',
      ['row 3, group: is required. Merged cells are saved empty: fill in every row'],
    ],
    [
      'amounts and dates in the wrong form',
      'group,daily_rate,valid_from\na,€59,01.06.2027\n',
      [
        'row 2, daily_rate: must be an amount such as 59.90',
        'row 2, valid_from: must be a date, such as 2027-06-01',
      ],
    ],
    [
      'a rate without a price',
      'group,rate,daily_rate\na,Summer,\n',
      ['row 2, daily_rate: must be an amount such as 59.90'],
    ],
    [
      'too many decimals',
      'group,daily_rate\na,59.999\n',
      ['row 2, daily_rate: must have at most 2 decimals (NOK)'],
    ],
    [
      'rows with different prices of one rate',
      'group,vehicle,daily_rate\na,V1,10\na,V2,12\n',
      ['row 3, daily_rate: differs from row 2, of the same rate'],
    ],
    [
      'rows with different categories of one group',
      'group,category,vehicle\na,car,V1\na,van,V2\n',
      ['row 3, category: differs from row 2, of the same group'],
    ],
    [
      'a duplicate vehicle',
      'group,vehicle\na,V1\na,V1\n',
      ['row 3, vehicle: "V1" is already in row 2'],
    ],
    [
      'a vehicle in two groups, in another spelling',
      'group,vehicle\na,M AB 101\nb,V2\nb,m ab  101\n',
      ['row 4, vehicle: "m ab 101" is already used at row 2, vehicle'],
    ],
    [
      'a rate that ends before it starts',
      'group,daily_rate,valid_from,valid_to\na,1,2027-06-02,2027-06-01\n',
      ['row 2, valid_to: must not be before validFrom'],
    ],
    [
      'an unclosed quotation mark',
      'group,vehicle\na,"V1\n',
      ['row 2: has a quotation mark that is not closed'],
    ],
    [
      'Windows-1252 encoding',
      Buffer.from('group\nb\xe5t\n', 'latin1'),
      [
        expect.stringContaining(
          'the file: is not UTF-8 in line 2. Save the file as UTF-8; in Excel: File, Save As',
        ),
      ],
    ],
    [
      'UTF-16 encoding',
      Buffer.from('\uFEFFgroup\na\n', 'utf16le'),
      [expect.stringContaining('the file: is UTF-16. Save it as UTF-8')],
    ],
    [
      'the content of an Excel workbook',
      Buffer.from('PK\x03\x04…'),
      [expect.stringContaining('the file: is an Excel workbook. Save the sheet as CSV')],
    ],
  ])('rejects a sheet with %s and reports the location of each problem', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems)
  })
})
