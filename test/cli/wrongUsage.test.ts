import { describe, expect, it } from 'vitest'
import { useCommandLine } from './commandLine.ts'

const { run } = useCommandLine()

// Constant, because test titles contain it.
const unknown = '00000000-0000-4000-8000-000000000000'

describe('usage errors', () => {
  it.each([
    [['fleet', 'template']],
    [['fleet', 'export', '--format', 'xlsx']],
    [['fleet', 'export', '--format', 'xlsx', '--tenant', 'none']],
  ])('rejects --json with %j, which writes a workbook', async (argv) => {
    const error = '--json cannot be used here: the output is a workbook, which is not JSON.\n'
    expect(await run(...argv, '--json')).toEqual({ exitCode: 2, out: '', error })
  })

  it.each([
    [['bogus'], "unknown command 'bogus'"],
    [['\x1b[2J'], "unknown command '\ufffd[2J'"],
    [['fleet', 'import'], "missing required argument 'file'"],
    [['tenants', 'set', 'north'], 'give at least one option'],
    [['tenants', 'set', 'north', '--status', 'asleep'], 'It must be active or suspended.'],
    [
      ['tenants', 'set', 'north', '--pending-hold-hours', '0'],
      'It must be a whole number from 1 to 8760.',
    ],
    [['tenants', 'set', 'north', '--tax-percent', '101'], 'It must be from "0" to "100"'],
    [['tenants', 'set', 'north', '--timezone', 'Oslo'], 'It must be an IANA time zone'],
    [['tenants', 'set', 'north', '--prices-include-tax', 'yes'], 'It must be on or off.'],
    [['tenants', 'set', 'north', '--grace-period-minutes', 'none'], 'It must be a whole number'],
    [['tenants', 'set', 'north', '--name', ''], 'It must have at least one visible character.'],
    [['keys', 'create', '--tenant', 'north'], "required option '--name <name>' not specified"],
    [
      ['keys', 'create', '--tenant', 'a', '--name', 'b', '--scopes', 'all', '--expires', '2030'],
      'It must be a date-time',
    ],
    [['keys', 'set', unknown], 'give at least one option'],
    [['keys', 'set', unknown, '--limit', 'reads'], 'Use NAME=COUNT, such as reads=600'],
    [['keys', 'rotate', unknown, '--overlap', 'soon'], 'Use a duration such as 30m'],
    [['bookings', 'list', '--tenant', 'north', '--status', 'lost'], 'Allowed choices are open'],
    [['bookings', 'list', '--tenant', 'north', '--from', '2038-02-30'], 'Use a date such as'],
    [['bookings', 'list', '--tenant', 'north', '--limit', '0'], 'Use a whole number'],
    [['customers', 'erase', '--email', ''], 'It must be an e-mail address.'],
    [['customers', 'erase'], 'give a booking ID, or --email and --tenant, but not both'],
    [['customers', 'erase', 'aaaaaa', '--tenant', 'north'], 'but not both'],
    [['conform', '--base-url', 'localhost', '--key', 'k'], 'Use a URL such as https://'],
  ])('prints the reason and the usage line for %j', async (argv, reason) => {
    const { exitCode, out, error } = await run(...argv)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(error).toContain(reason)
    expect(error).toContain('\nUsage: rental ')
  })
})
