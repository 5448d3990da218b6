import { foldText } from '../../domain/foldText.ts'
import { groupBy } from '../../domain/groupBy.ts'
import { canonicalLanguage } from '../../domain/languages.ts'
import { currencyDecimals, isCurrency } from '../../domain/money.ts'
import { didYouMean } from '../../domain/nearestName.ts'
import { normalizeLine } from '../../input/fields.ts'
import { problemsOf } from '../../input/issues.ts'
import { type StoredFleet, toFileFormat } from '../columns.ts'
import { extraFields, type FleetField, rateFields } from '../fields.ts'
import { fleetFile } from '../fleetFile.ts'
import { type MatchRule, matchRows, matchRules } from '../matchRows.ts'
import type { LocatedFleet } from '../planChanges.ts'
import type { Stored } from '../planList.ts'
import { inLanguage, nestTranslations, type TranslatedEntry } from '../translatedTexts.ts'
import { hoursOfSheet } from './hoursOfSheet.ts'
import type { Row, Table, Tables } from './readWorkbook.ts'
import { type Entry, locatorOf, rowOf, SheetReader } from './sheetReader.ts'
import { type Column, fieldOfValue, settings } from './sheets.ts'

/** An entry of the fleet file, with the id of the stored one that it matches. */
interface FileEntry extends TranslatedEntry {
  readonly id?: string | undefined
  readonly ref: string
}

/**
 * Converts a workbook to a fleet file. A field without a sheet or a column keeps its stored value.
 * @throws FleetFileError that lists every problem with its cell
 */
export function fleetOfWorkbook(tables: Tables, slug: string, stored: StoredFleet): LocatedFleet {
  const reader = new SheetReader()
  const before = stored.tenant && toFileFormat.tenant(stored.tenant.content)
  const { state, ...terms } = companyOf(tables.Company, reader)
  const language = canonicalLanguage(String(terms['language'] ?? before?.language ?? ''))
  const former = before && inLanguage(before, before.language, language)
  const tenant: Readonly<Record<string, unknown>> = {
    slug,
    ...former,
    ...nestTranslations(terms, former?.translations),
    ...hoursOfSheet(tables.Hours, reader),
    [rowOf]: terms[rowOf],
  }

  /**
   * Returns the entries of a list: of the rows of a sheet, or the stored ones without it. A row has the
   * `ref`, the `id` and the missing fields of the stored entry that it matches.
   */
  function listOf<Content extends { readonly ref: string }>(
    given: readonly Entry[] | undefined,
    rows: readonly Stored<Content>[],
    rules: readonly MatchRule[],
    toEntry: (content: Content) => FileEntry,
    defaultName?: string,
  ): FileEntry[] {
    const kept = ({ id, content }: Stored<Content>) => {
      const entry = toEntry(content)
      const follows = before !== undefined && entry['currency'] === before.currency
      const own = { ...shortenAmounts(entry), id, ...(follows && { currency: undefined }) }
      return inLanguage(own, before?.language, language)
    }
    if (given === undefined) return rows.filter(({ archived }) => !archived).map(kept)
    const named = given.map((entry) => {
      const ref = entry['ref'] ?? undefined
      const name = entry['name'] ?? defaultName
      const identity = [entry['group'], name, entry['validFrom'], entry['validTo']]
      const key = foldText(identity.join('\u0000'))
      if (ref === undefined) reader.isRepeated(entry[rowOf], 'name', key)
      return { entry, content: { ...entry, ref, name } }
    })
    const matches = matchRows(named, rows, rules)
    const refs = rows.map(({ content }) => content.ref)
    const used = new Set(
      refs.concat(named.map(({ content }) => String(content.ref ?? ''))).map(foldText),
    )
    return named.map(({ entry, content: { ref: typed, name } }, index) => {
      const { group: _, assetGroupId: __, ...fields } = entry
      const match = matches[index]
      const former = match && kept(match)
      const ref = String(typed ?? former?.ref ?? newRef(String(name ?? ''), used))
      return {
        ...former,
        ...nestTranslations(fields, former?.translations),
        ...(defaultName !== undefined && { name }),
        ref: former && foldText(former.ref) === foldText(ref) ? former.ref : ref,
        [rowOf]: entry[rowOf],
      }
    })
  }

  const groups = listOf(
    reader.entries(tables.Groups),
    stored.groups,
    matchRules.groups,
    toFileFormat.groups,
  )
  const priced = [tenant, ...groups, ...stored.extras.map(({ content }) => content)]
  reader.hasDecimals = priced
    .map((each) => Object(each).currency)
    .concat(tables.Extras?.rows.map((row) => row.cell('currency')?.value))
    .map((currency) => String(currency ?? tenant['currency']))
    .some((currency) => !isCurrency(currency) || currencyDecimals(currency) > 0)
  const vehicles = entriesByGroup(tables.Vehicles, groups, reader)
  const rates = entriesByGroup(tables.Rates, groups, reader)
  const storedAssets = groupBy(stored.assets, ({ content }) => content.assetGroupId)
  const storedRates = groupBy(stored.rates, ({ content }) => content.assetGroupId)
  const groupsById = new Map(stored.groups.map((group) => [group.id, group.content]))
  const rateRules = matchRules.rates(
    ['validFrom', 'validTo'].filter((date) => tables.Rates?.columns[date] !== undefined),
  )
  const assetGroups = groups.map((group, index) => ({
    ...group,
    name: group['name'] ?? group.ref,
    category: group['category'] ?? 'car',
    assets:
      vehicles?.[index]?.map(({ ref, [rowOf]: row }) => ({ ref, [rowOf]: row })) ??
      storedAssets(group.id ?? '').flatMap(({ archived, content: { ref } }) =>
        archived ? [] : { ref },
      ),
    rates: listOf(
      rates?.[index],
      storedRates(group.id ?? ''),
      rateRules,
      (rate) => toFileFormat.rates(rate, groupsById.get(rate.assetGroupId)?.currency ?? ''),
      'Standard',
    ),
  }))
  const extras = listOf(
    reader.entries(tables.Extras),
    stored.extras,
    matchRules.extras,
    toFileFormat.extras,
  )
  const file = { tenant, assetGroups, extras }
  const locate = locatorOf(file)
  reader.assertValid(problemsOf(fleetFile, file), locate)
  const carried = typeof state === 'number' ? state : undefined
  return { file: fleetFile.parse(file), locate, isWorkbook: true, state: carried }
}

type Settings = Readonly<Record<string, unknown>> & { readonly [rowOf]: Pick<Row, 'address'> }

/** Returns the settings that the sheet `Company` has a value for. The value `none` is null. */
function companyOf(table: Table | undefined, reader: SheetReader): Settings {
  const [, ...valueColumns] = Object.keys(table?.columns ?? {})
  const fields: Record<string, unknown> = {}
  const cells = new Map<string, string>()
  for (const row of table?.rows ?? []) {
    const setting = normalizeLine(String(row.cell('setting')?.value ?? ''))
    const [field, column] =
      Object.entries(settings).find(([, { title }]) => foldText(title) === foldText(setting)) ?? []
    if (field === undefined || column === undefined) {
      const titles = Object.values(settings).map(({ title }) => title)
      const choice = didYouMean(setting, titles) || `: the settings are ${titles.join(', ')}`
      reader.add(row, 'setting', `"${setting}" is not a setting${choice}`)
    } else if (!reader.isRepeated(row, 'setting', field)) {
      for (const name of valueColumns) {
        const target = fieldOfValue(name, field)
        cells.set(target, row.address(name))
        if (name === 'value' || column.translatable) {
          const value = readSetting(row, name, column, reader)
          if (name !== 'value') fields[target] = value ?? null
          else if (value !== undefined) fields[target] = value
        } else if (row.cell(name) !== undefined) {
          reader.add(row, name, `${column.title} has no translations`)
        }
      }
    }
  }
  const address = (field: string) => {
    const [, list, index] = /^(.*)\.(\d+)$/.exec(field) ?? []
    const name = list ?? field
    const [, cell] = [...cells].find(([key]) => `${key}.`.startsWith(`${name}.`)) ?? []
    if (cell === undefined) return `Company, ${settings[name]?.title ?? name}`
    return index === undefined ? cell : `${cell}, line ${Number(index) + 1}`
  }
  return { ...fields, [rowOf]: { address } } as Settings
}

/** Returns the value of a setting; the word `none` is null, or the empty list. */
function readSetting(row: Row, name: string, column: Column, reader: SheetReader): unknown {
  const none = [null, []].find((empty) => column.field.safeParse(empty).success)
  const isNone = foldText(String(row.cell(name)?.value)) === 'none' && none !== undefined
  return isNone ? none : reader.read(row, name, column)
}

/** Returns the rows of each group, or undefined without the sheet. An unknown group is a problem. */
function entriesByGroup(
  table: Table | undefined,
  groups: readonly FileEntry[],
  reader: SheetReader,
): Entry[][] | undefined {
  const refs = groups.map(({ ref }) => ref)
  const indexOf = new Map(refs.map((ref, index) => [foldText(ref), index]))
  const entries = groups.map((): Entry[] => [])
  for (const entry of reader.entries(table) ?? []) {
    const typed = String(entry['group'] ?? '')
    const index = indexOf.get(foldText(typed)) ?? -1
    entries[index]?.push({ ...entry, assetGroupId: groups[index]?.id })
    if (index >= 0 || typed === '') continue
    reader.add(entry[rowOf], 'group', `"${typed}" is not a group${didYouMean(typed, refs)}`)
  }
  return table && entries
}

const amounts = Object.entries<FleetField>({ ...rateFields, ...extraFields }).flatMap(
  ([name, { kind }]) => (kind === 'amount' ? name : []),
)

/** Returns an entry with amounts that also fit a currency with fewer decimals, such as 499.00. */
function shortenAmounts<Kept extends object>(entry: Kept): Kept {
  const short = Object.entries(entry).map(([name, value]) =>
    amounts.includes(name) && typeof value === 'string'
      ? [name, value.replace(/(?<=\..*)0+$/, '').replace(/\.$/, '')]
      : [name, value],
  )
  return Object.fromEntries(short)
}

/** Returns a `ref` for a new entry: its name, with a number if the name is already used. */
function newRef(name: string, used: Set<string>): string {
  const base = foldText(name).replace(/\s+/g, '-')
  let ref = base
  for (let number = 2; used.has(ref); number += 1) ref = `${base}-${number}`
  used.add(ref)
  return ref
}
