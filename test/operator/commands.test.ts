import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fleetOf, smallFleet } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../helpers/rental.ts'
import { commandLineOn, type Run } from './commandLine.ts'

let test: OpenTestDatabase
let rental: Rental
beforeAll(async () => {
  test = await openTestDatabase()
  rental = await openRental(test.database, fleetOf(1, 'north'))
})
afterAll(() => test.drop())

const monday = ['2027-03-01T10:00:00Z', '2027-03-02T10:00:00Z'] as const

async function run(...argv: string[]): Promise<Run> {
  return commandLineOn(test.url)(argv)
}

/** Runs a command that must succeed, and reads the one document it prints. */
async function json(...argv: string[]) {
  const { exitCode, out, error } = await run(...argv, '--json')
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
  return JSON.parse(out)
}

describe('migrate', () => {
  it('finds nothing to do on a database that is up to date', async () => {
    expect(await json('migrate')).toEqual({ applied: 0, dryRun: false, migrations: [] })
    expect((await run('migrate')).out).toBe('The database is up to date.\n')
    expect((await run('migrate', '--dry-run')).out).toBe('The database is up to date.\n')
  })
})

describe('fleet import', () => {
  const importText = (text: string, ...more: string[]) =>
    commandLineOn(test.url)(['fleet', 'import', '-', ...more], { stdin: text })

  it('reads standard input and prints the ids', async () => {
    const text = JSON.stringify(smallFleet('south'))
    const { exitCode, out } = await importText(text, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ slug: 'south', created: 10, updated: 0, archived: 0 })
    const again = await importText(text)
    expect(again.out).toBe(
      'south: 2 groups, 3 vehicles, 1 extras.\nCreated 0, updated 0, archived 0.\n',
    )
  })

  it('shows how far it is, and takes that away at the end', async () => {
    const stdin = JSON.stringify(fleetOf(2_500, 'large'))
    const progress: string[] = []
    const { exitCode, error } = await commandLineOn(test.url)(['fleet', 'import', '-'], {
      stdin,
      progress,
    })
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
    expect(progress).toContain('Rows written: 2,504 of 2,504 (100 %)')
    expect(progress.at(-1)).toBe('')
  })

  it('refuses a bad file whole and lists every problem', async () => {
    const { tenant, ...rest } = smallFleet('west')
    const bad = { tenant: { ...tenant, currency: 'NOX', colour: 'red' }, ...rest }
    const { exitCode, out, error } = await importText(JSON.stringify(bad), '--json')
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(error).toContain('\n  tenant.currency: must be a current ISO 4217 currency code')
    expect(error).toContain('\n  tenant.colour: is not a field of a fleet file')
    const slugs = (await json('tenants', 'list')).map(({ slug }: { slug: string }) => slug)
    expect(slugs).not.toContain('west')
  })

  it('refuses a file that is not there', async () => {
    const { exitCode, error } = await run('fleet', 'import', 'nowhere.json')
    expect(exitCode).toBe(1)
    expect(error).toContain("Can't read nowhere.json")
  })
})

describe('tenants', () => {
  it('are listed, and their accounts set', async () => {
    const set = ['--status', 'suspended', '--subscription', 'past_due', '--online-booking', 'off']
    const account = { status: 'suspended', subscription: 'past_due', onlineBooking: false }
    const expected = { ...account, taxPercent: '25' }
    expect(await json('tenants', 'set', 'north', ...set)).toMatchObject(expected)
    const listed = await json('tenants', 'list')
    expect(listed).toContainEqual(expect.objectContaining({ slug: 'north', ...expected }))
    const back = ['--status=active', '--subscription=active', '--online-booking=on']
    expect((await run('tenants', 'set', 'north', ...back)).out).toMatch(
      /north .* active +active +on/,
    )
  })

  it.each([
    ['--status', 'suspended'],
    ['--subscription', 'past_due'],
    ['--online-booking', 'off'],
  ])('keep the rest of their account when %s is set to %s', async (option, value) => {
    const before = await json('tenants', 'set', 'north', '--status', 'active')
    const back = (await json('tenants', 'set', 'north', option, value)) as Record<string, unknown>
    const name = { '--online-booking': 'onlineBooking' }[option] ?? option.slice(2)
    const after = { [name]: value === 'off' ? false : value }
    expect(back).toEqual({ ...before, ...after })
    const on = { suspended: 'active', past_due: 'active', off: 'on' }[value] ?? ''
    expect(await json('tenants', 'set', 'north', option, on)).toEqual(before)
  })

  it('must exist to be set', async () => {
    const { exitCode, error } = await run('tenants', 'set', 'nobody', '--status', 'active')
    expect(exitCode).toBe(1)
    expect(error).toContain('There is no tenant "nobody"')
  })
})

describe('keys', () => {
  const create = ['keys', 'create', '--tenant', 'north', '--name', 'site', '--scopes', 'all']

  it('are created with everything they were given, listed, rotated and revoked', async () => {
    const more = ['--origins', 'https://a.example,https://*.b.example', '--limit', 'reads=600']
    const limits = ['--limit', 'bookingsPerDay=7', '--expires', '2035-01-01T00:00:00+01:00']
    const created = await json(...create, ...more, ...limits)
    expect(created).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^pk_live_/),
      prefix: created.key.slice(0, 12),
      last4: created.key.slice(-4),
      scopes: expect.arrayContaining(['bookings:create']),
      origins: ['https://a.example', 'https://*.b.example'],
      limits: { reads: 600, bookingsPerDay: 7 },
      expiresAt: '2034-12-31T23:00:00.000Z',
    })
    const listed = (await run('keys', 'list', '--tenant', 'north')).out
    expect(listed).toContain(`${created.prefix}…${created.last4}`)
    expect(listed).toContain('reads=600,bookingsPerDay=7')
    expect(listed).toContain('until 2034-12-31T23:00:00.000Z')
    expect(listed).not.toContain(created.key)

    const rotated = await json('keys', 'rotate', created.id, '--overlap', '12h')
    const { prefix, last4 } = created
    expect(rotated).toMatchObject({
      id: created.id,
      limits: created.limits,
      replaced: [{ prefix, last4, endsAt: expect.any(String) }],
    })
    const both = (await run('keys', 'list', '--tenant', 'north')).out
    expect(both).toMatch(/until \d{4}-/)
    expect(both).toContain(`${rotated.prefix}…${rotated.last4}`)
    const change = [
      '--name',
      'shop',
      '--limit',
      'reads=default',
      '--add-origin',
      'https://c.example',
    ]
    expect(await json('keys', 'set', created.id, ...change)).toMatchObject({
      name: 'shop',
      limits: { bookingsPerDay: 7 },
      origins: ['https://a.example', 'https://*.b.example', 'https://c.example'],
    })
    expect((await run('keys', 'set', created.id, '--origins', '')).out).toContain(
      'none (servers only)',
    )
    expect(await json('keys', 'revoke', created.id)).toMatchObject({ id: created.id })
    const keys = await json('keys', 'list', '--tenant', 'north')
    expect(keys).toContainEqual(
      expect.objectContaining({ id: created.id, revokedAt: expect.any(String) }),
    )
  })

  it.each([
    ['0s', 0],
    ['45s', 45],
    ['30m', 1_800],
    ['12h', 43_200],
    ['2d', 172_800],
  ])('keep the secret they had for %s after they were rotated', async (overlap, seconds) => {
    const { id } = await json(...create)
    const { replaced } = await json('keys', 'rotate', id, '--overlap', overlap)
    // Both moments are the database's and of one transaction: they differ by the overlap alone.
    const { rows } = await test.database.pool.query(
      `select extract(epoch from o.ends_at - n.created_at)::float as seconds
       from api_key_secrets o join api_key_secrets n on n.api_key_id = o.api_key_id
       where o.api_key_id = $1 and o.ends_at is not null and n.ends_at is null`,
      [id],
    )
    expect(replaced).toHaveLength(1)
    expect(rows).toEqual([{ seconds }])
  })

  it('are shown to a person once, with what they may do', async () => {
    const { exitCode, out } = await run(...create)
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^pk_live_\w{38}\n\nSave it now/)
    expect(out).toContain('none (servers only)')
  })

  it.each([
    [['keys', 'create', '--tenant', 'nobody', '--name', 'x', '--scopes', 'all'], 'no tenant'],
    [[...create, '--origins', 'a.example'], 'Invalid origin'],
    [[...create, '--limit', 'writes=5'], 'Unknown limit'],
    [[...create, '--expires', '2001-01-01T00:00:00Z'], 'in the future'],
    [['keys', 'list', '--tenant', 'nobody'], 'no tenant'],
    [['keys', 'revoke', randomUUID()], 'There is no API key'],
    [['keys', 'revoke', 'abc'], 'is not a valid API key ID'],
    [['keys', 'rotate', randomUUID()], 'There is no API key'],
    [['keys', 'set', randomUUID(), '--name', 'x'], 'There is no API key'],
    [['keys', 'set', randomUUID(), '--name', ''], 'There is no API key'],
  ])('are refused: %j', async (argv, reason) => {
    const { exitCode, out, error } = await run(...argv, '--json')
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(error).toContain(reason)
  })
})

describe('bookings', () => {
  it('are listed with the customer, and short when too many want the vehicle', async () => {
    const first = await rental.book(...monday)
    const list = ['bookings', 'list', '--tenant', 'north', '--status', 'pending']
    expect(await json(...list)).toEqual([
      expect.objectContaining({
        id: first,
        customer: expect.objectContaining({ firstName: 'Kari' }),
        assetGroup: expect.objectContaining({ ref: 'economy' }),
        pickupDatetime: '2027-03-01T10:00:00.000Z',
        total: '623.75',
        short: false,
      }),
    ])
    const second = await rental.book(...monday)
    expect((await json(...list)).map(({ short }: { short: boolean }) => short)).toEqual([
      true,
      true,
    ])
    expect((await run(...list)).out).toMatch(/Kari Nordmann .* 2027-03-01 10:00 .* none left/)

    expect(await json('bookings', 'confirm', first, '--reason', 'first come')).toMatchObject({
      status: 'confirmed',
      forced: false,
    })
    const refused = await run('bookings', 'confirm', second, '--json')
    expect(refused).toMatchObject({ exitCode: 1, out: '' })
    expect(refused.error).toContain('1 vehicles in service and 1 confirmed bookings')
    expect(await json('bookings', 'confirm', second, '--force')).toMatchObject({ forced: true })

    const audit = await run('audit', '--json')
    expect(audit.exitCode).toBe(1)
    expect(JSON.parse(audit.out).overbookings).toEqual([
      {
        tenant: 'north',
        assetGroup: 'economy',
        at: monday[0].replace('Z', '.000Z'),
        inService: 1,
        confirmed: 2,
      },
    ])
    expect((await run('bookings', 'cancel', second)).out).toBe(`Booking ${second} is cancelled.\n`)
    expect(await json('audit')).toMatchObject({ ok: true, overbookings: [] })
  })

  it('are rejected once, and the reason is kept', async () => {
    const id = await rental.book(...monday)
    expect((await run('bookings', 'reject', id, '--reason', 'no licence')).exitCode).toBe(0)
    const { rows } = await test.database.pool.query(
      'select to_status, reason, forced from booking_events where booking_id = $1',
      [id],
    )
    expect(rows).toEqual([{ to_status: 'rejected', reason: 'no licence', forced: false }])
    expect((await run('bookings', 'reject', id, '--force')).exitCode).toBe(2)
    const again = await run('bookings', 'reject', id)
    expect(again.exitCode).toBe(1)
    expect(again.error).toContain('is rejected')
  })

  it.each(['confirm', 'reject', 'cancel'])('must exist to %s them', async (decision) => {
    const { exitCode, error } = await run('bookings', decision, randomUUID())
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: expect.stringContaining('There is no booking'),
    })
  })
})

describe('quotes explain', () => {
  it('tells every step of the frozen price, whatever the rate card says by now', async () => {
    const id = await rental.quote(...monday)
    await test.database.pool.query('update rates set daily_minor = 1')
    const { steps } = await json('quotes', 'explain', id)
    expect(steps.at(-1)).toBe('The total is 623.75 NOK.')
    expect((await run('quotes', 'explain', id)).out).toBe(`${steps.join('\n')}\n`)
    await test.database.pool.query('update rates set daily_minor = 49900')
  })

  it('tells the steps of a quote that the release before stored', async () => {
    const id = await rental.quote(...monday)
    await test.database.pool.query(
      `update quotes set inputs = (inputs - 'rates' - 'seasons')
         || jsonb_build_object('engine', 1, 'rate', inputs->'rates'->0) where id = $1`,
      [id],
    )
    const { steps } = await json('quotes', 'explain', id)
    expect(steps[0]).toContain('An earlier release priced this by the wall clock')
    expect(steps.at(-1)).toBe('The total is 623.75 NOK.')
  })

  it('takes the id of a booking for that of its quote', async () => {
    const bookingId = await rental.book(...monday)
    const { rows } = await test.database.pool.query(
      'select quote_id as id from bookings where id = $1',
      [bookingId],
    )
    expect(await json('quotes', 'explain', bookingId)).toEqual(
      await json('quotes', 'explain', rows[0].id),
    )
    await run('bookings', 'reject', bookingId)
  })

  it.each([randomUUID(), '7'])('refuses %s, which is neither', async (id) => {
    const { exitCode, out } = await run('quotes', 'explain', id, '--json')
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })
})

describe('maintain', () => {
  it('deletes old records and old offers, and nothing that was booked', async () => {
    const { pool } = test.database
    const rental = await openRental(test.database, fleetOf(1, 'east'))
    const booked = await rental.book(...monday)
    const [recent, old] = [await rental.quote(...monday), await rental.quote(...monday)]
    const ageBy = (days: number, where: string, values: string[]) =>
      pool.query(
        `update quotes set expires_at = now() - make_interval(days => ${days}) where ${where}`,
        values,
      )
    await ageBy(8, 'id = $1 or used_at is not null', [old])
    await ageBy(6, 'id = $1', [recent])
    await pool.query(
      `update idempotency_records set created_at = now() - interval '25 hours'
       where booking_id = $1`,
      [booked],
    )
    expect(await json('maintain')).toEqual({
      idempotencyRecords: 1,
      quotes: 1,
      bookingEvents: 0,
    })
    expect(await json('maintain')).toEqual({
      idempotencyRecords: 0,
      quotes: 0,
      bookingEvents: 0,
    })
    const kept = 'select count(*)::int as count from quotes where id = $1 or used_at is not null'
    expect((await pool.query(kept, [recent])).rows[0].count).toBeGreaterThanOrEqual(2)
    await pool.query(`update quotes set expires_at = created_at + interval '30 minutes'`)
  })
})

describe('wrong usage', () => {
  it.each([
    [['bogus'], "unknown command 'bogus'"],
    [['fleet', 'bogus'], "unknown command 'bogus'"],
    [['fleet', 'import'], "missing required argument 'file'"],
    [['fleet', 'import', 'a', 'b'], 'too many arguments'],
    [['tenants', 'list', '--colour'], "unknown option '--colour'"],
    [['tenants', 'set', 'north'], 'give at least one option'],
    [['tenants', 'set', 'north', '--status', 'asleep'], 'Allowed choices are active, suspended'],
    [['keys', 'create', '--tenant', 'north'], "required option '--name <name>' not specified"],
    [['keys', 'list'], "required option '--tenant <slug>' not specified"],
    [
      ['keys', 'create', '--tenant', 'a', '--name', 'b', '--scopes', 'all', '--limit', 'x'],
      'reads=600',
    ],
    [
      ['keys', 'create', '--tenant', 'a', '--name', 'b', '--scopes', 'all', '--expires', '2030'],
      'It must be a date-time',
    ],
    [['keys', 'set', randomUUID()], 'give at least one option'],
    [['keys', 'set', randomUUID(), '--limit', 'reads'], 'Use NAME=COUNT, such as reads=600'],
    [['keys', 'rotate', randomUUID(), '--overlap', 'soon'], 'Use a duration such as 30m'],
    [['bookings', 'list', '--tenant', 'north', '--status', 'lost'], 'Allowed choices are pending'],
    [['bookings', 'confirm'], "missing required argument 'id'"],
    [['quotes', 'explain'], "missing required argument 'id'"],
    [['migrate', 'now'], 'too many arguments'],
    [['audit', 'now'], 'too many arguments'],
    [['maintain', '--all'], "unknown option '--all'"],
  ])('is told with the usage line: %j', async (argv, reason) => {
    const { exitCode, out, error } = await run(...argv)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(error).toContain(reason)
    expect(error).toContain('\nUsage: rental ')
  })
})

/** In the order of the overview. */
const names = [
  'migrate',
  'fleet import',
  'tenants list',
  'tenants set',
  'keys create',
  'keys list',
  'keys revoke',
  'keys rotate',
  'keys set',
  'bookings list',
  'bookings confirm',
  'bookings reject',
  'bookings cancel',
  'customers erase',
  'quotes explain',
  'audit',
  'maintain',
  'conform',
]
const groups = [...new Set(names.filter((name) => name.includes(' ')).map(firstWord))]

function firstWord(name: string): string {
  return name.split(' ')[0] ?? ''
}

interface Described {
  readonly name: string
  readonly options: readonly { readonly name: string; readonly required: boolean }[]
  readonly examples: readonly string[]
}

describe('help', () => {
  it('lists every command', async () => {
    const { exitCode, out } = await run('help')
    expect(exitCode).toBe(0)
    for (const name of names) expect(out).toContain(`\n  ${name} `)
    expect(out).toContain('\nOptions:\n')
    expect(out).toContain('\nExamples:\n  rental ')
    expect(await run('--help')).toEqual({ exitCode: 0, out, error: '' })
    expect(await run()).toEqual({ exitCode: 2, out: '', error: out })
  })

  it.each(names)('explains %s', async (name) => {
    const { exitCode, out } = await run(...name.split(' '), '--help')
    expect(exitCode).toBe(0)
    expect(out).toContain(`Usage: rental ${name}`)
    expect(out).toMatch(/--json +print the result as JSON/)
    expect(out).toContain(`\nExamples:\n  rental ${name}`)
    expect(await run('help', ...name.split(' '))).toEqual({ exitCode: 0, out, error: '' })
  })

  it.each(groups)('explains what begins with %s', async (group) => {
    const { exitCode, out } = await run(group, '--help')
    expect(exitCode).toBe(0)
    expect(out).toContain('--help')
    const listed = [...out.matchAll(/^ {2}([a-z]+ [a-z]+) {2}/gm)].map(([, name]) => name)
    expect(listed).toEqual(names.filter((name) => firstWord(name) === group))
    for (const name of listed) expect(out).toContain(`\n  rental ${name}`)
    expect(await run('help', group)).toEqual({ exitCode: 0, out, error: '' })
    expect(await run(group)).toEqual({ exitCode: 2, out: '', error: out })
  })

  it('is JSON for programs', async () => {
    const { commands: described } = await json('help')
    expect(described.map(({ name }: Described) => name)).toEqual(names)
    expect(await json('tenants', 'set', '--help')).toEqual(
      described.find(({ name }: Described) => name === 'tenants set'),
    )
    expect(await json('keys', 'create', '--help')).toMatchObject({
      args: [],
      options: expect.arrayContaining([
        expect.objectContaining({ name: 'tenant', value: 'slug', required: true }),
        expect.objectContaining({ name: 'json', value: null, required: false }),
      ]),
    })
    expect(await json('customers', 'erase', '--help')).toMatchObject({
      args: [],
      optionalArgs: ['booking-id'],
    })
  })

  it('is broken into lines on a narrow terminal, and never cut', async () => {
    for (const columns of [80, 60]) {
      const { out } = await commandLineOn(test.url)(['tenants', 'set', '--help'], { columns })
      const [, options = ''] = /Options:\n([\s\S]*)Examples:/.exec(out) ?? []
      for (const line of options.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
      expect(options.replace(/\s+/g, ' ')).toContain('past_due or cancelled: its keys are refused')
    }
  })

  it('shows examples that would be understood', async () => {
    const { commands: described }: { commands: Described[] } = await json('help')
    for (const { name, options, examples } of described) {
      expect(examples).not.toEqual([])
      for (const example of examples) {
        expect(example).toMatch(new RegExp(`^rental ${name}( |$)`))
        const given = [...example.matchAll(/--([a-z-]+)/g)].map(([, option]) => option)
        const known = options.map((option) => option.name)
        expect([example, given.filter((option) => !known.includes(option ?? ''))]).toEqual([
          example,
          [],
        ])
        const required = options.filter((option) => option.required).map((option) => option.name)
        expect([example, required.filter((option) => !given.includes(option))]).toEqual([
          example,
          [],
        ])
      }
    }
  })

  it('names what was meant by half a command, or by one that was mistyped', async () => {
    const { exitCode, error } = await run('keys')
    expect(exitCode).toBe(2)
    expect(error).toContain('rental keys create')
    expect((await run('kyes', 'list')).error).toContain('Did you mean keys?')
    expect((await run('keys', 'creat')).error).toContain('Did you mean create?')
    const mistyped = await run('bookings', 'list', '--tenant', 'north', '--statsu', 'pending')
    expect(mistyped.error).toContain('Did you mean --status?')
  })

  it.each([
    [['help', 'bogus']],
    [['help', 'keys', 'bogus']],
    [['bogus', '--help']],
    [['keys', 'bogus', '--help', '--json']],
  ])('is not to be had for what is no command: %j', async (argv) => {
    const { exitCode, out, error } = await run(...argv)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(error).toContain("unknown command 'bogus'")
  })
})

describe('--version', () => {
  it('is the release in package.json', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await run('--version')).toEqual({ exitCode: 0, out: `${version}\n`, error: '' })
  })
})
