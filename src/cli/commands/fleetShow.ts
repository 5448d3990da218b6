import { Option } from '@commander-js/extra-typings'
import { pluralize } from '../../domain/pluralize.ts'
import { localDate } from '../../domain/pricing/period.ts'
import { isRateListed } from '../../domain/pricing/rates.ts'
import { fileOf, fleetOf, type StoredFleet, toFileFormat } from '../../fleet/columns.ts'
import { formatSpecialDays, formatWeek } from '../../fleet/describeHours.ts'
import { extraFields, type FleetFields, ownCurrency, rateFields } from '../../fleet/fields.ts'
import { activeFleet, fleetWarnings } from '../../services/fleetWarnings.ts'
import { storedFleet } from '../../services/importFleet.ts'
import { type Context, tenantCommand } from '../command.ts'
import { outputMeaning, writeJsonTo, writeWorkbookTo } from '../outputFile.ts'
import { sanitizeLine } from '../terminal/cell.ts'
import { longTime } from '../terminal/dates.ts'
import { table, warningLines } from '../terminal/table.ts'

type FleetPage = ReturnType<typeof fleetWithBlockers>
type Group = FleetPage['assetGroups'][number]

export const fleetExport = (context: Context) =>
  tenantCommand('export', "Print a tenant's fleet file. Importing it again changes nothing.", [
    'rental fleet export --tenant fjord-cars > fleet.json',
    'rental fleet export --format xlsx --output fleet.xlsx',
  ])
    .addOption(
      new Option('--format <format>', 'xlsx: a workbook, without the blocks of vehicles')
        .choices(['json', 'xlsx'])
        .default('json' as const),
    )
    .option('--output <file>', outputMeaning)
    .action(async ({ tenant, format, output }) => {
      const exported = () =>
        context.withTenant(tenant, async (database, slug) => {
          const stored = await storedFleet(database, slug)
          return { file: fileOf(slug, stored), state: stored.state?.number }
        })
      if (format !== 'xlsx') return writeJsonTo(context, output, (await exported()).file)
      return writeWorkbookTo(context, output, exported)
    })

export const fleetShow = ({ io, now, withTenant, finish }: Context) =>
  tenantCommand('show', 'Show a fleet: groups, vehicles, blocks, rates and extras.', [
    'rental fleet show --tenant fjord-cars',
  ]).action(async ({ tenant }) => {
    const { fleet, warnings } = await withTenant(tenant, async (database, slug) => {
      const stored = await storedFleet(database, slug)
      const active = activeFleet(stored)
      return {
        fleet: fleetWithBlockers(slug, stored),
        warnings: active === undefined ? [] : fleetWarnings(active, now),
      }
    })
    const text = page(fleet, now, io.columns) + warningLines(warnings)
    finish({ json: { ...fleet, warnings }, text })
  })

/** Adds `blockedBy` to each block: the operator, or null for a block of the fleet file. */
const fleetWithBlockers = (slug: string, stored: StoredFleet) =>
  fleetOf(slug, stored, (block) => ({ ...toFileFormat.blocks(block), blockedBy: block.blockedBy }))

function page({ tenant, assetGroups, extras }: FleetPage, now: Date, width?: number): string {
  const tax = `${tenant.taxPercent} % tax ${tenant.pricesIncludeTax ? 'included' : 'on top'}`
  return [
    `${sanitizeLine(tenant.name)} (${tenant.slug}): ${tenant.timezone}, ${tenant.currency}, ${tax}\n`,
    `Hours: ${formatWeek(tenant.openingHours)}. Special days: ${sanitizeLine(formatSpecialDays(tenant.specialDays))}.\n`,
    ...assetGroups.map((group) => groupPage(group, tenant.timezone, now, width)),
    extras.length > 0 ? '\n' : '',
    fieldTable({ ...shownOfExtras, currency: ownCurrency }, extras, width),
  ].join('')
}

const { description: _, ...shownOfExtras } = extraFields

/** Formats entries with a column for each declared field that an entry has. */
function fieldTable(
  fields: FleetFields,
  entries: readonly Readonly<Record<string, unknown>>[],
  width?: number,
): string {
  const shown = Object.entries(fields).flatMap(([name, { title, kind }]) =>
    title !== null && entries.some((entry) => entry[name] !== null)
      ? { name, title: title.toUpperCase(), kind }
      : [],
  )
  const rows = entries.map((entry) =>
    Object.fromEntries(shown.map(({ name, title }) => [title, String(entry[name] ?? '')])),
  )
  const titlesOf = (kinds: readonly unknown[]) =>
    shown.filter(({ kind }) => kinds.includes(kind)).map(({ title }) => title)
  const fixed = ['REF', ...titlesOf(['date'])]
  return table(rows, { fixed, right: titlesOf(['amount', 'wholeNumber']) }, width)
}

function groupPage(group: Group, timeZone: string, now: Date, width?: number): string {
  const { ref, name, category, currency, turnaroundMinutes, assets } = group
  const blocks = assets.flatMap((asset) =>
    asset.blocks
      .filter(({ to }) => new Date(to) > now)
      .map(({ from, to, reason, blockedBy }) => ({
        BLOCKED: asset.ref,
        FROM: longTime(new Date(from), timeZone),
        TO: longTime(new Date(to), timeZone),
        WHY: reason ?? '',
        BY: blockedBy ?? 'fleet file',
      })),
  )
  const today = localDate(now, timeZone)
  const rates = group.rates.filter((rate) => isRateListed(rate, today))
  const turnaround = turnaroundMinutes === 0 ? '' : `, ${turnaroundMinutes} min of turnaround`
  return [
    `\n${sanitizeLine(ref)}: ${sanitizeLine(name)} (${sanitizeLine(category)}), ${pluralize(assets.length, 'vehicle')}, ${currency}${turnaround}\n`,
    assets.length > 0
      ? `Vehicles: ${assets.map((asset) => sanitizeLine(asset.ref)).join(', ')}\n`
      : '',
    table(blocks, { fixed: ['BLOCKED', 'FROM', 'TO'] }, width),
    fieldTable(rateFields, rates, width),
  ].join('')
}
