import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { actorOf } = commands

const book = () => commands.rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')

describe('actor of a status change', () => {
  const decideAs = async (environment: Record<string, string>, ...more: string[]) => {
    const id = await book()
    const argv = ['bookings', 'reject', id, ...more]
    const { exitCode, error } = await commandLineOn(commands.url, environment)(argv)
    return { exitCode, error, actor: await actorOf(id) }
  }

  it('records --as, else RENTAL_OPERATOR, else the operating system account', async () => {
    const variable = { RENTAL_OPERATOR: ' Ola Nordmann ' }
    expect(await decideAs(variable, '--as', 'Kari')).toMatchObject({ actor: 'Kari' })
    expect(await decideAs(variable)).toMatchObject({ actor: 'Ola Nordmann' })
    expect(await decideAs({})).toMatchObject({ actor: userInfo().username })
  })

  it.each([
    ['is empty, as in the container image', '', 1, '--as NAME, or set RENTAL_OPERATOR'],
    ['contains a control character', 'Kari\x1b[2J', 2, 'The name in RENTAL_OPERATOR must be'],
  ])('changes no booking when RENTAL_OPERATOR %s', async (_, variable, code, reason) => {
    const { exitCode, error, actor } = await decideAs({ RENTAL_OPERATOR: variable })
    expect({ exitCode, actor }).toEqual({ exitCode: code, actor: undefined })
    expect(error).toContain(reason)
  })

  it.each(['', ' ', 'x'.repeat(101), 'Kari\x1b[2J'])(
    'rejects --as %j as a usage error and changes no booking',
    async (as) => {
      const { exitCode, error, actor } = await decideAs({ RENTAL_OPERATOR: 'Ola' }, '--as', as)
      expect({ exitCode, actor }).toEqual({ exitCode: 2, actor: undefined })
      expect(error).toContain("option '--as <name>' argument")
    },
  )
})
