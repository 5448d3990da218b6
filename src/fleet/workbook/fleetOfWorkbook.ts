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
import { FleetFileError } from '../fleetFileError.ts'
import { type MatchRule, matchRows, matchRules } from '../matchRows.ts'
import type { LocatedFleet } from '../planChanges.ts'
import type { Stored } from '../planList.ts'
import { inLanguage, nestTranslations, type TranslatedEntry } from '../translatedTexts.ts'
import { hoursOfSheet } from './hoursOfSheet.ts'
import type { Row, Table, Tables } from './readWorkbook.ts'
import { SheetProblems } from './sheetProblems.ts'
import { settings } from './sheets.ts'

type Fields = Readonly<Record<string, unknown>>

/** A row with its fields, translations in flat form. */
interface GivenRow {
  readonly row: Row
  readonly fields: Fields
}

/** An entry of the fleet file, or what is known of it. */
interface Entry extends TranslatedEntry {
  readonly id?: string | undefined
  readonly ref: string
}

/**
 * Converts a workbook to a fleet file. A field without a sheet or a column keeps its stored value.
 * @throws FleetFileError that lists every problem with its cell
 */
export function fleetOfWorkbook(tables: Tables, slug: string, stored: StoredFleet): LocatedFleet {
  const problems = new SheetProblems()
  const before = stored.tenant && toFileFormat.tenant(stored.tenant.content)
  const { fields, cells } = companyOf(tables.Company, problems)
  const { state, ...terms } = fields
  const hours = hoursOfSheet(tables.Hours, problems)
  const tenant = problems.place({ slug, ...before, ...terms, ...hours } as Fields, {
    address: (field) => cells.get(field) ?? `Company, ${settings[field]?.title ?? field}`,
  })
  const language = canonicalLanguage(String(tenant['language'] ?? ''))

  /** Returns a stored entry as it is when the file says nothing about it. */
  const keep = (entry: Entry, id: string): Entry => {
    const follows = before !== undefined && entry['currency'] === before.currency
    const own = { ...shortenAmounts(entry), id, ...(follows && { currency: undefined }) }
    return inLanguage(own, before?.language, language)
  }
  const listOf = <Content extends { readonly ref: string }>(
    given: readonly GivenRow[] | undefined,
    rows: readonly Stored<Content>[],
    rules: readonly MatchRule[],
    toEntry: (content: Content) => Entry,
    defaultName?: string,
  ): Entry[] => {
    const kept = (row: Stored<Content>) => keep(toEntry(row.content), row.id)
    if (given !== undefined) return mergeRows(given, rows, rules, kept, defaultName, problems)
    return rows.filter(({ archived }) => !archived).map(kept)
  }

  const groups = listOf(
    rowsOf(tables.Groups, problems),
    stored.groups,
    matchRules.groups,
    toFileFormat.groups,
  )
  const ownCurrencies = tables.Extras?.rows.map((row) => row.cell('currency')?.value) ?? []
  problems.hasDecimals = [tenant, ...groups, ...stored.extras.map(({ content }) => content)]
    .map((priced) => (priced as Fields)['currency'])
    .concat(ownCurrencies)
    .map((currency) => String(currency ?? tenant['currency']))
    .some((currency) => !isCurrency(currency) || currencyDecimals(currency) > 0)
  const vehicles = rowsByGroup(tables.Vehicles, groups, problems)
  const rates = rowsByGroup(tables.Rates, groups, problems)
  const storedAssets = groupBy(stored.assets, ({ content }) => content.assetGroupId)
  const storedRates = groupBy(stored.rates, ({ content }) => content.assetGroupId)
  const groupsById = new Map(stored.groups.map((group) => [group.id, group.content]))
  const rateRules = matchRules.rates(
    ['validFrom', 'validTo'].filter((date) => tables.Rates?.columns[date] !== undefined),
  )
  const assetGroups = groups.map((group, index) =>
    problems.placeAs(
      {
        ...group,
        name: group['name'] ?? group.ref,
        category: group['category'] ?? 'car',
        assets:
          vehicles?.[index]?.map(({ row, fields }) =>
            problems.place({ ref: fields['ref'] }, row),
          ) ??
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
      },
      group,
    ),
  )
  const extras = listOf(
    rowsOf(tables.Extras, problems),
    stored.extras,
    matchRules.extras,
    toFileFormat.extras,
  )
  const file = { tenant, assetGroups, extras }
  const locate = problems.locatorOf(file)
  const found = problems.all(problemsOf(fleetFile, file), locate)
  if (found.length > 0) throw new FleetFileError(found)
  return {
    file: fleetFile.parse(file),
    locate,
    hasBlocks: false,
    state: state as number | undefined,
  }
}

/** Returns the settings that the sheet `Company` has a value for, and their cells. The value `none` is null. */
function companyOf(table: Table | undefined, problems: SheetProblems) {
  const fields: Record<string, unknown> = {}
  const cells = new Map<string, string>()
  for (const row of table?.rows ?? []) {
    const setting = normalizeLine(String(row.cell('setting')?.value ?? ''))
    const [field, column] =
      Object.entries(settings).find(([, { title }]) => foldText(title) === foldText(setting)) ?? []
    if (field === undefined || column === undefined) {
      const titles = Object.values(settings).map(({ title }) => title)
      const choice = didYouMean(setting, titles) || `: the settings are ${titles.join(', ')}`
      problems.add(row, 'setting', `"${setting}" is not a setting${choice}`)
    } else if (!problems.isRepeated(row, 'setting', field)) {
      const typed = foldText(String(row.cell('value')?.value))
      const isNone = typed === 'none' && column.field.safeParse(null).success
      const value = isNone ? null : problems.read(row, 'value', column)
      cells.set(field, row.address('value'))
      if (value !== undefined) fields[field] = value
    }
  }
  return { fields, cells }
}

const rowsOf = (table: Table | undefined, problems: SheetProblems): GivenRow[] | undefined =>
  table?.rows.map((row) => ({ row, fields: problems.readFields(table, row) }))

/**
 * Returns the rows of each group, or undefined without the sheet. A group that does not exist is a
 * problem.
 */
function rowsByGroup(
  table: Table | undefined,
  groups: readonly Entry[],
  problems: SheetProblems,
): GivenRow[][] | undefined {
  const rows = groups.map((): GivenRow[] => [])
  const indexOf = new Map(groups.map(({ ref }, index) => [foldText(ref), index]))
  for (const { row, fields } of rowsOf(table, problems) ?? []) {
    const typed = String(fields['group'] ?? '')
    const index = indexOf.get(foldText(typed)) ?? -1
    const assetGroupId = groups[index]?.id
    rows[index]?.push({ row, fields: { ...fields, ...(assetGroupId && { assetGroupId }) } })
    if (index >= 0 || typed === '') continue
    const choice = didYouMean(
      typed,
      groups.map(({ ref }) => ref),
    )
    problems.add(row, 'group', `"${typed}" is not a group${choice}`)
  }
  return table && rows
}

/**
 * Returns the rows with the `ref`, the `id` and the missing fields of their stored entries. Other
 * rows are new, with a `ref` made from the name.
 */
function mergeRows<Content extends { readonly ref: string }>(
  given: readonly GivenRow[],
  stored: readonly Stored<Content>[],
  rules: readonly MatchRule[],
  kept: (row: Stored<Content>) => Entry,
  defaultName: string | undefined,
  problems: SheetProblems,
): Entry[] {
  const named = given.map(({ row, fields: { group, ...fields } }) => {
    const ref = fields['ref'] ?? undefined
    const name = fields['name'] ?? defaultName
    const identity = [group, name, fields['validFrom'], fields['validTo']]
    if (ref === undefined) problems.isRepeated(row, 'name', foldText(identity.join('\u0000')))
    return { row, fields, content: { ...fields, name, ref } }
  })
  const matches = matchRows(named, stored, rules)
  const typed = named.map(({ content }) => String(content.ref ?? ''))
  const used = new Set([...stored.map(({ content }) => content.ref), ...typed].map(foldText))
  return named.map(({ row, fields: { assetGroupId: _, ...fields }, content }, index) => {
    const match = matches[index]
    const before = match && kept(match)
    const ref = content.ref === undefined ? undefined : String(content.ref)
    const isSameRef = before && foldText(before.ref) === foldText(ref ?? before.ref)
    const entry = {
      ...before,
      ...nestTranslations(fields, before?.translations),
      ...(defaultName !== undefined && { name: content.name }),
      ref: isSameRef ? before.ref : (ref ?? newRef(String(content.name ?? ''), used)),
    }
    return problems.place(entry, row)
  })
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
