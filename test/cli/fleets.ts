import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { weekdays } from '../../src/domain/openingHours.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

/** A fleet file in which every field has a value other than its default. */
const fileError = (slug: string) => ({
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
    customerRetentionMonths: 1,
    openingHours: [{ days: weekdays, opens: '00:00', closes: '24:00' }],
    specialDays: [{ from: '2038-12-25', to: '2038-12-26', name: 'Christmas' }],
    address: 'Brygga 1\n5003 Bergen',
    facts: ['Free cancellation', '=1+1'],
    translations: {
      de: { address: 'Brygga 1\nBergen, Norwegen', facts: ['Kostenlos stornierbar'] },
      nb: { facts: ['Gratis avbestilling', 'Fra 21 år'] },
    },
    language: 'en-GB',
  },
  assetGroups: [
    {
      ref: 'economy',
      name: 'Economy',
      category: 'car',
      description: 'Small.\n\tRed or \u2066not.',
      translations: {
        'de-CH': { name: 'Kleinwagen', category: 'Autos', description: 'Klein.\nRot.' },
        nb: { description: 'Liten.' },
      },
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
          translations: { nb: { name: 'Sommer' } },
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
    {
      ref: 'seat',
      name: 'Seat',
      category: 'Equipment',
      description: 'For children.\nIn red.',
      translations: { nb: { name: 'Sete', category: 'Utstyr', description: 'For barn.\nRødt.' } },
      pricing: 'per_day',
      currency: 'EUR',
      price: '5',
      maxPrice: '30',
    },
  ],
})

export const twoDays = ['--from', '2030-03-01 08:00', '--to', '2030-03-02', '--reason', 'axle']

export const unchanged = { created: 0, updated: 0, archived: 0 }

/** Provides the command line, and a new tenant slug for each test. */
export function useFleets() {
  const operator = useCommandLine()
  let slug: string
  let slugs = 0
  beforeEach(() => {
    slug = `office-${slugs++}`
  })
  const load = (file: unknown, ...args: string[]) =>
    commandLineOn(operator.url)(['fleet', 'import', '-', '--json', ...args], {
      stdin: JSON.stringify(file),
    })
  return {
    operator,
    get slug() {
      return slug
    },
    whole: () => fileError(slug),
    load,
    async loaded(file: unknown, ...args: string[]) {
      const { exitCode, out, error } = await load(file, ...args)
      expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
      return JSON.parse(out)
    },
    exported: () => operator.json('fleet', 'export', '--tenant', slug),
    async blocksOf(ref: string) {
      const { assetGroups } = await operator.json('fleet', 'show', '--tenant', slug)
      type Asset = { ref: string; blocks: { from: string; reason: string; blockedBy: string }[] }
      const assets: Asset[] = assetGroups.flatMap((group: { assets: Asset[] }) => group.assets)
      return assets.find((asset) => asset.ref === ref)?.blocks
    },
    /** Blocks the second vehicle of its group; `unblock` unblocks it. */
    block: (...args: string[]) => operator.json('fleet', 'block', `${slug} 2`, ...args),
    unblock: (...args: string[]) => operator.json('fleet', 'unblock', `${slug} 2`, ...args),
  }
}

/** Provides a directory for each test, and a workbook in it. */
export function useWorkbook(fleets: ReturnType<typeof useFleets>) {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleet-'))
  })
  afterEach(() => rm(directory, { recursive: true }))
  const pathOf = (name: string) => join(directory, name)
  const file = () => pathOf('fleet.xlsx')
  const run = (command: string, ...args: string[]) =>
    fleets.operator.run('fleet', command, ...args, '--tenant', fleets.slug)
  return {
    pathOf,
    file,
    importFile: (...more: string[]) => run('import', file(), ...more),
    exportWorkbook: () => run('export', '--format', 'xlsx', '--output', file()),
  }
}
