import { describe, expect, it } from 'vitest'
import { fleetFile } from '../../src/fleet/fleetFile.ts'
import { fleetOf, importFile } from '../helpers/fleet.ts'
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

  it.each<[term: string, typed: string, value: unknown]>([
    ['name', 'North & Son', 'North & Son'],
    ['timezone', 'europe/helsinki', 'Europe/Helsinki'],
    ['taxPercent', '7.7', '7.7'],
    ['pricesIncludeTax', 'on', true],
    ['gracePeriodMinutes', '0', 0],
    ['minLeadMinutes', 'none', null],
    ['minLeadMinutes', '90', 90],
    ['seasons', 'pickup', 'pickup'],
    ['pendingHoldHours', '48', 48],
    ['pendingHoldHours', 'none', null],
    ['customerRetentionMonths', '36', 36],
    ['customerRetentionMonths', 'none', null],
    ['language', 'nb', 'nb'],
  ])('sets only %s when it is set to %s, as the fleet file does', async (term, typed, value) => {
    const flag = `--${term.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const { tenant, ...fleet } = fleetOf(1, 'terms')
    const before24 = { pendingHoldHours: 24, customerRetentionMonths: 24 }
    await importFile(commands.database, { tenant: { ...tenant, ...before24 }, ...fleet })
    const before = await json('tenants', 'show', 'terms')
    const { out } = await run('tenants', 'set', 'terms', flag, typed)
    expect(out).toContain(`Write there: ${JSON.stringify({ [term]: value }).slice(1, -1)}\n`)
    expect(await json('tenants', 'show', 'terms')).toEqual({ ...before, [term]: value })
    expect((await json('fleet', 'export', '--tenant', 'terms')).tenant).toMatchObject({
      [term]: value,
    })
    const again = await run('tenants', 'set', 'terms', flag, typed)
    const same = 'Nothing was changed: the tenant already has these settings.\n'
    expect(again).toMatchObject({ exitCode: 0, out: same })
  })

  it('has an option for each term of the fleet file but the lists and the texts for customers', async () => {
    const { out } = await run('tenants', 'set', '--help')
    const without = Object.keys(fleetFile.shape.tenant.shape).filter((term) => {
      const flag = term.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      return !out.includes(` --${flag} <`)
    })
    const ofFile = ['openingHours', 'specialDays', 'address', 'facts', 'translations']
    expect(without).toEqual(['slug', ...ofFile])
  })

  it('changes the currency, also of groups without rates, only while there are no prices in it', async () => {
    const { assetGroups, extras, tenant } = fleetOf(1, 'yen')
    await openRental(commands.database, { tenant, assetGroups, extras })
    const set = ['tenants', 'set', 'yen', '--currency', 'JPY']
    expect(await run(...set)).toMatchObject({
      exitCode: 1,
      error:
        'The currency of "yen" cannot be changed while there are prices in NOK: economy, child-seat. ' +
        'Import a fleet file with the new currency and prices instead.\n',
    })
    const unpriced = assetGroups.map(({ rates: _, ...group }) => group)
    await importFile(commands.database, { tenant, assetGroups: unpriced })
    expect(await json(...set)).toMatchObject({ currency: 'JPY' })
    const exported = await json('fleet', 'show', '--tenant', 'yen')
    expect(exported).toMatchObject({
      tenant: { currency: 'JPY' },
      assetGroups: [{ currency: 'JPY' }],
    })
  })

  it.each([
    ['de-DE', 1, '"words" has translations into de-DE. To make it'],
    ['nn', 1, '"words" has translations into nn. To make it'],
    ['deutsch', 2, 'It must be a BCP 47 language tag, such as de or pt-BR.'],
  ])('rejects the language %s of a tenant', async (language, exitCode, error) => {
    const { assetGroups, tenant, ...file } = fleetOf(1, 'words')
    const translations = { 'de-DE': { name: 'Kleinwagen' } }
    await importFile(commands.database, {
      ...file,
      tenant: { ...tenant, translations: { nn: { facts: ['Frå 21 år'] } } },
      assetGroups: assetGroups.map((group) => ({ ...group, translations })),
    })
    expect(await run('tenants', 'set', 'words', '--language', language)).toMatchObject({
      exitCode,
      error: expect.stringContaining(error),
    })
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
