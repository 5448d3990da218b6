import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandLineOn } from './commandLine.ts'
import { useFleets } from './fleets.ts'

const fleets = useFleets()
const { operator, whole, loaded, block } = fleets
const example = join(import.meta.dirname, '../../examples/fleet.csv')
const newTenant = [
  '--name',
  'Vans',
  '--timezone',
  'Europe/Oslo',
  '--currency',
  'NOK',
  '--tax',
  '25',
]

const importSheet = (stdin: string, ...more: string[]) =>
  commandLineOn(operator.url)(['fleet', 'import', '-', '--tenant', fleets.slug, ...more], { stdin })
const exportSheet = async () =>
  (await operator.run('fleet', 'export', '--tenant', fleets.slug, '--format', 'csv')).out

describe('fleet as a spreadsheet', () => {
  it('imports the template for a new tenant, and a second import changes nothing', async () => {
    const sheet = await readFile(example, 'utf8')
    expect((await operator.run('fleet', 'template')).out).toBe(`\uFEFF${sheet}`)
    const first = await importSheet(sheet, ...newTenant)
    expect(first).toMatchObject({ exitCode: 0, error: '' })
    expect(first.out).toBe(
      `${fleets.slug}: 2 groups, 5 vehicles, 0 extras.\nCreated 11, updated 0, archived 0.\n`,
    )
    expect((await importSheet(sheet)).out).toContain('Created 0, updated 0, archived 0.')
    expect((await importSheet(await exportSheet())).out).toContain(
      'Created 0, updated 0, archived 0.',
    )
  })

  it('keeps extras, blocks, currencies and values without a column', async () => {
    await loaded(whole())
    await block('--from', '2030-03-01', '--to', '2030-03-02')
    const before = await fleets.exported()
    const sheet = await exportSheet()
    expect((await importSheet(sheet)).out).toContain('Created 0, updated 0, archived 0.')
    const raised = sheet.replace(/,699,/, ',799,')
    expect(raised).not.toBe(sheet)
    expect((await importSheet(raised)).out).toContain('Created 0, updated 1, archived 0.')
    const onlyVehicles = `group,vehicle\neconomy,${fleets.slug} 1\neconomy,${fleets.slug} 2\nvan,VAN\n`
    expect((await importSheet(onlyVehicles)).out).toContain('Created 0, updated 0, archived 0.')
    expect((await importSheet(sheet)).out).toContain('updated 1')
    expect(await fleets.exported()).toEqual(before)
    const withoutDates = sheet
      .split('\r\n')
      .map((line) => line.split(',').slice(0, -2).join(','))
      .join('\r\n')
    expect((await importSheet(withoutDates)).out).toContain('Created 0, updated 0, archived 0.')
    expect(await fleets.exported()).toEqual(before)
  })

  it('restores archived rates and groups under their ids, in turn with a JSON file', async () => {
    await loaded(whole())
    const before = await fleets.exported()
    const sheet = await exportSheet()
    const withoutRates = sheet.replace(/,Summer,.*/, ',,,,,,,')
    expect(withoutRates).not.toBe(sheet)
    for (const less of [withoutRates, 'group,vehicle\nvan,VAN\n']) {
      expect((await importSheet(less)).exitCode).toBe(1)
      expect((await importSheet(less, '--yes')).exitCode).toBe(0)
      expect((await importSheet(sheet)).out).toContain('Created 0,')
      await loaded(whole())
      expect(await fleets.exported()).toEqual(before)
    }
  })

  it('requires tenant options for a new tenant and rejects them for an existing one', async () => {
    const sheet = 'group,vehicle\na,V1\n'
    expect(await importSheet(sheet)).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('is a new tenant: give its --name, --timezone, --currency'),
    })
    await importSheet(sheet, ...newTenant)
    expect(await importSheet(sheet, '--currency', 'EUR')).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('exists already: leave out --currency'),
    })
  })

  it('rejects an invalid spreadsheet as a whole and lists every problem', async () => {
    const { exitCode, error } = await importSheet('group,daily_rate\na,x\n,5\n', ...newTenant)
    expect(exitCode).toBe(1)
    expect(error).toBe(
      'The fleet file is invalid. Nothing was changed.\n' +
        '  row 2, daily_rate: must be an amount such as 59.90\n' +
        '  row 3, group: is required. Merged cells are saved empty: fill in every row\n',
    )
  })
})
