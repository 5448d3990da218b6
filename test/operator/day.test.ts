import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import stringWidth from 'string-width'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compiledServer } from '../helpers/compiledServer.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental } from '../helpers/rental.ts'
import { openTerminal, type Terminal } from '../helpers/terminal.ts'
import { waitFor } from '../helpers/waitFor.ts'

const kinds = ['compact', 'estate', 'van', 'minibus'] as const
const patienceMs = 30_000

let test: OpenTestDatabase
let directory: string
const desks: Terminal[] = []
/** Five bookings of each kind, the soonest pickup first. */
const booked: Record<string, string[]> = {}
beforeAll(async () => {
  test = await openTestDatabase()
  directory = await mkdtemp(join(tmpdir(), 'desk-'))
  const program = join(dirname(await compiledServer()), 'cli.js')
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  await writeFile(join(directory, 'rental'), script, { mode: 0o755 })
  const { assetGroups, ...file } = fleetOf(1)
  const groups = kinds.map((ref) => ({
    ...assetGroups[0],
    ref,
    name: ref,
    assets: [{ ref: `${ref} 1` }],
  }))
  for (const [hour, ref] of kinds.entries()) {
    const first = groups.toSorted((a, b) => Number(b.ref === ref) - Number(a.ref === ref))
    const shop = await openRental(test.database, { ...file, assetGroups: first })
    for (const day of [1, 5, 9, 13, 17]) {
      const time = `${String(8 + hour).padStart(2, '0')}:00:00Z`
      const date = (of: number) => `2038-03-${String(of).padStart(2, '0')}T${time}`
      booked[ref] = [...(booked[ref] ?? []), await shop.book(date(day), date(day + 3))]
    }
  }
})
afterAll(async () => {
  for (const desk of desks) await desk.close()
  await rm(directory, { recursive: true, force: true })
  await test.drop()
})

/** A shell in a terminal of somebody's own. */
async function deskOf(name: string): Promise<Terminal> {
  const PATH = `${directory}${delimiter}${process.env['PATH']}`
  const environment = { DATABASE_URL: test.url, RENTAL_OPERATOR: name }
  const desk = await openTerminal(['env', `PATH=${PATH}`, 'PS1=$ ', 'sh', '-i'], environment)
  desks.push(desk)
  return desk
}

async function enter(desk: Terminal, line: string, shown: string): Promise<string> {
  await desk.type(`clear; rental ${line}`, 'Enter')
  await desk.shows(shown)
  const screen = await desk.screen()
  for (const each of screen.split('\n')) expect(stringWidth(each)).toBeLessThanOrEqual(80)
  return screen
}

const first = (kind: string) => booked[kind]?.[0] ?? ''

/** Both look at one booking, and decline it in the same moment. */
async function declineTogether(both: readonly Terminal[]): Promise<void> {
  const review = 'bookings review --tenant fjord-cars'
  await Promise.all(both.map((desk) => enter(desk, review, `Booking ${first('compact')}: pending`)))
  await Promise.all(both.map((desk) => desk.type('r')))
  await Promise.all(both.map((desk) => desk.shows('Reason:')))
  await Promise.all(both.map((desk) => desk.type('no licence', 'Enter')))
  const answered = /is rejected\.|is already rejected|has just been changed by someone/
  for (const desk of both) {
    await waitFor(async () => answered.test((await desk.screen()).replace(/\s+/g, ' ')), patienceMs)
    await desk.type('q')
    await desk.shows('Confirmed 0')
  }
}

it('two at their desks get through a day: twenty bookings, a broken van, an erasure, a leaked key', async () => {
  const [kari, ola] = await Promise.all([deskOf('Kari'), deskOf('Ola')])
  const last = booked['minibus']?.at(-1)?.slice(0, 8) ?? ''
  const list = await enter(kari, 'bookings list --tenant fjord-cars', last)
  expect(list.match(/^[0-9a-f]{8} pending /gm)).toHaveLength(20)
  await declineTogether([kari, ola])

  const [van, minibus, estate] = [first('van'), first('minibus'), first('estate')]
  await enter(kari, `bookings confirm ${van} ${minibus}`, `Booking ${minibus} is confirmed.`)
  await enter(
    ola,
    "fleet block 'van 1' --from 2038-03-01 --to 2038-03-09",
    'Not enough for the bookings below',
  )
  await enter(kari, `bookings show ${van.slice(0, 8)}`, 'Overbooked: 0 in service then')
  await enter(ola, 'audit', 'OVERBOOKED fjord-cars van')
  await enter(kari, `bookings cancel ${van} --reason 'broken axle'`, 'is cancelled.')
  await enter(ola, `bookings confirm ${booked['van']?.[1]}`, 'would overbook "van"')
  await Promise.all([
    enter(kari, 'audit', 'no group is overbooked'),
    enter(ola, `customers erase ${estate}`, 'from 1 booking.'),
  ])
  await enter(ola, `customers erase ${estate}`, 'This booking has already been erased.')
  await enter(ola, `bookings show ${estate}`, 'Customer  erased on ')

  const { pool } = test.database
  const { rows: keys } = await pool.query('select id from api_keys order by created_at')
  await enter(kari, `keys rotate ${keys[0].id.slice(0, 8)} --overlap 0s`, 'no longer works.')
  await enter(kari, `keys show ${keys[0].id}`, ' active ')
  await kari.shows('replaced')

  const { rows: events } = await pool.query(
    'select to_status as status, count(*)::int from booking_events group by 1 order by 1',
  )
  expect(events).toEqual([
    { status: 'cancelled', count: 1 },
    { status: 'confirmed', count: 2 },
    { status: 'pending', count: 1 },
    { status: 'rejected', count: 1 },
  ])
})
