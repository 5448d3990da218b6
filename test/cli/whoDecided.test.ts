import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run, actorOf } = commands

const book = () => commands.rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')

describe('who decided', () => {
  const decideAs = async (environment: Record<string, string>, ...more: string[]) => {
    const id = await book()
    const argv = ['bookings', 'reject', id, ...more]
    const { exitCode, error } = await commandLineOn(commands.url, environment)(argv)
    return { exitCode, error, actor: await actorOf(id) }
  }

  it('is --as, or RENTAL_OPERATOR, or the account', async () => {
    const variable = { RENTAL_OPERATOR: ' Ola Nordmann ' }
    expect(await decideAs(variable, '--as', 'Kari')).toMatchObject({ actor: 'Kari' })
    expect(await decideAs(variable)).toMatchObject({ actor: 'Ola Nordmann' })
    expect(await decideAs({})).toMatchObject({ actor: userInfo().username })
  })

  it.each(['confirm', 'reject', 'cancel'])(
    'is on record with the reason to %s',
    async (decision) => {
      const id = await book()
      await run('bookings', decision, id, '--as', 'Kari', '--reason', 'why not')
      const { rows } = await commands.database.pool.query(
        'select actor, reason from booking_events where booking_id = $1',
        [id],
      )
      expect(rows).toEqual([{ actor: 'Kari', reason: 'why not' }])
      await run('bookings', 'cancel', id)
    },
  )

  it.each([
    [
      'in the image, which sets the variable to nothing',
      '',
      1,
      '--as NAME, or set RENTAL_OPERATOR',
    ],
    ['with a name that moves the cursor', 'Kari\x1b[2J', 2, 'The name in RENTAL_OPERATOR must be'],
  ])('must be known: nothing is decided %s', async (_, variable, code, reason) => {
    const { exitCode, error, actor } = await decideAs({ RENTAL_OPERATOR: variable })
    expect({ exitCode, actor }).toEqual({ exitCode: code, actor: undefined })
    expect(error).toContain(reason)
  })

  it.each(['', ' ', 'x'.repeat(101), 'Kari\x1b[2J'])(
    'is not the account when --as is %j: wrong usage, nothing is decided',
    async (as) => {
      const { exitCode, error, actor } = await decideAs({ RENTAL_OPERATOR: 'Ola' }, '--as', as)
      expect({ exitCode, actor }).toEqual({ exitCode: 2, actor: undefined })
      expect(error).toContain("option '--as <name>' argument")
    },
  )
})
