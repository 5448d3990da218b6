import { expect, it } from 'vitest'
import { fleetOf } from '../helpers/fleet.ts'
import { openRental } from '../helpers/rental.ts'
import { useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run } = commands

it('requires --tenant only when there are several tenants, and then lists the tenants', async () => {
  expect((await run('bookings', 'list')).exitCode).toBe(0)
  await openRental(commands.database, fleetOf(1, 'second'))
  const { exitCode, error } = await run('bookings', 'list')
  expect([exitCode, error]).toEqual([
    2,
    'There are several tenants. Name one of them with --tenant:\n  north\n  second\n',
  ])
  expect((await run('keys', 'list', '--tenant', 'second')).exitCode).toBe(0)
})
