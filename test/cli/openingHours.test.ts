import { beforeEach, expect, it } from 'vitest'
import { fleetOf, importFile } from '../helpers/fleet.ts'
import { openRental } from '../helpers/rental.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
const slug = 'station'
const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const christmas = { from: '2038-12-25', to: '2038-12-26', name: 'Christmas' }
const withHours = (tenant: object) => {
  const fleet = fleetOf(2, slug)
  return { ...fleet, tenant: { ...fleet.tenant, ...tenant } }
}
const openingHours = [{ days: workdays, opens: '07:00', closes: '22:00' }]
const open = withHours({
  openingHours,
  specialDays: [christmas],
})
const shorter = withHours({
  openingHours: [
    { days: workdays, opens: '08:00', closes: '12:00' },
    { days: workdays, opens: '13:00', closes: '20:00' },
    { days: ['saturday'], opens: '09:00', closes: '24:00' },
  ],
})
const dryRun = async (file: object) => {
  const run = commandLineOn(operator.url)
  const stdin = JSON.stringify(file)
  return (await run(['fleet', 'import', '-', '--dry-run'], { stdin })).out
}

beforeEach(() => importFile(operator.database, open))

it('lists changed hours by day, readable by an owner', async () => {
  const changes = (await dryRun(shorter)).replaceAll(/ +/g, ' ')
  const times = '07:00–22:00 08:00–12:00 and 13:00–20:00'
  expect(changes).toContain(`changed tenant Fjord Cars opens Mon ${times}\n`)
  expect(changes).toContain('opens Sat closed 09:00–24:00\n')
  expect(changes).toContain('opens 2038-12-25–2038-12-26 closed (Christmas) null\n')
  expect(changes).not.toContain('opens Sun')
})

it('shows the hours of a tenant and of a fleet, and prints them for websites', async () => {
  const week = 'Mon–Fri 07:00–22:00, Sat–Sun closed'
  const special = '2038-12-25–2038-12-26 closed (Christmas)'
  expect((await operator.run('tenants', 'show', slug)).out).toMatch(
    new RegExp(`opening hours +${week}\nspecial days +${special.replaceAll(/[()]/g, '\\$&')}`),
  )
  expect((await operator.run('fleet', 'show', '--tenant', slug)).out).toContain(
    `Hours: ${week}. Special days: ${special}.\n`,
  )
  expect(await operator.json('site', 'config', '--tenant', slug)).toMatchObject({
    openingHours,
    specialDays: [{ ...christmas, opens: null, closes: null }],
  })
})

it('shows staff that a pickup or a drop-off is outside of the present hours', async () => {
  const rental = await openRental(operator.database, open)
  // Friday 07:00 and Monday 21:00 in Oslo.
  const bookingId = await rental.book('2038-12-17T06:00:00Z', '2038-12-20T20:00:00Z')
  const show = () => operator.json('bookings', 'show', bookingId)
  expect((await show()).closed).toEqual({ pickup: null, dropoff: null })
  await importFile(operator.database, shorter)
  const monday = 'Monday 20 December 2038 is open 08:00–12:00 and 13:00–20:00'
  expect((await show()).closed).toEqual({
    pickup: expect.stringContaining('Friday 17 December 2038 is open 08:00–12:00 and 13:00–20:00'),
    dropoff: `${monday}; opens Tuesday 21 December at 08:00`,
  })
  const { out } = await operator.run('bookings', 'show', bookingId)
  expect(out).toContain(`Closed: ${monday}`)
})
