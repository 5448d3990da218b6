import { currencyDecimals, isCurrency, parseAmount } from '../domain/money.ts'
import { dateTime } from '../input/dateTime.ts'
import { type FleetProblem, writePath } from './problems.ts'

/**
 * In minor units. The dearest quote, 366 days of this with 20 extras of 100 pieces each and as much
 * tax again, stays well within the 63 bits of a stored total.
 */
const amountMinorMax = 10n ** 12n

const tiers = ['dailyRate', 'hourlyRate', 'weeklyRate', 'monthlyRate']

/** Unchecked JSON together with the place it was found at. */
interface RawValue {
  readonly path: readonly PropertyKey[]
  readonly value: unknown
}

type Report = (at: RawValue, message: string) => void

/**
 * The checks that reach across fields. They read the raw file, so that a problem elsewhere in it
 * doesn't hide these; what is not of the right type is the schema's to report.
 */
export function crossProblems(file: unknown): FleetProblem[] {
  const problems: FleetProblem[] = []
  const report: Report = (at, message) => problems.push({ path: writePath(at.path), message })
  const root: RawValue = { path: [], value: file }
  const tenantCurrency = text(field(field(root, 'tenant'), 'currency'))
  const groups = entries(root, 'assetGroups')
  const rates = groups.flatMap((group) => entries(group, 'rates'))
  const extras = entries(root, 'extras')
  refuseRepeats(groups, 'ref', report)
  refuseRepeats(groups, 'id', report)
  refuseRepeats(rates, 'id', report)
  refuseRepeats(extras, 'ref', report)
  refuseRepeats(extras, 'id', report)
  for (const group of groups) checkGroup(group, tenantCurrency, report)
  for (const extra of extras) {
    const currency = text(field(extra, 'currency')) ?? tenantCurrency
    checkAmounts(extra, ['price', 'maxPrice'], currency, report)
  }
  return problems
}

function checkGroup(group: RawValue, tenantCurrency: string | undefined, report: Report): void {
  const currency = text(field(group, 'currency')) ?? tenantCurrency
  const rates = entries(group, 'rates')
  const assets = entries(group, 'assets')
  refuseRepeats(rates, 'ref', report)
  refuseRepeats(assets, 'ref', report)
  for (const rate of rates) checkRate(rate, currency, report)
  for (const asset of assets) checkBlocks(entries(asset, 'blocks'), report)
}

function checkRate(rate: RawValue, groupCurrency: string | undefined, report: Report): void {
  checkAmounts(rate, tiers, groupCurrency, report)
  const currency = text(field(rate, 'currency'))
  if (currency !== undefined && groupCurrency !== undefined && currency !== groupCurrency) {
    report(
      field(rate, 'currency'),
      `makes two currencies in one group, ${groupCurrency} and ${currency}`,
    )
  }
  const validFrom = text(field(rate, 'validFrom'))
  const validTo = text(field(rate, 'validTo'))
  if (validFrom !== undefined && validTo !== undefined && validTo < validFrom) {
    report(field(rate, 'validTo'), 'must not be before validFrom')
  }
}

function checkBlocks(blocks: readonly RawValue[], report: Report): void {
  const seen = new Map<string, RawValue>()
  for (const block of blocks) {
    const from = dateTime.safeParse(field(block, 'from').value).data
    const to = dateTime.safeParse(field(block, 'to').value).data
    if (from === undefined || to === undefined) continue
    if (to <= from) report(field(block, 'to'), 'must be later than from')
    // Trimmed as the schema does it: what is stored must not be there twice.
    const key = `${Number(from)} ${Number(to)} ${text(field(block, 'reason'))?.trim() ?? ''}`
    const first = seen.get(key)
    if (first !== undefined) report(block, `repeats ${writePath(first.path)}`)
    seen.set(key, block)
  }
}

function checkAmounts(
  priced: RawValue,
  names: readonly string[],
  currency: string | undefined,
  report: Report,
): void {
  if (currency === undefined || !isCurrency(currency)) return
  const decimals = currencyDecimals(currency)
  for (const name of names) {
    const at = field(priced, name)
    const written = text(at)
    if (written === undefined || !/^\d+(\.\d+)?$/.test(written)) continue
    const [, fraction = ''] = written.split('.')
    if (fraction.length > decimals)
      report(at, `must have at most ${decimals} decimals (${currency})`)
    else if (parseAmount(written, decimals) > amountMinorMax) report(at, 'is too large')
  }
}

/** UUIDs are compared whatever their case. */
function refuseRepeats(list: readonly RawValue[], name: 'ref' | 'id', report: Report): void {
  const seen = new Map<string, RawValue>()
  for (const entry of list) {
    const at = field(entry, name)
    const value = text(at)
    if (value === undefined) continue
    const key = name === 'id' ? value.toLowerCase() : value
    const first = seen.get(key)
    if (first === undefined) seen.set(key, at)
    else report(at, `"${value}" is already used at ${writePath(first.path)}`)
  }
}

function field({ path, value }: RawValue, name: string): RawValue {
  return { path: [...path, name], value: Object(value)[name] }
}

function entries(object: RawValue, name: string): RawValue[] {
  const { path, value } = field(object, name)
  if (!Array.isArray(value)) return []
  return value.map((entry: unknown, index) => ({ path: [...path, index], value: entry }))
}

function text({ value }: RawValue): string | undefined {
  return typeof value === 'string' ? value : undefined
}
