import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RentalConfig } from '../../clients/widget/rental-booking.d.ts'
import { readSiteConfig } from '../../src/services/readSiteConfig.ts'
import { importFile, smallFleet } from '../helpers/fleet.ts'
import { useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
let directory: string
let seatId: string | undefined

const load = (fleet: object) => importFile(operator.database, fleet)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'site-'))
  const { extras } = await load(smallFleet('south'))
  seatId = extras.find(({ ref }) => ref === 'child-seat')?.id
})
afterAll(() => rm(directory, { recursive: true }))

const configOf = (slug: string) => ['site', 'config', '--tenant', slug]
const config = configOf('south')

describe('rental site config', () => {
  it('prints the widget configuration with terms, extra ids and prices', async () => {
    const known: RentalConfig = await readSiteConfig(operator.database, 'south')
    const named = { id: seatId, name: 'Child seat', translations: {} }
    const seat = { ...named, pricing: 'per_day', currency: 'NOK' }
    expect(known).toMatchObject({
      name: 'Fjord Cars',
      timeZone: 'Europe/Oslo',
      currency: 'NOK',
      taxPercent: '25',
      pricesIncludeTax: false,
      gracePeriodMinutes: 29,
      seasons: 'per_day',
      minLeadMinutes: 0,
      language: 'en',
      extras: [{ ...seat, price: '50.00', maxPrice: '300.00' }],
    })
    expect(known).not.toHaveProperty('pendingHoldHours')
    const { out, error } = await operator.run(...config)
    expect([JSON.parse(out), error]).toEqual([known, ''])
    expect(await operator.json(...config)).toEqual(known)
  })

  it('has the texts for customers with their translations', async () => {
    const { tenant, ...fleet } = smallFleet('texts')
    const texts = {
      address: 'Brygga 1\n5003 Bergen',
      facts: ['Free cancellation'],
      translations: { de: { facts: ['Kostenlos stornierbar'] } },
    }
    const extra = {
      category: 'Equipment',
      description: 'For children.\nIn red.',
      translations: { de: { category: 'Ausstattung' } },
    }
    const extras = fleet.extras.map((each) => ({ ...each, ...extra }))
    await load({ ...fleet, extras, tenant: { ...tenant, ...texts } })
    const known: RentalConfig = await operator.json(...configOf('texts'))
    expect(known).toMatchObject({ ...texts, extras: [extra] })
  })

  it('replaces a file with the same configuration when --out is given', async () => {
    const file = join(directory, 'once.json')
    await writeFile(file, 'what was there before, and longer than what comes'.repeat(50))
    const { out } = await operator.run(...config, '--out', file)
    expect(out).toBe(`Wrote ${file}.\n`)
    expect(await readFile(file, 'utf8')).toBe((await operator.run(...config)).out)
  })

  it('rejects an unknown tenant and a file that cannot be written', async () => {
    expect(await operator.run('site', 'config', '--tenant', 'nobody')).toMatchObject({
      exitCode: 1,
      out: '',
      error: expect.stringContaining('There is no tenant "nobody"'),
    })
    const nowhere = join(directory, 'nowhere', 'site.json')
    expect(await operator.run(...config, '--out', nowhere)).toMatchObject({
      exitCode: 1,
      out: '',
      error: `Can't write ${nowhere}: there is no such file or directory.\n`,
    })
  })
})
