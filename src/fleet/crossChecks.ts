import { currencyDecimals, isCurrency, parseAmount } from '../domain/money.ts'
import { dateTime } from '../input/dateTime.ts'
import { type FleetProblem, writePath } from './problems.ts'

/**
 * In minor units. The dearest quote, 366 days of this with 20 extras of 100 pieces each and as much
 * tax again, stays well within the 63 bits of a stored total.
 */
const amountMinorMax = 10n ** 12n

const tiers = ['dailyRate', 'hourlyRate', 'weeklyRate', 'monthlyRate']

/** Unchecked JSON and the place it was found at; what is no object has no fields. */
interface Found {
  readonly path: readonly PropertyKey[]
  readonly fields: Readonly<Record<string, unknown>>
}

/** Reports a problem of a field, or of the whole. */
type Report = (at: Found, name: string | undefined, message: string) => void

/**
 * The checks that reach across fields. They read the raw file, so that a problem elsewhere in it
 * doesn't hide these; what is not of the right type is the schema's to report.
 */
export function crossProblems(file: unknown): FleetProblem[] {
  const problems: FleetProblem[] = []
  const report: Report = ({ path }, name, message) =>
    problems.push({ path: writePath(name === undefined ? path : [...path, name]), message })
  const root: Found = { path: [], fields: Object(file) }
  const tenantCurrency = text(Object(root.fields['tenant']).currency)
  const groups = entries(root, 'assetGroups')
  const rates = groups.flatMap((group) => entries(group, 'rates'))
  const extras = entries(root, 'extras')
  for (const list of [groups, extras]) refuseRepeats(list, 'ref', report)
  for (const list of [groups, rates, extras]) refuseRepeats(list, 'id', report)
  for (const group of groups) checkGroup(group, tenantCurrency, report)
  for (const extra of extras) {
    const currency = text(extra.fields['currency']) ?? tenantCurrency
    checkAmounts(extra, ['price', 'maxPrice'], currency, report)
  }
  return problems
}

function checkGroup(group: Found, tenantCurrency: string | undefined, report: Report): void {
  const currency = text(group.fields['currency']) ?? tenantCurrency
  const rates = entries(group, 'rates')
  const assets = entries(group, 'assets')
  for (const list of [rates, assets]) refuseRepeats(list, 'ref', report)
  for (const rate of rates) checkRate(rate, currency, report)
  for (const asset of assets) checkBlocks(entries(asset, 'blocks'), report)
}

function checkRate(rate: Found, groupCurrency: string | undefined, report: Report): void {
  checkAmounts(rate, tiers, groupCurrency, report)
  const [currency, from, to] = ['currency', 'validFrom', 'validTo'].map((n) => text(rate.fields[n]))
  if (currency !== undefined && groupCurrency !== undefined && currency !== groupCurrency) {
    const both = `${groupCurrency} and ${currency}`
    report(rate, 'currency', `makes two currencies in one group, ${both}`)
  }
  if (from !== undefined && to !== undefined && to < from) {
    report(rate, 'validTo', 'must not be before validFrom')
  }
}

function checkBlocks(blocks: readonly Found[], report: Report): void {
  const seen = new Map<string, Found>()
  for (const block of blocks) {
    const from = dateTime.safeParse(block.fields['from']).data
    const to = dateTime.safeParse(block.fields['to']).data
    if (from === undefined || to === undefined) continue
    if (to <= from) report(block, 'to', 'must be later than from')
    // Trimmed as the schema does it: what is stored must not be there twice.
    const reason = text(block.fields['reason'])?.trim() ?? ''
    const key = `${Number(from)} ${Number(to)} ${reason}`
    const first = seen.get(key)
    if (first !== undefined) report(block, undefined, `repeats ${writePath(first.path)}`)
    seen.set(key, block)
  }
}

function checkAmounts(
  priced: Found,
  names: readonly string[],
  currency: string | undefined,
  report: Report,
): void {
  if (currency === undefined || !isCurrency(currency)) return
  const decimals = currencyDecimals(currency)
  for (const name of names) {
    const written = text(priced.fields[name]) ?? ''
    const match = /^\d+(?:\.(\d+))?$/.exec(written)
    if (match === null) continue
    const tooFine = (match[1] ?? '').length > decimals
    if (tooFine) report(priced, name, `must have at most ${decimals} decimals (${currency})`)
    else if (parseAmount(written, decimals) > amountMinorMax) report(priced, name, 'is too large')
  }
}

/** UUIDs are compared whatever their case. */
function refuseRepeats(list: readonly Found[], name: 'ref' | 'id', report: Report): void {
  const seen = new Map<string, Found>()
  for (const entry of list) {
    const value = text(entry.fields[name])
    if (value === undefined) continue
    const key = name === 'id' ? value.toLowerCase() : value
    const first = seen.get(key)
    if (first === undefined) seen.set(key, entry)
    else report(entry, name, `"${value}" is already used at ${writePath([...first.path, name])}`)
  }
}

function entries({ path, fields }: Found, name: string): Found[] {
  const list = fields[name]
  if (!Array.isArray(list)) return []
  return list.map((entry, index) => ({ path: [...path, name, index], fields: Object(entry) }))
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
