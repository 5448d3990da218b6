import { describe, expect, it } from 'vitest'
import { reviewBooking } from '../../src/services/bookings/reviewBooking.ts'
import { proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { lockWaits } from '../helpers/lockWaits.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run, json, actorOf } = commands

const monday = ['2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'] as const
const book = () => commands.rental.book(...monday)

/** Creates a booking with the given id. */
async function bookAs(id: string, quoteId?: string): Promise<string> {
  const { pool } = commands.database
  const booked = await (quoteId === undefined ? book() : commands.rental.redeem(quoteId, id))
  await pool.query('delete from idempotency_records where booking_id = $1', [booked])
  await pool.query('update bookings set id = $2 where id = $1', [booked, id])
  return id
}

describe('booking id argument', () => {
  it('accepts the first six characters or more of an id when they are unambiguous', async () => {
    const first = await bookAs('aaaaaa00-0000-4000-8000-000000000001')
    const second = await bookAs('aaaaaa00-0000-4000-8000-000000000002')
    const third = await bookAs('aaaaab00-0000-4000-8000-000000000003')
    const ambiguous = await run('bookings', 'reject', 'aaaaaa')
    expect({ exitCode: ambiguous.exitCode, out: ambiguous.out }).toEqual({ exitCode: 1, out: '' })
    expect(ambiguous.error).toContain('Several IDs begin with "aaaaaa"')
    for (const id of [first, second])
      expect(ambiguous.error).toContain(`\n  ${id}  pending    2038-03-01 11:00  north\n`)
    expect(ambiguous.error).not.toContain(third)
    expect(await json('bookings', 'reject', 'AAAAAB')).toMatchObject({ id: third })
    expect((await run('bookings', 'reject', 'aaaaa')).error).toContain(
      '"aaaaa" is not a valid booking ID. Type the whole ID, or at least its first 6 characters.\n',
    )
    expect((await run('bookings', 'reject', 'ffffff')).error).toContain('There is no booking')
  })

  it('changes no booking and prints "Nothing was changed" when one of several ids is unknown', async () => {
    const [first, last] = [await book(), await book()]
    const { exitCode, error } = await run('bookings', 'cancel', first, '000000', last)
    expect([exitCode, error]).toEqual([
      1,
      expect.stringMatching(/^There is no booking .*\nNothing was changed\.\n$/),
    ])
    expect(await json('bookings', 'cancel', first)).toMatchObject({ previousStatus: 'pending' })
    expect((await run('bookings', 'cancel', '000000')).error).not.toContain('Nothing was changed')
  })
})

it('erases nothing and exits with 1 when no booking has the e-mail address', async () => {
  const erase = [
    'customers',
    'erase',
    '--tenant',
    'north',
    '--email',
    'nobody@example.com',
    '--json',
  ]
  expect(await run(...erase)).toMatchObject({
    exitCode: 1,
    out: '',
    error:
      'No booking of "north" has this email address: nothing was erased. Look the address up with `rental bookings list --status all --search WORDS`.\n',
  })
})

describe('several booking ids', () => {
  it('confirms each given booking once and prints one line per booking', async () => {
    const [one, two] = [await book(), await book()]
    await run('bookings', 'reject', two)
    const { exitCode, out } = await run(
      'bookings',
      'confirm',
      one,
      two,
      one.toUpperCase(),
      '--as',
      'Ola',
    )
    expect(exitCode).toBe(1)
    expect(out.split('\n')).toEqual([
      `Booking ${one} is confirmed: Kari Nordmann, Economy, Mon 1 Mar 2038 11:00.`,
      expect.stringContaining(`Booking ${two} is rejected: it can't be confirmed (`),
      '',
    ])
    const cancelled = await run('bookings', 'cancel', one, two, '--json')
    expect(cancelled.exitCode).toBe(1)
    expect(JSON.parse(cancelled.out)).toEqual([
      expect.objectContaining({ id: one, status: 'cancelled', refused: null }),
      { id: two, refused: expect.stringContaining('is rejected') },
    ])
  })

  it('prints the bookings rejected before the database became unavailable', async () => {
    const [final, one, two] = [await book(), await book(), await book()]
    const earlier = { bookingId: final, decision: 'reject', actor: 'Ola\x1b[2J' } as const
    await reviewBooking(commands.database, earlier)
    const proxy = await startFaultProxy(upstreamOf(commands.url))
    const other = await commands.database.pool.connect()
    try {
      await other.query('begin')
      await other.query('select from bookings where id = $1 for update', [two])
      const argv = ['bookings', 'reject', final, one, two]
      const rejecting = commandLineOn(proxiedUrl(commands.url, proxy))(argv)
      await lockWaits(commands.database.pool)
      proxy.down()
      const { exitCode, error } = await rejecting
      expect(exitCode).toBe(1)
      expect(error).toContain(`Booking ${final} is already rejected (Ola\ufffd[2J, `)
      expect(error).toContain(
        `Booking ${one} is rejected: Kari Nordmann, Economy, Mon 1 Mar 2038 11:00.\nThe database is unavailable: `,
      )
      expect(error).not.toContain('Nothing was changed')
    } finally {
      await other.query('rollback')
      other.release()
      await proxy.stop()
    }
    expect((await run('bookings', 'reject', two)).exitCode).toBe(0)
  })
})

it.each([
  ['confirm', ''],
  ['reject', ' '],
  ['cancel', '\u200b'],
])('rejects an empty reason to %s as a usage error', async (decision, reason) => {
  const id = await book()
  const { exitCode, error } = await run('bookings', decision, id, '--reason', reason)
  expect([exitCode, error]).toEqual([
    2,
    expect.stringContaining("option '--reason <text>' argument"),
  ])
  expect(await actorOf(id)).toBeUndefined()
})
