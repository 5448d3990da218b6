import { describe, expect, it } from 'vitest'
import { useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run, json } = commands

// Constant, because test titles contain it.
const unknown = '00000000-0000-4000-8000-000000000000'
const monday = ['2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'] as const

describe('rental quotes explain', () => {
  it('prints each step of the stored price after the rate has changed', async () => {
    const id = await commands.rental.quote(...monday)
    await commands.database.pool.query('update rates set daily_minor = 1')
    const { steps } = await json('quotes', 'explain', id)
    expect(steps.at(-1)).toBe('The total is 623.75 NOK.')
    expect((await run('quotes', 'explain', id)).out).toBe(`${steps.join('\n')}\n`)
    await commands.database.pool.query('update rates set daily_minor = 49900')
  })

  it('accepts the id of a booking for its quote', async () => {
    const bookingId = await commands.rental.book(...monday)
    const { rows } = await commands.database.pool.query(
      'select quote_id as id from bookings where id = $1',
      [bookingId],
    )
    expect(await json('quotes', 'explain', bookingId)).toEqual(
      await json('quotes', 'explain', rows[0].id),
    )
    await run('bookings', 'reject', bookingId)
  })

  it.each([
    [
      unknown,
      1,
      `There is no quote or booking with the ID ${unknown}. List them with \`rental bookings list --status all\`.\n`,
    ],
    ['7', 2, '"7" is not a valid quote or booking ID. Type the whole ID, or at least its first '],
  ])('rejects %s when it is neither a quote nor a booking', async (id, code, reason) => {
    const { exitCode, out, error } = await run('quotes', 'explain', id, '--json')
    expect({ exitCode, out }).toEqual({ exitCode: code, out: '' })
    expect(error).toContain(reason)
  })
})
