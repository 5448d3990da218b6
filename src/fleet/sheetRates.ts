import type { ExportedGroup } from './columns.ts'
import type { GroupRows } from './sheetProblems.ts'
import type { SheetRow } from './sheetTable.ts'

const prices = [
  ['daily_rate', 'dailyRate'],
  ['hourly_rate', 'hourlyRate'],
  ['weekly_rate', 'weeklyRate'],
  ['monthly_rate', 'monthlyRate'],
] as const

const rateColumns = ['rate', ...prices.map(([column]) => column), 'valid_from', 'valid_to']
const standardName = 'Standard'

type KnownRate = ExportedGroup['rates'][number]

/** A rate of the sheet, with the first row that contains it. */
interface SheetRate {
  readonly row: SheetRow
  readonly name: string
  readonly validFrom: string | null
  readonly validTo: string | null
}

/**
 * Returns the rates in the rows of a group. A field without a column keeps its stored value. If the
 * sheet has no date columns, stored rates with dates are also kept.
 */
export function ratesOfRows(group: GroupRows, knownGroup: ExportedGroup | undefined): object[] {
  const known = knownGroup?.rates ?? []
  if (!group.table.columns.has('daily_rate')) return [...known]
  const hasDates = group.table.columns.has('valid_from') || group.table.columns.has('valid_to')
  const rates = distinctRates(group)
  const kept = new Set(hasDates ? [] : known.filter((rate) => rate.validFrom ?? rate.validTo))
  const used = new Set(known.map(({ ref }) => ref))
  const named = rates.map((rate, index) => {
    const path = [...group.path, 'rates', index]
    const { row, name, validFrom, validTo } = rate
    group.problems.place(path, row, 'rate')
    group.problems.place([...path, 'validFrom'], row, 'valid_from')
    group.problems.place([...path, 'validTo'], row, 'valid_to')
    const before = knownRateOf(rate, rates, known)
    const ref = before?.ref ?? newRef(rate, used)
    if (before !== undefined) kept.delete(before)
    return {
      ref,
      ...(before && { id: before.id }),
      name,
      ...pricesOf(group, row, path, before),
      validFrom: hasDates ? validFrom : (before?.validFrom ?? null),
      validTo: hasDates ? validTo : (before?.validTo ?? null),
    }
  })
  return [...named, ...kept]
}

/** Returns the distinct rates by name and dates. Rows with the same rate must have the same prices. */
function distinctRates({ rows, problems }: GroupRows): SheetRate[] {
  const rates = new Map<string, SheetRate>()
  for (const row of rows) {
    if (rateColumns.every((column) => row.cell(column) === '')) continue
    const name = row.cell('rate') || standardName
    const [validFrom, validTo] = [row.cell('valid_from') || null, row.cell('valid_to') || null]
    const key = JSON.stringify([name, validFrom, validTo])
    const first = rates.get(key)?.row
    if (first === undefined) rates.set(key, { row, name, validFrom, validTo })
    for (const [column] of prices) {
      if (first === undefined || row.cell(column) === first.cell(column)) continue
      problems.add(row, column, `differs from row ${first.number}, of the same rate`)
    }
  }
  return [...rates.values()]
}

/** Returns the stored rate with this name and dates, or with this name if there is only one. */
function knownRateOf(rate: SheetRate, all: readonly SheetRate[], known: readonly KnownRate[]) {
  const sameName = known.filter(({ name }) => name === rate.name)
  const exact = sameName.find(
    ({ validFrom, validTo }) => validFrom === rate.validFrom && validTo === rate.validTo,
  )
  const isOnly = sameName.length === 1 && all.filter(({ name }) => name === rate.name).length === 1
  return exact ?? (isOnly ? sameName[0] : undefined)
}

/** Returns a `ref` for a new rate: its name, with its dates if the name is already used. */
function newRef({ name, validFrom, validTo }: SheetRate, used: Set<string>): string {
  const dated = `${name} ${validFrom ?? ''}–${validTo ?? ''}`
  const ref = [name, dated].find((each) => !used.has(each)) ?? `${dated} ${used.size}`
  used.add(ref)
  return ref
}

function pricesOf(
  { table, problems }: GroupRows,
  row: SheetRow,
  path: readonly PropertyKey[],
  before: KnownRate | undefined,
): object {
  const read = prices.map(([column, field]) => {
    problems.place([...path, field], row, column)
    if (!table.columns.has(column)) return [field, before?.[field] ?? null]
    const typed = row.cell(column)
    if (typed === '' && field !== 'dailyRate') return [field, null]
    const amount = table.decimalComma ? typed.replace(/^(\d+),(\d+)$/, '$1.$2') : typed
    if (/^\d+(\.\d+)?$/.test(amount)) return [field, amount]
    problems.add(row, column, 'must be an amount such as 59.90')
    return [field, '1']
  })
  return Object.fromEntries(read)
}
