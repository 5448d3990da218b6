import { beforeEach, describe, expect, it } from 'vitest'
import { fleetFile } from '../../src/fleet/fleetFile.ts'
import { openRental } from '../helpers/rental.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
let slug: string
let slugs = 0
beforeEach(() => {
  slug = `office-${slugs++}`
})

/** Something in every field, none of them what it is when it is left out. */
const whole = () => ({
  tenant: {
    slug,
    name: 'Fjord "Cars"',
    timezone: 'Europe/Oslo',
    currency: 'NOK',
    taxPercent: '12.5',
    pricesIncludeTax: true,
    gracePeriodMinutes: 5,
    minLeadMinutes: null,
    seasons: 'pickup',
    pendingHoldHours: 48,
    sandbox: true,
  },
  assetGroups: [
    {
      ref: 'economy',
      name: 'Economy',
      category: 'car',
      description: 'Small.\n\tRed or \u2066not.',
      imageUrl: 'https://example.com/a.jpg',
      currency: 'JPY',
      turnaroundMinutes: 60,
      assets: [
        {
          ref: `${slug} 1`,
          blocks: [
            { from: '2030-01-10T08:00:00.000Z', to: '2030-01-12T08:00:00.000Z', reason: 'service' },
            { from: '2020-01-10T08:00:00.000Z', to: '2020-01-12T08:00:00.000Z' },
          ],
        },
        { ref: `${slug} 2` },
      ],
      rates: [
        {
          ref: 'summer',
          name: 'Summer',
          currency: 'JPY',
          dailyRate: '699',
          hourlyRate: '99',
          weeklyRate: '4000',
          monthlyRate: '15000',
          validFrom: '2038-06-01',
          validTo: '2038-08-31',
        },
      ],
    },
    { ref: 'van', name: 'Van', category: 'van', assets: [{ ref: 'VAN' }] },
  ],
  extras: [
    { ref: 'seat', name: 'Seat', pricing: 'per_day', currency: 'EUR', price: '5', maxPrice: '30' },
  ],
})

const load = (file: unknown, ...args: string[]) =>
  commandLineOn(operator.url)(['fleet', 'import', '-', '--json', ...args], {
    stdin: JSON.stringify(file),
  })
const loaded = async (file: unknown, ...args: string[]) => {
  const { exitCode, out, error } = await load(file, ...args)
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
  return JSON.parse(out)
}
const exported = () => operator.json('fleet', 'export', '--tenant', slug)
const counts = { created: 0, updated: 0, archived: 0 }
const blocksOf = async (ref: string) => {
  const { assetGroups } = await operator.json('fleet', 'show', '--tenant', slug)
  type Asset = { ref: string; blocks: { from: string; reason: string; blockedBy: string }[] }
  const assets: Asset[] = assetGroups.flatMap((group: { assets: Asset[] }) => group.assets)
  return assets.find((asset) => asset.ref === ref)?.blocks
}

describe('an exported fleet file', () => {
  it('imports to no change, with every field that a fleet file knows', async () => {
    await loaded(whole())
    const { out } = await operator.run('fleet', 'export', '--tenant', slug)
    const file = JSON.parse(out)
    expect(await loaded(file)).toMatchObject(counts)
    const copyOf = (text: string) =>
      JSON.parse(text, (name, value) =>
        name === 'id' ? undefined : name === 'slug' ? `${slug}-copy` : value,
      )
    await loaded(copyOf(out))
    const copied = await operator.run('fleet', 'export', '--tenant', `${slug}-copy`)
    expect(copyOf(copied.out)).toEqual(copyOf(out))
    const { tenant, assetGroups, extras } = fleetFile.shape
    const { assets, rates } = assetGroups.unwrap().element.shape
    const [group] = file.assetGroups
    const fieldsOf = (value: object) => Object.keys(value).sort()
    expect(fieldsOf(file.tenant)).toEqual(fieldsOf(tenant.shape))
    expect(fieldsOf(group)).toEqual(fieldsOf(assetGroups.unwrap().element.shape))
    expect(fieldsOf(group.assets[0])).toEqual(fieldsOf(assets.unwrap().element.shape))
    const { currency: _, ...rate } = rates.unwrap().element.shape
    expect(fieldsOf(group.rates[0])).toEqual(fieldsOf(rate))
    expect(fieldsOf(file.extras[0])).toEqual(fieldsOf(extras.unwrap().element.shape))
  })

  it('leaves out what was archived', async () => {
    await loaded(whole())
    const { assetGroups, ...file } = whole()
    await loaded({ ...file, assetGroups: assetGroups.slice(0, 1), extras: [] })
    expect(await exported()).toMatchObject({ assetGroups: [{ ref: 'economy' }], extras: [] })
  })
})

describe('a dry run', () => {
  it('lists what is created, changed from what to what, restored and archived', async () => {
    const before = whole()
    const [economy, van] = before.assetGroups
    await loaded(before)
    await loaded({ ...before, extras: [] })
    const after = {
      ...before,
      tenant: { ...before.tenant, seasons: 'per_day' },
      assetGroups: [
        {
          ...economy,
          assets: [{ ref: 'NEW' }],
          rates: economy?.rates?.map((rate) => ({ ...rate, dailyRate: '700' })),
        },
      ],
    }
    const { changes, ...rest } = await loaded(after, '--dry-run')
    expect(rest).toEqual({
      slug,
      dryRun: true,
      created: 1,
      updated: 3,
      archived: 6,
      needsYes: true,
    })
    const whole_ = { field: null, from: null, to: null }
    expect(changes).toEqual([
      {
        change: 'changed',
        kind: 'tenant',
        name: 'Fjord "Cars"',
        field: 'seasons',
        from: 'pickup',
        to: 'per_day',
      },
      { change: 'archived', kind: 'group', name: van?.ref, ...whole_ },
      { change: 'created', kind: 'vehicle', name: 'economy / NEW', ...whole_ },
      { change: 'archived', kind: 'vehicle', name: `economy / ${slug} 1`, ...whole_ },
      { change: 'archived', kind: 'vehicle', name: `economy / ${slug} 2`, ...whole_ },
      { change: 'archived', kind: 'vehicle', name: 'van / VAN', ...whole_ },
      expect.objectContaining({ change: 'archived', kind: 'block' }),
      expect.objectContaining({ change: 'archived', kind: 'block' }),
      {
        change: 'changed',
        kind: 'rate',
        name: 'economy / summer',
        field: 'dailyRate',
        from: '699',
        to: '700',
      },
      { change: 'restored', kind: 'extra', name: 'seat', ...whole_ },
    ])
    // Nothing of it was done.
    expect(await loaded({ ...before, extras: [] }, '--dry-run')).toMatchObject({ changes: [] })
  })
})

describe('a vehicle that staff block', () => {
  const block = (...args: string[]) => operator.json('fleet', 'block', `${slug} 2`, ...args)
  const unblock = (...args: string[]) => operator.json('fleet', 'unblock', `${slug} 2`, ...args)
  const twoDays = ['--from', '2030-03-01 08:00', '--to', '2030-03-02', '--reason', 'axle']

  it('is out of service from then to then on the tenant’s clock', async () => {
    await loaded(whole())
    expect(await block(...twoDays, '--as', 'Kari')).toMatchObject({
      tenant: slug,
      asset: `${slug} 2`,
      from: '2030-03-01T07:00:00.000Z',
      to: '2030-03-02T23:00:00.000Z',
      reason: 'axle',
      blockedBy: 'Kari',
      inService: 1,
      confirmed: 0,
    })
  })

  it('is in service again at the time of day that was given', async () => {
    await loaded(whole())
    expect(await block('--from', '2030-03-01', '--to', '2030-03-02 16:00')).toMatchObject({
      from: '2030-02-28T23:00:00.000Z',
      to: '2030-03-02T15:00:00.000Z',
    })
  })

  it('stays blocked, once, whatever files are imported meanwhile', async () => {
    await loaded(whole())
    await block(...twoDays)
    await block(...twoDays)
    expect(await loaded(whole())).toMatchObject(counts)
    expect(await loaded(await exported())).toMatchObject(counts)
    expect(await loaded(whole())).toMatchObject(counts)
    expect(await blocksOf(`${slug} 2`)).toHaveLength(1)
  })

  it('stays blocked when a block that covers it leaves the file, be it the same', async () => {
    const withBlocks = (...blocks: object[]) => {
      const [economy, ...others] = whole().assetGroups
      const assets = [{ ref: `${slug} 1` }, { ref: `${slug} 2`, blocks }]
      return { ...whole(), assetGroups: [{ ...economy, assets }, ...others] }
    }
    const reason = 'axle'
    const longer = { from: '2030-02-01T08:00:00Z', to: '2030-04-01T08:00:00Z', reason }
    const same = { from: '2030-03-01T07:00:00Z', to: '2030-03-02T23:00:00Z', reason }
    for (const ofFile of [longer, same]) {
      await loaded(withBlocks(ofFile))
      await block(...twoDays)
      expect(await loaded(await exported())).toMatchObject(counts)
      await loaded(withBlocks())
      expect(await blocksOf(`${slug} 2`)).toMatchObject([{ reason }])
      await unblock()
    }
  })

  it('is in service again once it is unblocked, and no former file blocks it', async () => {
    await loaded(whole())
    await block(...twoDays)
    expect(await operator.json('fleet', 'unblock', `${slug} 2`)).toMatchObject({ reason: 'axle' })
    expect(await loaded(whole())).toMatchObject(counts)
    expect(await blocksOf(`${slug} 2`)).toEqual([])
  })

  it('may be blocked several times: unblocking asks which, and takes that one', async () => {
    await loaded(whole())
    await block('--from', '2030-02-01', '--to', '2030-04-01', '--reason', 'paint')
    await block(...twoDays)
    await block('--from', '2031-01-01', '--to', '2031-01-02')
    const { exitCode, error } = await operator.run('fleet', 'unblock', `${slug} 2`)
    expect([exitCode, error]).toEqual([
      1,
      `"${slug} 2" is blocked at these times. Say which with --from:\n` +
        '  2030-02-01 00:00 to 2030-04-02 00:00  paint\n' +
        '  2030-03-01 08:00 to 2030-03-03 00:00  axle\n  2031-01-01 00:00 to 2031-01-03 00:00\n',
    ])
    for (const from of ['2031-01-01', '2030-02-01']) await unblock('--from', from)
    expect(await blocksOf(`${slug} 2`)).toMatchObject([{ reason: 'axle' }])
  })

  it('is unblocked by the begin that staff were shown: of two that begin then, the first to end', async () => {
    await loaded(whole())
    const { from } = await block('--to', '2029-01-01')
    await block(...twoDays)
    await block('--from', '2030-03-01 08:00', '--to', '2030-03-09')
    const { error } = await operator.run('fleet', 'unblock', `${slug} 2`)
    for (const wanted of [{ from }, { reason: 'axle' }, { reason: null }]) {
      const shown = error.match(/^ {2}(.*) to /m)?.[1] ?? ''
      expect(await unblock('--from', wanted.from ? shown : '2030-03-01 08:00')).toMatchObject(
        wanted,
      )
    }
  })

  it('by the file is unblocked with a warning: the next import brings the block back', async () => {
    await loaded(whole())
    const { out } = await operator.run('fleet', 'unblock', `${slug} 1`)
    expect(out).toContain('the next brings it back')
    await loaded(whole())
    expect(await blocksOf(`${slug} 1`)).toHaveLength(2)
  })

  it('is told apart by tenant and group from others of its name, unless those were sold', async () => {
    await loaded(whole())
    const van = (group: string) => ({
      ref: group,
      name: group,
      category: 'van',
      assets: [{ ref: 'TWIN' }],
    })
    await loaded({ ...whole(), assetGroups: [van('a'), van('b')] }, '--yes')
    const { exitCode, error } = await operator.run('fleet', 'block', 'TWIN', '--to', '2031-01-01')
    expect([exitCode, error]).toEqual([
      1,
      'There are several vehicles "TWIN". Say which one you mean:\n' +
        `  --tenant ${slug} --group a\n  --tenant ${slug} --group b\n`,
    ])
    const one = ['--tenant', slug, '--group', 'b']
    const blocked = await operator.json('fleet', 'block', 'TWIN', '--to', '2031-01-01', ...one)
    expect(blocked).toMatchObject({ assetGroup: 'b' })
    const sold = { ...van('b'), assets: [{ ref: 'OTHER' }] }
    await loaded({ ...whole(), assetGroups: [van('a'), sold] })
    const left = await operator.json('fleet', 'block', 'TWIN', '--to', '2031-01-01')
    expect(left).toMatchObject({ assetGroup: 'a' })
  })

  it('says when that leaves too few for what is confirmed, whatever is pending', async () => {
    const desk = await openRental(operator.database, {
      ...whole(),
      tenant: { ...whole().tenant, slug },
    })
    const ids = [1, 2].map(() => desk.book('2038-07-01T10:00:00Z', '2038-07-02T10:00:00Z'))
    for (const id of ids) await operator.json('bookings', 'confirm', await id)
    // Nobody was promised a vehicle with this one.
    await desk.book('2038-07-01T10:00:00Z', '2038-07-02T10:00:00Z')
    const time = ['--from', '2038-07-01', '--to', '2038-07-01']
    const { out } = await operator.run('fleet', 'block', `${slug} 2`, ...time)
    expect(out).toContain(
      '1 vehicle in service all that time, and up to 2 bookings confirmed at once.\nThat is too few',
    )
  })

  it.each([
    ['an unknown vehicle', ['nothing', '--to', '2031-01-01'], 1, 'There is no vehicle "nothing"'],
    ['a time that is over', ['VAN', '--from', '2001-01-01', '--to', '2001-02-01'], 1, 'is over'],
    ['no time', ['VAN', '--from', '2031-01-02', '--to', '2031-01-01'], 2, 'must be later'],
    ['no date', ['VAN', '--to', '2031-02-30'], 2, 'Use a time such as'],
    ['no reason', ['VAN', '--to', '2031-01-01', '--reason', ' '], 2, 'must have a character'],
    ['a long reason', ['VAN', '--to', '2031-01-01', '--reason', 'x'.repeat(101)], 2, 'at most 100'],
  ])('is refused: %s', async (_, args, exitCode, reason) => {
    const { assetGroups, ...file } = whole()
    await loaded({ ...file, assetGroups: assetGroups.map((group) => ({ ...group })) })
    const where = args[0] === 'VAN' ? ['--tenant', slug] : []
    const refused = await operator.run('fleet', 'block', ...args, ...where)
    expect(refused).toMatchObject({ exitCode, out: '', error: expect.stringContaining(reason) })
  })
})

describe('a fleet on a page', () => {
  it('has groups, vehicles, blocks to come, rates and extras', async () => {
    await loaded(whole())
    await operator.json('fleet', 'block', `${slug} 2`, '--to', '2030-01-01', '--as', 'Kari')
    const { out } = await operator.run('fleet', 'show', '--tenant', slug)
    expect(out).toContain(`Fjord "Cars" (${slug}): Europe/Oslo, NOK, 12.5 % tax included\n`)
    expect(out).toContain('economy: Economy (car), 2 vehicles, JPY, 60 min of turnaround\n')
    expect(out).toContain(`Vehicles: ${slug} 1, ${slug} 2\n`)
    expect(out).toMatch(/Thu 10 Jan 2030 09:00 +Sat 12 Jan 2030 09:00 +service +fleet file\n/)
    expect(out).toMatch(/Wed 2 Jan 2030 00:00 +Kari\n/)
    expect(out).not.toContain('2020')
    expect(out).toMatch(/summer +2038-06-01–2038-08-31 +99 +699 +4000 +15000\n/)
    expect(out).toMatch(/seat +Seat +5.00 EUR +day +30.00\n/)
  })
})

describe('a sandbox', () => {
  it('is one from its first file on, and no later file changes that: a dry run says so', async () => {
    await loaded(whole())
    const { sandbox: _, ...tenant } = whole().tenant
    for (const how of [[], ['--dry-run']]) {
      const { exitCode, error } = await load({ ...whole(), tenant }, ...how)
      expect([exitCode, error]).toEqual([1, expect.stringContaining('is a sandbox and stays so')])
    }
  })
})
