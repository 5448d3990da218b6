import { describe, expect, it } from 'vitest'
import { fleetOf } from '../helpers/fleet.ts'
import { openRental } from '../helpers/rental.ts'
import { useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run, json } = commands

describe('rental tenants', () => {
  it('sets the account of a tenant and lists tenants by slug', async () => {
    await openRental(commands.database, fleetOf(1, 'at-first'))
    const set = ['--status', 'suspended', '--subscription', 'past_due', '--online-booking', 'off']
    const account = { status: 'suspended', subscription: 'past_due', onlineBooking: false }
    const expected = { ...account, taxPercent: '25' }
    expect(await json('tenants', 'set', 'north', ...set)).toMatchObject(expected)
    const listed = await json('tenants', 'list')
    expect(listed).toContainEqual(expect.objectContaining({ slug: 'north', ...expected }))
    expect((await run('tenants', 'list')).out).toMatch(/^north .* suspended +past_due +off$/m)
    expect((await run('tenants', 'show', 'north')).out).toMatch(
      /^status +suspended\nsubscription +past_due\nonline booking +off$/m,
    )
    const slugs = listed.map(({ slug }: { slug: string }) => slug)
    expect(slugs).toEqual(slugs.toSorted())
    const back = ['--status=active', '--subscription=active', '--online-booking=on']
    const { out } = await run('tenants', 'set', 'north', ...back)
    expect(out).toMatch(/^status +active\nsubscription +active\nonline booking +on$/m)
    expect(out).not.toContain('fleet file')
  })

  it.each([
    ['--status', 'suspended'],
    ['--subscription', 'past_due'],
    ['--online-booking', 'off'],
  ])('changes only one field when %s is set to %s', async (option, value) => {
    const before = await json('tenants', 'set', 'north', '--status', 'active')
    const back = (await json('tenants', 'set', 'north', option, value)) as Record<string, unknown>
    const name = { '--online-booking': 'onlineBooking' }[option] ?? option.slice(2)
    const after = { [name]: value === 'off' ? false : value }
    expect(back).toEqual({ ...before, ...after })
    const on = { suspended: 'active', past_due: 'active', off: 'on' }[value] ?? ''
    expect(await json('tenants', 'set', 'north', option, on)).toEqual(before)
  })

  it('sets pendingHoldHours and seasons and shows the terms', async () => {
    const set = ['tenants', 'set', 'north']
    const terms = { pendingHoldHours: 48, seasons: 'pickup' }
    expect(await json(...set, '--pending-hold-hours', '48', '--seasons', 'pickup')).toMatchObject(
      terms,
    )
    const { out } = await run('tenants', 'show', 'north')
    expect(out).toMatch(/^seasons +pickup\npending hold +48 hours$/m)
    expect(await json('tenants', 'show', 'north')).toMatchObject(terms)
    const back = await run(...set, '--pending-hold-hours', 'none', '--seasons', 'per_day')
    expect(back.out).toContain('until staff decide')
    expect(back.out).toContain('Write there: "pendingHoldHours":null,"seasons":"per_day"')
  })

  it.each([
    ['tenants', 'show', 'nobody'],
    ['tenants', 'set', 'nobody', '--status', 'active'],
    ['fleet', 'export', '--tenant', 'nobody'],
    ['fleet', 'show', '--tenant', 'nobody'],
    ['keys', 'create', '--tenant', 'nobody', '--name', 'x', '--scopes', 'all'],
    ['keys', 'list', '--tenant', 'nobody'],
    ['bookings', 'list', '--tenant', 'nobody'],
    ['bookings', 'watch', '--tenant', 'nobody'],
    ['customers', 'erase', '--tenant', 'nobody', '--email', 'a@example.com'],
    ['site', 'config', '--tenant', 'nobody'],
  ])('reports an unknown tenant: %s %s', async (...argv) => {
    const error = 'There is no tenant "nobody". List them with `rental tenants list`.\n'
    expect(await run(...argv, '--json')).toMatchObject({ exitCode: 1, out: '', error })
  })
})
