import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../helpers/database.ts'
import { importFile, smallFleet } from '../helpers/fleet.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run, json } = commands

const monday = ['2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'] as const

describe('rental fleet import', () => {
  const importText = (text: string, ...more: string[]) =>
    commandLineOn(commands.url)(['fleet', 'import', '-', ...more], { stdin: text })

  it('imports standard input and prints the counts of changes', async () => {
    const text = JSON.stringify(smallFleet('south'))
    const { exitCode, out } = await importText(text, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ slug: 'south', created: 10, updated: 0, archived: 0 })
    const again = await importText(text)
    expect(again.out).toContain(
      'south: 2 groups, 3 vehicles, 1 extra.\nCreated 0, updated 0, archived 0.\n',
    )
    const fewer = { ...smallFleet('south'), extras: [] }
    const renamed = { ...fewer, tenant: { ...fewer.tenant, name: 'South' } }
    expect((await importText(JSON.stringify(renamed), '--yes')).out).toContain(
      'Created 0, updated 1, archived 1.\n',
    )
    expect((await run('keys', 'list', '--tenant', 'south')).out).toBe('No keys yet.\n')
  })

  it('rejects an invalid file as a whole and lists every problem', async () => {
    const { tenant, ...rest } = smallFleet('west')
    const bad = { tenant: { ...tenant, currency: 'NOX', colour: 'red' }, ...rest }
    const { exitCode, out, error } = await importText(JSON.stringify(bad), '--json')
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(error).toContain(
      '\n  tenant.currency: must be a current ISO 4217 code in capitals, such as EUR',
    )
    expect(error).toContain('\n  tenant.colour: is not a field')
    const slugs = (await json('tenants', 'list')).map(({ slug }: { slug: string }) => slug)
    expect(slugs).not.toContain('west')
  })
})

describe('rental bookings', () => {
  it('reports short bookings in list, confirm and audit when a group is overbooked', async () => {
    const first = await commands.rental.book(...monday)
    const list = ['bookings', 'list', '--tenant', 'north', '--status', 'pending']
    expect(await json(...list)).toMatchObject([{ id: first, short: false, contested: false }])
    const second = await commands.rental.book(...monday)
    const shortage = async () =>
      (await json(...list)).map(({ short, contested }: Record<string, boolean>) => ({
        short,
        contested,
      }))
    const contested = { short: false, contested: true }
    expect(await shortage()).toEqual([contested, contested])
    expect((await run(...list)).out).toMatch(/Kari Nordmann +623.75 maybe/)

    expect(await json('bookings', 'confirm', first, '--reason', 'first come')).toMatchObject({
      status: 'confirmed',
      forced: false,
    })
    expect(await shortage()).toEqual([{ short: true, contested: true }])
    expect((await run(...list)).out).toMatch(/Kari Nordmann +623.75 yes/)
    const rejected = await run('bookings', 'confirm', second, '--json')
    expect(rejected).toMatchObject({ exitCode: 1, out: '' })
    expect(rejected.error).toContain(`Booking ${second.slice(0, 8)} would overbook "Economy"`)
    expect(rejected.error).toContain('1 vehicle in service and 1 confirmed booking. ')
    const { pool } = commands.database
    const prepareFor = (minutes: number) =>
      pool.query('update asset_groups set turnaround_minutes = $1', [minutes])
    await prepareFor(0)
    const { error } = await run('bookings', 'confirm', second)
    expect(error).toContain('2038-03-02 11:00 (Europe/Oslo), it has')
    await prepareFor(60)
    expect((await run('bookings', 'confirm', second, '--force')).out).toBe(
      `Booking ${second} is confirmed, which overbooks its group: Kari Nordmann, Economy, Mon 1 Mar 2038 11:00.\n`,
    )
    expect((await run(...list.slice(0, 4))).out).toMatch(
      /(\n\w{8} confirmed .* yes){2}\nyes: confirmed bookings leave no vehicle for it; confirmed itself, it overbooks\n$/,
    )

    expect((await run('audit', '--json')).exitCode).toBe(1)
    // Times are shown in the time zone of the tenant.
    expect((await run('audit')).out).toMatch(
      /^(ok {6}(?!no group).*\n)+OVERBOOKED north economy at 2038-03-01 11:00 \(Europe\/Oslo\): 2 confirmed, 1 in service\n/,
    )
    expect((await run('bookings', 'cancel', second)).out).toBe(
      `Booking ${second} is cancelled: Kari Nordmann, Economy, Mon 1 Mar 2038 11:00.\n`,
    )
    expect(await json('audit')).toMatchObject({ ok: true, overbookings: [] })
  })

  it.each(['confirm', 'reject', 'cancel'])(
    'fails to %s a booking that does not exist',
    async (decision) => {
      const id = randomUUID()
      const { exitCode, error } = await run('bookings', decision, id)
      expect({ exitCode, error }).toEqual({
        exitCode: 1,
        error: `There is no booking with the ID ${id}. List them with \`rental bookings list --status all\`.\n`,
      })
    },
  )
})

it('rental maintain prints what was deleted', async () => {
  expect((await run('maintain')).out).toBe(
    'Deleted 0 idempotency records, 0 quotes and 0 booking events.\n' +
      'Erased personal data from 0 bookings.\n',
  )
  const { pool } = commands.database
  await commands.rental.quote(...monday)
  await pool.query(`update quotes set expires_at = now() - interval '3 days' where used_at is null`)
  expect(await json('maintain')).toMatchObject({ quotes: 1 })
})

describe('rental audit', () => {
  it('exits with 1 when rows are inconsistent although no group is overbooked', async () => {
    const { pool } = commands.database
    const ids = [await commands.rental.book(...monday), await commands.rental.book(...monday)]
    const raise = (by: number) =>
      pool.query('update bookings set total_minor = total_minor + $2 where id = any($1)', [ids, by])
    await raise(1)
    const { exitCode, out } = await run('audit')
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /^FAIL {4}a booking has the key, group.*: 2 rows break it, such as \S{36}, \S{36}$/m,
    )
    expect(out).toContain('ok      no group is overbooked\n')
    for (const id of ids) expect(out).toContain(id)
    await raise(-1)
    await run('bookings', 'reject', ...ids)
  })

  it('warns of a group that cannot be sold, with the exit code 0', async () => {
    await importFile(commands.database, smallFleet('unsold'))
    const { exitCode, out } = await run('audit')
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining('WARNING unsold: van has no rate.\n'),
    })
  })

  it('exits with 1 and names missing keys and indexes, also those for housekeeping', async () => {
    const { url, drop } = await createTestDatabase()
    await runStatements(
      url,
      'alter table bookings drop constraint bookings_quote_unique',
      'drop index quotes_unused_idx',
    )
    const { exitCode, out } = await commandLineOn(url)(['audit'])
    expect([exitCode, out.match(/^MISSING .*/gm)?.sort()]).toEqual([
      1,
      [
        'MISSING constraint bookings_quote_unique on bookings',
        'MISSING index quotes_unused_idx on quotes',
      ],
    ])
    await drop()
  })
})
