import { describe, expect, it } from 'vitest'
import { openRental } from '../helpers/rental.ts'
import { twoDays, useFleets } from './fleets.ts'

const fleets = useFleets()
const { operator, whole, loaded, blocksOf, block, unblock } = fleets

describe('rental fleet block', () => {
  it('blocks a vehicle for a period in the time zone of the tenant', async () => {
    await loaded(whole())
    const { rows } = await operator.database.pool.query('select id from tenants where slug = $1', [
      fleets.slug,
    ])
    const blocked = {
      id: expect.any(String),
      tenantId: rows[0].id,
      tenant: fleets.slug,
      timezone: 'Europe/Oslo',
      assetGroup: 'economy',
      asset: `${fleets.slug} 2`,
      from: '2030-03-01T07:00:00.000Z',
      to: '2030-03-02T23:00:00.000Z',
      reason: 'axle',
      blockedBy: 'Kari',
    }
    const left = { inService: 1, confirmed: 0, short: [] }
    expect(await block(...twoDays, '--as', 'Kari')).toEqual({ ...blocked, ...left })
    const other = ['fleet', 'block', `${fleets.slug} 1`, '--from', '2030-03-02 12:00'] as const
    await operator.json(...other, '--to', '2030-03-02')
    // A block within an existing one returns the existing one.
    const within = ['--from', '2030-03-01 09:00', '--to', '2030-03-01 10:00', '--reason', 'axle']
    expect(await block(...within)).toMatchObject({ to: '2030-03-02T23:00:00.000Z', inService: 0 })
    const { out } = await operator.run('fleet', 'block', `${fleets.slug} 2`, ...within)
    expect(out).toContain(`Already blocked: ${fleets.slug} 2`)
  })

  it('finds a vehicle by its ref in any case and spacing', async () => {
    await loaded(whole())
    const { tenant, assetGroups } = whole()
    const [, vans] = assetGroups
    await loaded({ tenant: { ...tenant, slug: `${fleets.slug}-vans` }, assetGroups: [vans] })
    const typed = ` ${fleets.slug.toUpperCase()} \u20132 `
    const to = ['--to', '2030-01-01']
    expect(await operator.json('fleet', 'block', typed, ...to)).toMatchObject({
      asset: `${fleets.slug} 2`,
    })
    expect(await operator.run('fleet', 'block', 'van', ...to)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining(
        'Several tenants have a vehicle "van". Choose one:\n  --tenant ',
      ),
    })
  })

  it('adds a block that is longer or has another reason', async () => {
    await loaded(whole())
    await block(...twoDays)
    await block('--from', '2030-03-01 08:00', '--to', '2030-03-20', '--reason', 'axle')
    await block('--from', '2030-02-20', '--to', '2030-03-02', '--reason', 'axle')
    await block(...twoDays.slice(0, 4), '--reason', 'paint')
    const blocks = await blocksOf(`${fleets.slug} 2`)
    for (const added of [
      { to: '2030-03-20T23:00:00.000Z' },
      { from: '2030-02-19T23:00:00.000Z' },
      { reason: 'paint' },
    ]) {
      expect(blocks).toContainEqual(expect.objectContaining(added))
    }
  })

  it('requires --from to unblock a vehicle with several blocks, and removes that block', async () => {
    await loaded(whole())
    await block('--from', '2030-02-01', '--to', '2030-04-01', '--reason', 'paint')
    await block(...twoDays)
    await block('--from', '2031-01-01', '--to', '2031-01-02')
    const { exitCode, error } = await operator.run('fleet', 'unblock', `${fleets.slug} 2`)
    expect([exitCode, error]).toEqual([
      1,
      `"${fleets.slug} 2" is blocked at these times. Choose one with --from:\n` +
        '  2030-02-01 00:00 to 2030-04-02 00:00  paint\n' +
        '  2030-03-01 08:00 to 2030-03-03 00:00  axle\n  2031-01-01 00:00 to 2031-01-03 00:00\n',
    ])
    for (const from of ['2031-01-01', '2030-02-01']) {
      expect((await operator.run('fleet', 'unblock', `${fleets.slug} 2`)).exitCode).toBe(1)
      await unblock('--from', from)
    }
    expect(await blocksOf(`${fleets.slug} 2`)).toMatchObject([{ reason: 'axle' }])
  })

  it('removes a block of the fleet file with a warning that the next import restores the block', async () => {
    await loaded(whole())
    const { out } = await operator.run('fleet', 'unblock', `${fleets.slug} 1`)
    expect(out).toContain('otherwise the next import restores it')
    await loaded(whole())
    expect(await blocksOf(`${fleets.slug} 1`)).toHaveLength(2)
  })

  it('reports confirmed bookings without a vehicle, ignoring pending bookings', async () => {
    const rental = await openRental(operator.database, {
      ...whole(),
      tenant: { ...whole().tenant, slug: fleets.slug },
    })
    const ids = [1, 2].map(() => rental.book('2038-07-01T10:00:00Z', '2038-07-02T10:00:00Z'))
    for (const id of ids) await operator.json('bookings', 'confirm', await id)
    // A pending booking, which must not count.
    await rental.book('2038-07-01T10:00:00Z', '2038-07-02T10:00:00Z')
    const time = ['--from', '2038-07-01', '--to', '2038-07-01']
    const { out } = await operator.run('fleet', 'block', `${fleets.slug} 2`, ...time)
    const [summary, named = ''] = out.split('or cancel them:\n')
    expect(summary).toContain(
      `Blocked ${fleets.slug} 2 (${fleets.slug}, economy) from Thu 1 Jul 2038 00:00 to Fri 2 Jul 2038 00:00.\n`,
    )
    expect(summary).toContain('1 vehicle in service and at most 2 confirmed bookings.\nNot enough')
    const [title, ...rows] = named.trimEnd().split('\n')
    expect(title).toMatch(/^ID +PICKUP +DROP-OFF +CUSTOMER +PHONE$/)
    const times = 'Thu 1 Jul 2038 12:00  Fri 2 Jul 2038 12:00'
    const short = (await Promise.all(ids)).toSorted()
    expect(rows).toEqual(short.map((id) => `${id.slice(0, 8)}  ${times}  Kari Nordmann`))
    // Blocks before the bookings, after their turnaround and of another group.
    for (const [ref, from, to] of [
      [`${fleets.slug} 1`, '2038-06-01', '2038-06-02'],
      [`${fleets.slug} 1`, '2038-07-02 13:00', '2038-07-03'],
      ['VAN', '2038-07-01', '2038-07-02'],
    ] as const) {
      const where = ['--tenant', fleets.slug, '--from', from, '--to', to]
      expect(await operator.json('fleet', 'block', ref, ...where)).toMatchObject({ short: [] })
    }
  })

  it.each([
    [
      'reports a booking that loses its last vehicle to a second block at another time',
      0,
      '2038-04-01',
      '2038-04-02',
      '2038-03-30T10:00Z',
      '2038-04-03T10:00Z',
      '2038-03-01',
      '2038-03-30',
      true,
    ],
    [
      'reports no booking that begins after the block but within its turnaround',
      60,
      '2038-03-20',
      '2038-03-20',
      '2038-03-20T15:30Z',
      '2038-03-20T20:00Z',
      '2038-03-10',
      '2038-03-20 16:00',
      false,
    ],
    [
      'reports a booking that ends before the block but whose turnaround overlaps the block',
      60,
      '2038-03-20',
      '2038-03-20',
      '2038-03-20T09:00Z',
      '2038-03-20T15:30Z',
      '2038-03-20 17:00',
      '2038-03-21',
      true,
    ],
    [
      'reports no booking that can use the other vehicle, blocked at another time',
      0,
      '2038-03-30',
      '2038-03-31',
      '2038-03-05T10:00Z',
      '2038-03-07T10:00Z',
      '2038-03-01',
      '2038-03-31',
      false,
    ],
  ] as const)(
    '%s, as does bookings list',
    async (_, turnaroundMinutes, otherFrom, otherTo, pickup, dropoff, from, to, isShort) => {
      const { tenant, assetGroups, ...file } = whole()
      const groups = assetGroups.map((group) => ({
        ...group,
        turnaroundMinutes,
        rates: group.rates?.map((rate) => ({ ...rate, validFrom: null, validTo: null })),
      }))
      const rental = await openRental(operator.database, { ...file, tenant, assetGroups: groups })
      const id = await rental.book(pickup, dropoff)
      await operator.json('bookings', 'confirm', id)
      await block('--from', otherFrom, '--to', otherTo)
      const one = [`${fleets.slug} 1`, '--from', from, '--to', to]
      const blocked = await operator.json('fleet', 'block', ...one)
      expect(blocked).toMatchObject({ short: isShort ? [id] : [] })
      const { out } = await operator.run('fleet', 'block', ...one)
      expect(out).toContain(` and at most ${blocked.confirmed} confirmed booking`)
      expect(out.includes('Not enough for the confirmed bookings below')).toBe(isShort)
      const listed = await operator.json('bookings', 'list', '--tenant', fleets.slug)
      expect(listed).toMatchObject([{ id, short: isShort }])
    },
  )

  it.each([
    [
      'an unknown vehicle',
      ['nothing', '--to', '2031-01-01'],
      1,
      'There is no vehicle "nothing" in service. List them with `rental fleet show`.',
    ],
    [
      'a period in the past',
      ['VAN', '--from', '2001-01-01', '--to', '2001-02-01'],
      1,
      'is over: --to must be in the future.',
    ],
    [
      'an end before its start',
      ['VAN', '--from', '2031-01-02', '--to', '2031-01-01'],
      2,
      '--to must be later than --from.',
    ],
    ['a year after 2100', ['VAN', '--to', '2101-01-01'], 2, '--to must lie in the years 2000'],
    [
      'a year before 2000',
      ['VAN', '--from', '1999-01-01', '--to', '2031-01-01'],
      2,
      '--from and --to must',
    ],
    ['a date that does not exist', ['VAN', '--to', '2031-02-30'], 2, 'Use a time such as'],
    ['an invalid minute', ['VAN', '--to', '2031-01-01 08:75'], 2, 'Use a time such as'],
    ['an invalid hour', ['VAN', '--to', '2031-01-01 24:00'], 2, 'Use a time such as'],
    [
      'a blank reason',
      ['VAN', '--to', '2031-01-01', '--reason', ' '],
      2,
      'must have at least one visible character',
    ],
    [
      'a reason of 101 characters',
      ['VAN', '--to', '2031-01-01', '--reason', 'x'.repeat(101)],
      2,
      'It must have at most 100',
    ],
  ])('rejects a block with %s', async (_, args, exitCode, reason) => {
    const { assetGroups, ...file } = whole()
    await loaded({ ...file, assetGroups: assetGroups.map((group) => ({ ...group })) })
    const where = args[0] === 'VAN' ? ['--tenant', fleets.slug] : []
    const rejected = await operator.run('fleet', 'block', ...args, ...where)
    expect(rejected).toMatchObject({ exitCode, out: '', error: expect.stringContaining(reason) })
  })
})
