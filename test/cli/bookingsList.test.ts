import { randomUUID } from 'node:crypto'
import stringWidth from 'string-width'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { aKey } from '../helpers/seed.ts'
import { seedBookings } from '../helpers/seedBookings.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const list = (...more: string[]) => ['bookings', 'list', '--tenant', 'north', ...more]

const day = (days: number) => new Date(Date.now() + days * 86_400_000)
/** The dates avoid clock changes, so each day has 24 hours. */
const past = (date: number) => new Date(`2024-05-${date}T10:00:00Z`)
const ahead = (date: number) => new Date(`2038-06-${date}T10:00:00Z`)

/** Open bookings by pickup, and bookings that are not open. */
let open: string[]
let closed: string[]
let owner: Parameters<typeof seedBookings>[1]
beforeAll(async () => {
  const { fleet } = commands.rental
  const { pool } = commands.database
  const { rows } = await pool.query('select id from api_keys')
  const assetGroupId = fleet.assetGroups[0]?.id ?? ''
  owner = { tenantId: fleet.tenantId, apiKeyId: rows[0].id, assetGroupId }
  const made = (pickupAt: Date, dropoffAt: Date, status: 'pending' | 'confirmed' | 'rejected') => ({
    pickupAt,
    dropoffAt,
    status,
    createdAt: day(-3),
  })
  open = await seedBookings(commands.database, owner, [
    made(past(10), past(11), 'pending'),
    made(day(-1), day(1), 'confirmed'),
    made(ahead(10), ahead(13), 'pending'),
    made(ahead(25), ahead(26), 'pending'),
  ])
  closed = await seedBookings(commands.database, owner, [
    made(past(10), past(11), 'confirmed'),
    made(ahead(20), ahead(21), 'rejected'),
  ])
  const rename = (id: string | undefined, last: string, phone: string | null = null) =>
    pool.query('update bookings set customer_last_name = $2, customer_phone = $3 where id = $1', [
      id,
      last,
      phone,
    ])
  await rename(open[0], 'Andre\u0301 Bérard')
  await rename(open[1], 'محمد علي')
  await rename(open[2], '山田太郎さまご一行')
  await rename(open[3], 'Æsir', '+47 12 34 56 78')
})
afterAll(async () => {
  await commands.database.pool.query('delete from bookings')
})

const ids = async (...more: string[]) =>
  (await commands.json(...list(...more))).map(({ id }: { id: string }) => id)

describe('rental bookings list', () => {
  it('lists pending bookings and unreturned confirmed bookings, ordered by pickup', async () => {
    expect(await ids()).toEqual(open)
    expect((await ids('--status', 'all')).toSorted()).toEqual([...open, ...closed].toSorted())
    expect(await ids('--status', 'rejected')).toEqual(closed.slice(1))
  })

  it('filters and orders by local drop-off date with --returns, and accepts today as a date', async () => {
    const dates = ['--from', '2038-06-13', '--to', '2038-06-13']
    expect(await ids(...dates)).toEqual([])
    expect(await ids('--returns', ...dates)).toEqual([open[2]])
    const today = list('--returns', '--from', 'today', '--to', 'today')
    // The 13th has begun in Oslo.
    const now = new Date('2038-06-12T22:30:00Z')
    const { out } = await commandLineOn(commands.url)(today, { now })
    expect(out).toMatch(/^ID +STATUS +DROP-OFF +LENGTH/m)
    expect(out.match(/^\w{8} /gm)).toEqual([`${open[2]?.slice(0, 8)} `])
    const later = await seedBookings(commands.database, owner, [
      { pickupAt: ahead(12), dropoffAt: ahead(28), status: 'pending' },
    ])
    expect(await ids('--returns', '--from', '2038-06-13')).toEqual([open[2], open[3], ...later])
    expect(await ids('--from', '2038-06-09')).toEqual([open[2], ...later, open[3]])
    await commands.database.pool.query('delete from bookings where id = any($1)', [later])
  })

  it('filters by local pickup date and by text, ignoring case', async () => {
    const date = '2038-06-10'
    expect(await ids('--from', date, '--to', date)).toEqual([open[2]])
    expect(await ids('--from', date)).toEqual([open[2], open[3]])
    expect(await ids('--to', date)).toEqual(open.slice(0, 3))
    expect(await ids('--search', 'kari 12345678')).toEqual([open[3]])
    expect(await ids('--search', '34 æsir')).toEqual([open[3]])
    // The search must also work when SQL strings treat backslashes as escapes.
    await commands.database.pool.query(`do $$ begin execute format(
      'alter database %I set standard_conforming_strings = off', current_database()); end $$`)
    expect(await ids('--search', '+4712345678')).toEqual([open[3]])
    expect(await ids('--search', '47-1234-5678 æsir')).toEqual([open[3]])
    expect(await ids('--search', '\u00c6SIR')).toEqual([open[3]])
    expect(await ids('--search', ' KARI\t Æsir\n')).toEqual([open[3]])
    expect(await ids('--search', (open[2] ?? '').slice(0, 8))).toEqual([open[2]])
    expect(await ids('--search', '100%')).toEqual([])
    await commands.database.pool.query(
      `update bookings set notes = 'Barnesete', pickup_location = 'Flesland', dropoff_location = 'Torget'
       where id = $1`,
      [open[1]],
    )
    expect(await ids('--search', 'torget flesland barnesete')).toEqual([open[1]])
    expect(await ids('--search', 'barnesete economy')).toEqual([open[1]])
  })

  it('filters by key and channel, and shows both in wide tables', async () => {
    const { database, rental, url } = commands
    const { id: keyId } = await aKey(database, owner.tenantId, { name: 'widget' })
    onTestFinished(async () => {
      await database.pool.query('delete from booking_events')
      await database.pool.query('delete from bookings where api_key_id = $1', [keyId])
    })
    const period = { pickupAt: ahead(28), dropoffAt: ahead(29), status: 'pending' } as const
    const site = { ...owner, apiKeyId: keyId }
    const copied = await seedBookings(database, site, [period, period])
    const visited = await seedBookings(database, site, [{ ...period, sessionId: randomUUID() }])
    const key = ['--key', keyId.slice(0, 8)]
    expect((await ids(...key)).toSorted()).toEqual([...copied, ...visited].toSorted())
    expect((await ids(...key, '--channel', 'server')).toSorted()).toEqual(copied.toSorted())
    expect(await ids('--channel', 'browser')).toEqual(visited)
    const [found] = await commands.json(...list('--channel', 'browser'))
    expect(found).toMatchObject({ apiKey: { id: keyId, name: 'widget' }, channel: 'browser' })
    const wide = await commandLineOn(url)(list(...key), { columns: 110 })
    expect(wide.out.match(/ widget \(server\)/g)).toHaveLength(2)
    expect(wide.out.match(/ widget \(browser\)/g)).toHaveLength(1)
    const reject = await commands.run('bookings', 'reject', ...copied, '--as', 'Kari')
    expect([reject.exitCode, await ids(...key)]).toEqual([0, visited])
    expect((await commands.run(...list('--key', rental.fleet.tenantId))).exitCode).toBe(1)
  })

  it('reports on stderr how many bookings --limit leaves out', async () => {
    const cut = await commands.run(...list(), '--limit', '1')
    expect([cut.exitCode, cut.error]).toEqual([0, '3 more, left out by --limit 1.\n'])
    const asJson = await commands.run(...list(), '--limit', '3', '--json')
    expect(JSON.parse(asJson.out).map(({ id }: { id: string }) => id)).toEqual(open.slice(0, 3))
    expect(asJson.error).toBe('1 more, left out by --limit 3.\n')
    expect((await commands.run(...list(), '--limit', '4')).error).toBe('')
  })

  it('prints one line of at most 80 columns per booking, without SHORT? when no booking is short', async () => {
    const { out } = await commandLineOn(commands.url)(list(), { columns: 80 })
    const [heading, titles = '', ...lines] = out.trimEnd().split('\n')
    expect(heading).toBe('Fjord Cars: times in Europe/Oslo, totals in NOK')
    expect(titles).toMatch(/^ID +STATUS +PICKUP +LENGTH +GROUP +CUSTOMER +TOTAL$/)
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(80)
    expect(lines[0]).toMatch(new RegExp(`^${open[0]?.slice(0, 8)} pending 3d .* 1d +Economy +Kari`))
    expect(lines[1]).toContain('Kari محمد علي')
    expect(lines[2]).toContain(' 3d     Economy Kari 山田太郎')
  })

  it('reports an empty list and suggests --status all', async () => {
    const { out } = await commands.run(...list('--search', 'nobody'))
    expect(out).toBe('No open bookings found. Use --status all to see others.\n')
    const none = await commands.run(...list('--search', 'nobody', '--status', 'all'))
    expect(none.out).toBe('No bookings found.\n')
  })
})
