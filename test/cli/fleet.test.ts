import { describe, expect, it } from 'vitest'
import { fleetFile } from '../../src/fleet/fleetFile.ts'
import { commandLineOn } from './commandLine.ts'
import { unchanged, useFleets } from './fleets.ts'

const fleets = useFleets()
const { operator, whole, loaded, exported } = fleets

describe('rental fleet export', () => {
  it('exports every field of a fleet file, and importing the file changes nothing', async () => {
    await loaded(whole())
    const { out } = await operator.run('fleet', 'export', '--tenant', fleets.slug)
    const file = JSON.parse(out)
    expect(await loaded(file)).toMatchObject(unchanged)
    const copyOf = (text: string) =>
      JSON.parse(text, (name, value) =>
        name === 'id' ? undefined : name === 'slug' ? `${fleets.slug}-copy` : value,
      )
    await loaded(copyOf(out))
    const copied = await operator.run('fleet', 'export', '--tenant', `${fleets.slug}-copy`)
    expect(copyOf(copied.out)).toEqual(copyOf(out))
    const { tenant, assetGroups, extras } = fleetFile.shape
    const { assets, rates } = assetGroups.unwrap().element.shape
    const [group] = file.assetGroups
    const fieldsOf = (value: object) => Object.keys(value).sort()
    expect(fieldsOf(file.tenant)).toEqual(fieldsOf(tenant.shape))
    expect(fieldsOf(group)).toEqual(fieldsOf(assetGroups.unwrap().element.shape))
    expect(fieldsOf(group.assets[0])).toEqual(fieldsOf(assets.unwrap().element.shape))
    expect(fieldsOf(group.rates[0])).toEqual(fieldsOf(rates.unwrap().element.shape))
    expect(fieldsOf(file.extras[0])).toEqual(fieldsOf(extras.unwrap().element.shape))
  })

  it('omits archived groups and extras', async () => {
    await loaded(whole())
    const { assetGroups, ...file } = whole()
    await loaded({ ...file, assetGroups: assetGroups.slice(0, 1), extras: [] }, '--yes')
    expect(await exported()).toMatchObject({ assetGroups: [{ ref: 'economy' }], extras: [] })
  })
})

describe('rental fleet import --dry-run', () => {
  it('lists created, changed, restored and archived records without changing them', async () => {
    const before = whole()
    const [economy, van] = before.assetGroups
    await loaded(before)
    await loaded({ ...before, extras: [] }, '--yes')
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
    const { changes, warnings: _, questions, ...rest } = await loaded(after, '--dry-run')
    expect(questions).toEqual([expect.stringContaining('3 of the 3 vehicles')])
    expect(rest).toEqual({
      slug: fleets.slug,
      dryRun: true,
      created: 1,
      updated: 3,
      archived: 6,
      needsYes: true,
      tenantCreated: false,
      stranded: [],
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
      { change: 'archived', kind: 'vehicle', name: `economy / ${fleets.slug} 1`, ...whole_ },
      { change: 'archived', kind: 'vehicle', name: `economy / ${fleets.slug} 2`, ...whole_ },
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
      {
        ...whole_,
        change: 'restored',
        kind: 'extra',
        name: 'seat',
        to: { price: '5.00', maxPrice: '30.00' },
      },
    ])
    expect(await loaded({ ...before, extras: [] }, '--dry-run')).toMatchObject({ changes: [] })
  })

  it('lists each translated text that changes', async () => {
    await loaded(whole())
    const { assetGroups, ...file } = whole()
    const [economy, van] = assetGroups
    const translations = {
      'de-ch': { name: 'Kleinwagen', category: 'Autos', description: 'Rot.' },
      fr: { name: 'Mini' },
    }
    const { nb: _, ...ofCompany } = file.tenant.translations
    const tenant = { ...file.tenant, facts: ['From 21 years'], translations: ofCompany }
    const after = { ...file, tenant, assetGroups: [{ ...economy, translations }, van] }
    const { changes } = await loaded(after, '--dry-run')
    const of = { change: 'changed', kind: 'group', name: 'economy' }
    const ofTenant = { change: 'changed', kind: 'tenant', name: 'Fjord "Cars"' }
    const facts = 'translations.nb.facts'
    expect(changes).toEqual([
      { ...ofTenant, field: 'facts', from: ['Free cancellation', '=1+1'], to: ['From 21 years'] },
      { ...ofTenant, field: facts, from: ['Gratis avbestilling', 'Fra 21 år'], to: null },
      { ...of, field: 'translations.de-CH.description', from: 'Klein.\nRot.', to: 'Rot.' },
      { ...of, field: 'translations.fr.name', from: null, to: 'Mini' },
      { ...of, field: 'translations.nb.description', from: 'Liten.', to: null },
    ])
    const argv = ['fleet', 'import', '-', '--dry-run']
    const { out } = await commandLineOn(operator.url)(argv, { stdin: JSON.stringify(after) })
    expect(out).toMatch(/ facts +Free cancellation, =1\+1 +From 21 years$/m)
    expect(out).toMatch(/ translations\.de-CH\.description +Klein\., Rot\. +Rot\.$/m)
  })

  it('lists every record of a new tenant without creating the tenant', async () => {
    const { changes, archived } = await loaded(whole(), '--dry-run')
    const kinds = changes.map(({ change, kind }: Record<string, string>) => `${change} ${kind}`)
    expect([new Set(kinds).size, archived]).toEqual([6, 0])
    expect(changes).toContainEqual(
      expect.objectContaining({ change: 'created', kind: 'tenant', name: 'Fjord "Cars"' }),
    )
    expect((await operator.run('tenants', 'show', fleets.slug)).error).toContain('There is no')
  })
})

describe('rental fleet show', () => {
  it('shows groups, vehicles, future blocks, rates and extras', async () => {
    const file = whole()
    const wash = { ref: 'wash', name: 'Wash', pricing: 'per_rental', price: '20' }
    const [economy, van] = file.assetGroups
    const always = [{ ref: 'always', name: 'Always', dailyRate: '900' }]
    const assetGroups = [
      { ...economy, turnaroundMinutes: 1 },
      { ...van, assets: [], rates: always },
    ]
    await loaded({ ...file, assetGroups, extras: [...file.extras, wash] })
    await operator.json('fleet', 'block', `${fleets.slug} 2`, '--to', '2030-01-01', '--as', 'Kari')
    const { out } = await operator.run('fleet', 'show', '--tenant', fleets.slug)
    expect(out).toContain(`Fjord "Cars" (${fleets.slug}): Europe/Oslo, NOK, 12.5 % tax included\n`)
    expect(out).toContain('economy: Economy (car), 2 vehicles, JPY, 1 min of turnaround\n')
    expect(out).toContain(`Vehicles: ${fleets.slug} 1, ${fleets.slug} 2\n`)
    expect(out).toMatch(/Thu 10 Jan 2030 09:00 +Sat 12 Jan 2030 09:00 +service +fleet file\n/)
    expect(out).toMatch(/Wed 2 Jan 2030 00:00 +Kari\n/)
    expect(out).not.toContain('2020')
    expect(out).toMatch(/summer +Summer +699 +99 +4000 +15000 +2038-06-01 +2038-08-31\n/)
    expect(out).toMatch(/\n\nvan: Van \(van\), 0 vehicles, NOK\nREF .*\nalways +Always +900\.00\n/)
    expect(out).toMatch(
      /seat +Seat +Equipment +5.00 +per_day +30.00 +EUR\nwash +Wash +20.00 +per_rental +NOK\n/,
    )
  })

  it('shows a season until its last day ends in the time zone of the tenant', async () => {
    const { assetGroups, ...rest } = whole()
    const rate = (ref: string, bound: object) => ({ ref, name: ref, dailyRate: '500', ...bound })
    const rates = [rate('on', { validFrom: '2039-01-01' }), rate('off', { validTo: '2038-12-31' })]
    const groups = assetGroups.map((group) => (group.rates ? group : { ...group, rates }))
    await loaded({ ...rest, assetGroups: groups })
    const shownAt = async (now: string) => {
      const argv = ['fleet', 'show', '--tenant', fleets.slug]
      return (await commandLineOn(operator.url)(argv, { now: new Date(now) })).out
    }
    expect(await shownAt('2038-08-31T23:59:00+02:00')).toContain('summer')
    const afterwards = await shownAt('2038-09-01T00:00:00+02:00')
    expect(afterwards).not.toContain('summer')
    expect(afterwards).toMatch(/^on +on +500\.00 +2039-01-01$/m)
    expect(afterwards).toMatch(/^off +off +500\.00 +2038-12-31$/m)
  })
})

describe('rental tenants show', () => {
  it('shows account and terms of a tenant by their titles', async () => {
    await loaded(whole())
    const { id } = await operator.json('tenants', 'show', fleets.slug)
    const pageOf = async () =>
      (await operator.run('tenants', 'show', fleets.slug)).out.replace(/ {2,}/g, '  ')
    expect(await pageOf()).toBe(
      `slug  ${fleets.slug}\nid  ${id}\nstatus  active\nsubscription  active\n` +
        'online booking  on\nname  Fjord "Cars"\ntime zone  Europe/Oslo\ncurrency  NOK\n' +
        'tax percent  12.5\nprices include tax  on\ngrace period minutes  5\n' +
        'minimum lead minutes  none\nseasons  pickup\npending hold hours  48\n' +
        'customer retention months  1\naddress  Brygga 1, 5003 Bergen\n' +
        'facts  Free cancellation, =1+1\nlanguage  en-GB\n' +
        'opening hours  Mon–Sun 00:00–24:00\n' +
        'special days  2038-12-25–2038-12-26 closed (Christmas)\n',
    )
    await loaded({ ...whole(), tenant: { ...whole().tenant, pricesIncludeTax: false } })
    const fleet = await operator.run('fleet', 'show', '--tenant', fleets.slug)
    expect(fleet.out).toContain(', NOK, 12.5 % tax on top\n')
    const { out } = await operator.run('tenants', 'list')
    expect(out).toMatch(
      new RegExp(`^${fleets.slug} +Fjord "Cars" +Europe/Oslo +NOK +active +active +on$`, 'm'),
    )
  })
})
