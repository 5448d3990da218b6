import { describe, expect, it } from 'vitest'
import { closeDatabase } from '../../../src/db/connection/database.ts'
import { feedBatchRows } from '../../../src/db/queries/bookings/bookingFeed.ts'
import { watchBookings } from '../../../src/services/bookings/watchBookings.ts'
import { createTestDatabase } from '../../helpers/database.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { openPool } from '../../helpers/openPool.ts'
import { fill, prepare } from './fill.ts'
import { explainEverything, type Scan, watchScans } from './watchScans.ts'

const one = { groups: 1, vehiclesPerGroup: 1, bookings: 1 }
const busy = { groups: 20, vehiclesPerGroup: 25, bookings: 8_000 }

/** A booking and its decision each. */
const events = 2 * busy.bookings

const states: readonly [state: string, before: readonly string[]][] = [
  ['in a database that was never analysed', fill('busy', 1, busy)],
  ['in an analysed database', [...fill('small', 100, one), ...fill('busy', 1, busy), 'analyze']],
  [
    'in a database analysed before the tenant got its bookings',
    [...fill('small', 100, one), 'analyze', ...fill('busy', 1, busy)],
  ],
]

/** The rows that a statement may read per execution: one to detect news, otherwise a batch. */
const rowsMax = (statement: string) => (statement.startsWith('select exists') ? 1 : feedBatchRows)

const tooMuch = (scans: readonly Scan[]) =>
  scans
    .filter(({ table, rows, statement }) => /^booking/.test(table) && rows > rowsMax(statement))
    .map(({ table, by, rows, statement }) => `${table} by ${by}: ${rows}, ${statement}`)

describe('the statements of the booking feed', () => {
  it.each(states)('read no more rows than a batch %s', async (_, before) => {
    const { url, drop } = await createTestDatabase()
    try {
      await prepare(url, 'as migrated')
      await runStatements(url, ...before)
      await explainEverything(url)
      const database = openPool(url)
      const scans = watchScans(database.pool)
      const end = new AbortController()
      const watching = watchBookings(database, 'busy-1', {
        since: '0',
        signal: end.signal,
        onStart() {},
        onAvailability() {},
      })
      let count = 0
      for await (const _event of watching) if (++count === events) end.abort()
      expect(count).toBe(events)
      expect(tooMuch(scans)).toEqual([])
      await closeDatabase(database)
    } finally {
      await drop()
    }
  })
})
