import { foldRef } from '../domain/foldText.ts'
import { currencyDecimals, isCurrency, parseAmount } from '../domain/money.ts'
import { dateTime } from '../input/dateTime.ts'
import { normalizeLine } from '../input/fields.ts'
import { type FleetProblem, formatPath } from './fleetFileError.ts'

/**
 * In minor units. Totals are stored in 63 bits, which 366 days with 20 extras of 100 units each and
 * 100 percent tax do not exceed.
 */
const amountMinorMax = 10n ** 12n

const tiers = ['dailyRate', 'hourlyRate', 'weeklyRate', 'monthlyRate']

/** A JSON value that is not validated, with its path. Values other than objects have no fields. */
interface Found {
  readonly path: readonly PropertyKey[]
  readonly fields: Readonly<Record<string, unknown>>
}

/** Returns a problem of a field, or of the whole object. */
function problem({ path }: Found, name: string | undefined, message: string): FleetProblem {
  return { path: formatPath(name === undefined ? path : [...path, name]), message }
}

/**
 * Yields the problems that involve several fields. It reads the file before validation, so that
 * schema problems do not hide these, and skips values of the wrong type.
 */
export function* crossFieldErrors(file: unknown): Generator<FleetProblem> {
  const root: Found = { path: [], fields: Object(file) }
  const tenantCurrency = text(Object(root.fields['tenant']).currency)
  const groups = entries(root, 'assetGroups')
  const rates = groups.flatMap((group) => entries(group, 'rates'))
  const extras = entries(root, 'extras')
  for (const list of [groups, extras]) yield* repeats(list, 'ref')
  for (const list of [groups, rates, extras]) yield* repeats(list, 'id', foldRef)
  const assets = groups.flatMap((group) => entries(group, 'assets'))
  yield* repeats(assets, 'ref', foldRef)
  for (const group of groups) yield* groupProblems(group, tenantCurrency)
  for (const extra of extras) {
    const currency = text(extra.fields['currency']) ?? tenantCurrency
    yield* amountProblems(extra, ['price', 'maxPrice'], currency)
  }
}

function* groupProblems(group: Found, tenantCurrency: string | undefined) {
  const currency = text(group.fields['currency']) ?? tenantCurrency
  const rates = entries(group, 'rates')
  const assets = entries(group, 'assets')
  yield* repeats(rates, 'ref')
  for (const rate of rates) yield* rateProblems(rate, currency)
  for (const asset of assets) yield* blockProblems(entries(asset, 'blocks'))
}

function* rateProblems(rate: Found, groupCurrency: string | undefined) {
  yield* amountProblems(rate, tiers, groupCurrency)
  const [currency, from, to] = ['currency', 'validFrom', 'validTo'].map((n) => text(rate.fields[n]))
  if (currency !== undefined && groupCurrency !== undefined && currency !== groupCurrency) {
    const both = `${groupCurrency} and ${currency}`
    yield problem(rate, 'currency', `must be the currency of the group's other rates: ${both}`)
  }
  if (from !== undefined && to !== undefined && to < from) {
    yield problem(rate, 'validTo', 'must not be before validFrom')
  }
}

function* blockProblems(blocks: readonly Found[]) {
  const seen = new Map<string, Found>()
  for (const block of blocks) {
    const [from, to] = ['from', 'to'].map((name) => dateTime.safeParse(block.fields[name]).data)
    if (from === undefined || to === undefined) continue
    if (to <= from) yield problem(block, 'to', 'must be later than from')
    // Normalized like the schema does, because the stored reasons are compared.
    const reason = normalizeLine(text(block.fields['reason']) ?? '')
    const key = `${Number(from)} ${Number(to)} ${reason}`
    const first = seen.get(key)
    if (first !== undefined) yield problem(block, undefined, `repeats ${formatPath(first.path)}`)
    seen.set(key, block)
  }
}

function* amountProblems(priced: Found, names: readonly string[], currency: string | undefined) {
  if (currency === undefined || !isCurrency(currency)) return
  const decimals = currencyDecimals(currency)
  for (const name of names) {
    const written = text(priced.fields[name]) ?? ''
    const match = /^\d+(?:\.(\d+))?$/.exec(written)
    if (match === null) continue
    const tooFine = (match[1] ?? '').length > decimals
    if (tooFine) yield problem(priced, name, `must have at most ${decimals} decimals (${currency})`)
    else if (parseAmount(written, decimals) > amountMinorMax)
      yield problem(priced, name, 'is too large')
  }
}

/** Yields repeated values, compared as `fold` returns them. */
function* repeats(list: readonly Found[], name: 'ref' | 'id', fold = normalizeLine) {
  const seen = new Map<string, Found>()
  for (const row of list) {
    const value = text(row.fields[name])
    if (value === undefined) continue
    const key = fold(value)
    const first = seen.get(key)
    if (first === undefined) seen.set(key, row)
    else
      yield problem(row, name, `"${value}" is already used at ${formatPath([...first.path, name])}`)
  }
}

function entries({ path, fields }: Found, name: string): Found[] {
  const list = fields[name]
  if (!Array.isArray(list)) return []
  return list.map((entry, index) => ({ path: [...path, name, index], fields: Object(entry) }))
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
