import type { z } from 'zod'
import { foldText } from '../domain/foldText.ts'
import { currencyDecimals, isCurrency, parseAmount } from '../domain/money.ts'
import { extraFields, type FleetFields, rateFields } from './fields.ts'
import type { FieldProblem } from './fleetFileError.ts'

/**
 * In minor units. Totals are stored in 63 bits, which 366 days with 20 extras of 100 units each and
 * 100 percent tax do not exceed.
 */
const amountMinorMax = 10n ** 12n

/** An entry of the parsed file. Its invalid fields have any value; entries of other types, no fields. */
interface Entry {
  readonly path: readonly PropertyKey[]
  readonly fields: Readonly<Record<string, unknown>>
}

type Report = (
  entry: Entry,
  name: string | undefined,
  message: string,
  first?: FieldProblem['path'],
) => void

/** Adds the problems that involve several fields of a fleet file, which may have invalid fields. */
export function crossFieldErrors(file: unknown, context: z.core.$RefinementCtx): void {
  const report: Report = ({ path, fields }, name, message, first) => {
    const whole = name === undefined ? path : [...path, name]
    const params = { first }
    context.addIssue({ code: 'custom', path: [...whole], message, input: fields, params })
  }
  const root: Entry = { path: [], fields: Object(file) }
  const tenant = { path: ['tenant'], fields: Object(root.fields['tenant']) }
  const tenantCurrency = text(tenant.fields['currency'])
  const language = text(tenant.fields['language'])
  const groups = entries(root, 'assetGroups')
  const ratesOf = new Map(groups.map((group) => [group, entries(group, 'rates')]))
  const assets = groups.flatMap((group) => entries(group, 'assets'))
  const extras = entries(root, 'extras')
  for (const list of [groups, extras, ...ratesOf.values()]) reportRepeats(report, list, 'ref')
  reportRepeats(report, assets, 'ref')
  const allRates = [...ratesOf.values()].flat()
  for (const list of [groups, allRates, extras]) reportRepeats(report, list, 'id')
  for (const entry of [tenant, ...groups, ...allRates, ...extras]) {
    reportOwnLanguage(report, entry, language)
  }
  for (const asset of assets) reportRepeatedBlocks(report, entries(asset, 'blocks'))
  for (const [group, rates] of ratesOf) {
    const currency = text(group.fields['currency']) ?? tenantCurrency
    for (const rate of rates) reportAmounts(report, rate, rateFields, currency)
    for (const [rate, first] of repeatsIn(rates, datesOf)) {
      const message = 'has the same dates as {first}, and one day can have only one price'
      report(rate, 'validFrom', message, [...first.path, 'validFrom'])
    }
  }
  for (const extra of extras) {
    const currency = text(extra.fields['currency']) ?? tenantCurrency
    reportAmounts(report, extra, extraFields, currency)
  }
}

function reportOwnLanguage(report: Report, { path, fields }: Entry, language = ''): void {
  const translations = Object(fields['translations'])
  if (!Object.hasOwn(translations, language)) return
  const entry = { path: [...path, 'translations'], fields: translations }
  report(entry, language, "is the tenant's own language: its texts stand outside of translations")
}

function reportAmounts(
  report: Report,
  priced: Entry,
  fields: FleetFields,
  currency: string | undefined,
): void {
  if (currency === undefined || !isCurrency(currency)) return
  const decimals = currencyDecimals(currency)
  for (const [name, { kind }] of Object.entries(fields)) {
    const amount = kind === 'amount' ? (text(priced.fields[name]) ?? '') : ''
    const match = /^\d+(?:\.(\d+))?$/.exec(amount)
    if (match === null) continue
    const tooFine = (match[1] ?? '').length > decimals
    if (tooFine) report(priced, name, `must have at most ${decimals} decimals (${currency})`)
    else if (parseAmount(amount, decimals) > amountMinorMax) report(priced, name, 'is too large')
  }
}

/** Reports values of a field that repeat another, in any case. */
function reportRepeats(report: Report, list: readonly Entry[], name: 'ref' | 'id'): void {
  const keyOf = ({ fields }: Entry) => foldText(text(fields[name]) ?? '')
  for (const [entry, first] of repeatsIn(list, keyOf)) {
    const message = `"${entry.fields[name]}" is already used at {first}`
    report(entry, name, message, [...first.path, name])
  }
}

const datesOf = ({ fields: { validFrom = null, validTo = null } }: Entry) =>
  [validFrom, validTo].join(' to ')

function reportRepeatedBlocks(report: Report, blocks: readonly Entry[]): void {
  const keyOf = ({ fields: { from, to, reason } }: Entry) =>
    from instanceof Date && to instanceof Date ? [Number(from), Number(to), reason].join(' ') : ''
  for (const [block, first] of repeatsIn(blocks, keyOf)) {
    report(block, undefined, 'repeats {first}', first.path)
  }
}

/** Yields each entry whose key an earlier one has, with that one. Ignores the key ''. */
function* repeatsIn(list: readonly Entry[], keyOf: (entry: Entry) => string) {
  const firsts = new Map<string, Entry>()
  for (const entry of list) {
    const key = keyOf(entry)
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, entry)
    else if (key !== '') yield [entry, first] as const
  }
}

function entries({ path, fields }: Entry, name: string): Entry[] {
  const list = fields[name]
  if (!Array.isArray(list)) return []
  return list.map((entry, index) => ({ path: [...path, name, index], fields: Object(entry) }))
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
