import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type FleetPlan, noFleet, type StoredFleet } from '../../src/fleet/columns.ts'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { type LocatedFleet, planChanges } from '../../src/fleet/planChanges.ts'
import { fleetOfWorkbook } from '../../src/fleet/workbook/fleetOfWorkbook.ts'
import { readWorkbook, type Tables } from '../../src/fleet/workbook/readWorkbook.ts'
import { writeWorkbook } from '../../src/fleet/workbook/writeWorkbook.ts'
import { storedAfter } from './files.ts'

const changesOf = ({ tenant, ...lists }: FleetPlan) =>
  [tenant, ...Object.values(lists)].flatMap(({ create, update, archive }) => [
    ...create,
    ...update,
    ...archive,
  ])

const names = ['Small', 'small', 'Van', 'Große', 'Möwe 1']
const name = fc.constantFrom(...names)
const ref = fc.constantFrom('small', 'Small', 'van', 'möwe-1', 'x', 'standard')
const amount = fc.integer({ min: 1, max: 2_000 }).map(String)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const currency = fc.constantFrom('EUR', 'NOK', 'JPY')
const translations = fc.dictionary(
  fc.constantFrom('de', 'nb', 'fr'),
  fc.record({ name: fc.constantFrom('Klein', 'Bus') }),
  { maxKeys: 2 },
)
const facts = ['Free cancellation', 'Pay at the station', 'From 21 years']
const date = fc.constantFrom('2027-01-01', '2027-06-01', '2027-09-01')
const isOrdered = (rate: { validFrom: string | null; validTo: string | null }) =>
  !rate.validFrom || !rate.validTo || rate.validFrom <= rate.validTo
const rate = fc
  .record({
    ref,
    name,
    translations,
    dailyRate: amount,
    weeklyRate: maybe(amount),
    validFrom: maybe(date),
    validTo: maybe(date),
  })
  .filter(isOrdered)
const block = { from: '2038-01-01T00:00:00Z', to: '2038-01-02T00:00:00Z' }
const asset = fc.record({
  ref: fc.constantFrom('B MW 555', 'BM W 555', 'm-ab 1', 'M AB 1', 'MAB 1', '911', 'X'),
  blocks: fc.constantFrom([], [block]),
})
const distinct = <T extends { ref: string }>(entry: fc.Arbitrary<T>, maxLength: number) =>
  fc.uniqueArray(entry, { maxLength, selector: (one) => one.ref.toLowerCase() })
const group = fc.record({
  ref,
  name,
  category: fc.constantFrom('car', 'van'),
  translations,
  assets: distinct(asset, 3),
  rates: distinct(rate, 4),
})
const extra = fc.record({
  ref,
  name,
  translations,
  pricing: fc.constantFrom('per_day', 'per_rental'),
  price: amount,
})
const priced = <T extends object>(entry: fc.Arbitrary<T>) =>
  fc.tuple(entry, fc.option(currency, { nil: undefined })).map(([one, own]) => ({
    ...one,
    ...(own && { currency: own }),
  }))
const fleet = fc.record({
  tenant: fc.record({
    slug: fc.constant('t'),
    name,
    timezone: fc.constant('Europe/Oslo'),
    currency,
    taxPercent: fc.constant('25'),
    language: fc.constantFrom('en', 'de', 'nb'),
    address: maybe(fc.constantFrom('Brygga 1\n5003 Bergen', 'Brygga 2')),
    facts: fc.subarray(facts),
    translations: fc.dictionary(
      fc.constantFrom('de', 'nb', 'fr'),
      fc.record({ address: maybe(fc.constant('Brygga 3')), facts: fc.subarray(facts) }),
      { maxKeys: 2 },
    ),
  }),
  assetGroups: fc.uniqueArray(priced(group), {
    maxLength: 3,
    selector: (one) => one.ref.toLowerCase(),
  }),
  extras: fc.uniqueArray(priced(extra), { maxLength: 3, selector: (one) => one.ref.toLowerCase() }),
})

/** Removes some sheets, and some columns that may be missing. */
function without(tables: Tables, sheets: readonly string[], columns: readonly string[]): Tables {
  const kept = Object.entries(tables).filter(([sheet]) => !sheets.includes(sheet))
  return Object.fromEntries(
    kept.map(([sheet, table]) => {
      const found = Object.entries(table.columns).filter(
        ([field, column]) => column.required || !columns.includes(field),
      )
      return [sheet, { ...table, columns: Object.fromEntries(found) }]
    }),
  )
}

const fileKind = fc.record({
  isWorkbook: fc.boolean(),
  sheets: fc.subarray(['Company', 'Groups', 'Vehicles', 'Rates', 'Extras']),
  columns: fc.subarray([
    'name',
    'category',
    'currency',
    'validFrom',
    'validTo',
    'weeklyRate',
    'translations.de.name',
    'translations.de.value',
  ]),
})

/** Returns undefined if the file is rejected, which changes nothing. */
function unlessRejected<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof FleetFileError) return undefined
    throw error
  }
}

it('imports of 450 random fleets, whole or in part, over each other change nothing twice', async () => {
  let stored = noFleet
  let imported = 0
  await fc.assert(
    fc.asyncProperty(fleet, fileKind, async (content, { isWorkbook, sheets, columns }) => {
      const file = unlessRejected(() => parseFleetFile(JSON.stringify(content)))
      if (file === undefined) return
      const tables = isWorkbook
        ? (await readWorkbook(Buffer.from(await writeWorkbook(file)))).tables
        : undefined
      const read = (before: StoredFleet): LocatedFleet =>
        tables === undefined
          ? { file, locate: String }
          : fleetOfWorkbook(without(tables, sheets, columns), 't', before)
      const plan = unlessRejected(() => {
        const located = read(stored)
        return planChanges(stored, located.file, located)
      })
      if (plan === undefined || plan.assets.problems.length > 0) return
      imported += 1
      stored = storedAfter(stored, plan)
      const again = read(stored)
      expect(changesOf(planChanges(stored, again.file, again))).toEqual([])
    }),
    { numRuns: 450, endOnFailure: true },
  )
  expect(imported).toBeGreaterThan(100)
})
