import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../src/db/connection/transaction.ts'
import { transitionBooking } from '../../../src/db/queries/bookings/reviewQueries.ts'
import { reviewBooking } from '../../../src/services/bookings/reviewBooking.ts'
import { commandLineOn } from '../../cli/commandLine.ts'
import { fleetOf } from '../../helpers/fleet.ts'
import { lockWaits } from '../../helpers/lockWaits.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../../helpers/rental.ts'

const test = useTestDatabase()
let rental: Rental
beforeAll(async () => {
  rental = await openRental(test.database, fleetOf(3))
})

/** Returns every row of the database as one string. */
async function everything(): Promise<string> {
  const tables = await test.database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const texts = []
  for (const { name } of tables.rows) {
    const { rows } = await test.database.pool.query(
      `select row_to_json(t)::text as row from ${name} t`,
    )
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

/** The columns of a booking's tables that can hold text but never personal data. */
const notPersonal = [
  'bookings.status',
  'bookings.currency',
  'booking_events.from_status',
  'booking_events.to_status',
  'booking_events.actor',
  ...['session_scope', 'idempotency_key', 'outcome'].map((name) => `idempotency_records.${name}`),
]
const withoutText = ['uuid', 'bigint', 'boolean', 'timestamp with time zone']

/** Returns the other columns of these tables that can hold text, as in the schema. */
async function personalColumns() {
  const { rows } = await test.database.pool.query<Record<'table' | 'column' | 'canary', string>>(
    `select table_name as table, column_name as column,
       case when data_type like 'json%' then '"CANARY"' else 'CANARY' end as canary
     from information_schema.columns
     where table_name in ('bookings', 'booking_events', 'idempotency_records')
       and data_type <> all ($1) and table_name || '.' || column_name <> all ($2)`,
    [withoutText, notPersonal],
  )
  return rows
}

const book = (day: number) =>
  rental.book(`2038-03-0${day}T10:00:00Z`, `2038-03-0${day + 1}T10:00:00Z`)
const row = async (id: string) =>
  (await test.database.pool.query('select * from bookings where id = $1', [id])).rows[0]
const staff = (...argv: string[]) => commandLineOn(test.url)(argv)

describe('customers erase', () => {
  it('erases the customer of one booking, keeps its amounts and records the actor', async () => {
    const id = await book(1)
    await test.database.pool.query(`update bookings set notes = 'CANARY' where id = $1`, [id])
    const reason = 'CANARY called'
    await reviewBooking(test.database, { bookingId: id, decision: 'confirm', actor: 'ola', reason })
    const before = await row(id)
    expect(await everything()).toContain('CANARY')

    const { exitCode, out } = await staff(
      'customers',
      'erase',
      id,
      '--yes',
      '--as',
      'per',
      '--json',
    )
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ erased: [{ id, status: 'confirmed', open: true }] })
    expect(await everything()).not.toContain('CANARY')
    const after = await row(id)
    for (const column of ['status', 'pickup_at', 'dropoff_at', 'total_minor', 'quote_id']) {
      expect(after[column]).toEqual(before[column])
    }
    expect(after.erased_at).toBeInstanceOf(Date)
    const events = await test.database.pool.query(
      'select from_status, to_status, actor, reason from booking_events where booking_id = $1 order by created_at',
      [id],
    )
    expect(events.rows).toEqual([
      { from_status: 'pending', to_status: 'confirmed', actor: 'ola', reason: null },
      { from_status: 'confirmed', to_status: 'confirmed', actor: 'per', reason: 'customer erased' },
    ])
    const again = await staff('customers', 'erase', id, '--yes')
    expect(again.out).toBe('This booking has already been erased.\n')
    // The message must name the staff who confirmed, not those who erased.
    const confirmed = await staff('bookings', 'confirm', id)
    expect(confirmed.error).toContain('is already confirmed (ola, ')
  })

  it('erases every column that can hold text and is not declared as not personal', async () => {
    const id = await book(1)
    await reviewBooking(test.database, { bookingId: id, decision: 'reject', actor: 'ola' })
    const columns = await personalColumns()
    for (const { table, column, canary } of columns) {
      const which = table === 'bookings' ? 'id' : 'booking_id'
      const { pool } = test.database
      await pool.query(`update ${table} set ${column} = '${canary}' where ${which} = $1`, [id])
    }
    expect((await staff('customers', 'erase', id, '--yes')).exitCode).toBe(0)
    const left: string[] = []
    for (const { table, column, canary } of columns) {
      const read = `select from ${table} where ${column} = '${canary}'`
      const { rowCount } = await test.database.pool.query(read)
      if (rowCount !== 0) left.push(`${table}.${column}`)
    }
    expect(columns.length).toBeGreaterThan(7)
    expect(left).toEqual([])
  })

  it('lists each booking and marks those that are pending or still to come', async () => {
    const customer = { firstName: 'Eva', lastName: 'Lund', email: 'eva@example.com' }
    const bookOf = (from: string, to: string) =>
      rental.book(`2038-05-${from}T10:00:00Z`, `2038-05-${to}T10:00:00Z`, { customer })
    const [pending, confirmed, cancelled] = [
      await bookOf('01', '02'),
      await bookOf('03', '04'),
      await bookOf('05', '06'),
    ]
    const [over, late] = [await bookOf('07', '08'), await bookOf('09', '10')]
    await staff('bookings', 'confirm', confirmed, cancelled, over)
    await staff('bookings', 'cancel', cancelled)
    const move = (dates: string, ...ids: string[]) =>
      test.database.pool.query(
        `with moved as (update bookings set ${dates} where id = any($1) returning quote_id)
         update quotes set ${dates} where id in (select quote_id from moved)`,
        [ids],
      )
    await move(`pickup_at = '2026-01-01Z', dropoff_at = '2026-01-02Z'`, over, late)
    // This rental has started and the vehicle is not returned yet.
    await move(`pickup_at = '2026-01-01Z'`, confirmed)
    const erase = ['customers', 'erase', '--tenant', rental.fleet.slug]
    const address = ['--email', customer.email.toUpperCase()]
    const asked = await staff(...erase, ...address)
    expect(asked).toMatchObject({ exitCode: 1, out: '' })
    expect(asked.error).toContain('could no longer be contacted')
    expect(asked.error).toContain(`${pending.slice(0, 8)} pending: a decision is still to come\n`)
    expect(asked.error).toContain('Nothing was erased.')
    expect((await staff('bookings', 'show', pending)).out).toContain('Eva Lund')
    const { out } = await staff(...erase, ...address, '--yes')
    const [done, ...lines] = out.trimEnd().split('\n')
    expect(done).toBe('Erased personal data from 5 bookings.')
    const short = (id: string) => id.slice(0, 8)
    expect(lines.toSorted()).toEqual(
      [
        `${short(pending)} pending: a decision is still to come`,
        `${short(confirmed)} confirmed: the rental is still to come`,
        `${short(cancelled)} cancelled`,
        `${short(over)} confirmed`,
        `${short(late)} pending: a decision is still to come`,
      ].toSorted(),
    )
  })

  it.each([
    ['booking id', (id: string) => [id]],
    ['e-mail address', () => ['--tenant', rental.fleet.slug, '--email', 'kari@example.com']],
  ])('erases a reason that staff write concurrently when called by %s', async (_, whose) => {
    const id = await book(1)
    const reason = 'customer CANARY called'
    const { erasing } = await inTransaction(test.database, async (transaction) => {
      const booking = { tenantId: rental.fleet.tenantId, id }
      const move = { from: 'pending', to: 'rejected', actor: 'ola', reason, forced: false } as const
      await transitionBooking(transaction, booking, move)
      const erasing = staff('customers', 'erase', '--yes', ...whose(id))
      await lockWaits(test.database.pool)
      return { erasing }
    })
    expect((await erasing).exitCode).toBe(0)
    expect(await everything()).not.toContain('CANARY')
  })

  it('rejects an unknown booking, an address with a path, and a booking with an address', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect(await staff('customers', 'erase', unknown)).toMatchObject({ exitCode: 1, out: '' })
    for (const wrong of [
      [unknown, '--email', 'a@b.co'],
      ['--tenant', rental.fleet.slug, '--email', 'a@b.co/path'],
      ['x'],
    ]) {
      expect((await staff('customers', 'erase', ...wrong)).exitCode).toBe(2)
    }
  })
})
