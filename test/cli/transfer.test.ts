import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placement } from '../../src/db/distribution/placement.ts'
import { tablesInOrder } from '../../src/db/migrations/copyTables.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental, type Rental, reopenRental } from '../helpers/rental.ts'
import { commandLineOn } from './commandLine.ts'

const monday = ['2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'] as const
const tables = (database: OpenTestDatabase) =>
  Promise.all(
    tablesInOrder.map(async (name) => {
      const { rows } = await database.database.pool.query(`select t::text as row from ${name} t`)
      return [name, rows.map(({ row }) => row).sort()]
    }),
  )

let source: OpenTestDatabase
let rental: Rental
let bookedQuoteId: string
let quoteId: string
let bookingId: string
beforeAll(async () => {
  source = await openTestDatabase()
  rental = await openRental(source.database, fleetOf(3))
  bookedQuoteId = await rental.quote(...monday)
  bookingId = await rental.redeem(bookedQuoteId, 'attempt')
  await commandLineOn(source.url)(['bookings', 'confirm', bookingId])
  quoteId = await rental.quote(...monday)
})
afterAll(() => source.drop())

const transferTo = (target: OpenTestDatabase, ...more: string[]) =>
  commandLineOn(source.url)(['transfer', '--to', target.url, ...more])

describe('rental transfer', () => {
  it('copies every table, after which keys, replays and open quotes work', async () => {
    const target = await openTestDatabase()
    const { exitCode, out } = await transferTo(target, '--json')
    expect(exitCode).toBe(0)
    const copied: { name: string; rows: number }[] = JSON.parse(out).tables
    expect(copied).toContainEqual({ name: 'bookings', rows: 1 })
    expect(copied.map(({ name }) => name).sort()).toEqual(
      [...placement.reference, ...placement.distributed].sort(),
    )
    expect(await tables(target)).toEqual(await tables(source))
    const moved = await reopenRental(target.database, rental)
    expect(await moved.redeem(bookedQuoteId, 'attempt')).toBe(bookingId)
    expect(await moved.redeem(quoteId, 'another')).toMatch(/^[\da-f-]{36}$/)
    await target.drop()
  })

  it('changes nothing and exits with 1 when the target has tenants', async () => {
    const target = await openTestDatabase()
    await openRental(target.database, fleetOf(1, 'theirs'))
    const before = await tables(target)
    expect(await transferTo(target)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('has tenants already. Give an empty one.'),
    })
    expect(await tables(target)).toEqual(before)
    await target.drop()
  })

  it('leaves the target empty when the copy of a table fails', async () => {
    for (const table of ['tenants', 'quotes', 'booking_feeds']) {
      const target = await openTestDatabase()
      await runStatements(
        target.url,
        `create function fail() returns trigger language plpgsql as
         $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
        `create trigger fail after insert on ${table} execute function fail()`,
      )
      expect((await transferTo(target)).exitCode).toBe(1)
      expect((await tables(target)).flatMap(([, rows]) => rows)).toEqual([])
      await target.drop()
    }
  })
})
