import type { OrmConnection } from '../db/connection/database.ts'
import { fleetOf, toFileFormat } from '../fleet/columns.ts'
import { fleetOfSheet } from '../fleet/sheetFleet.ts'
import { parseSheet } from '../fleet/sheetTable.ts'
import type { FleetSource } from './importFleet.ts'
import { UsageError } from './operatorError.ts'
import { tenantOrOnly } from './tenantTerms.ts'

/** Tenant fields, for which a spreadsheet has no columns. All but `tenant` are for a new tenant. */
export interface SheetOptions {
  readonly tenant?: string | undefined
  readonly name?: string | undefined
  readonly timezone?: string | undefined
  readonly currency?: string | undefined
  readonly tax?: string | undefined
}

/**
 * Returns the fleet of a spreadsheet as a source for `importFleet`.
 * @throws FleetFileError for an invalid table; UsageError for a missing tenant if there are several
 */
export async function sheetSource(
  database: OrmConnection,
  text: string,
  { tenant, ...ofNewTenant }: SheetOptions,
): Promise<FleetSource> {
  const table = parseSheet(text)
  const slug = await tenantOrOnly(database, tenant)
  return {
    slug,
    fileFor(stored) {
      if (stored.tenant === undefined) {
        return fleetOfSheet(table, newTenant(slug, ofNewTenant), undefined)
      }
      rejectFixedFields(slug, ofNewTenant)
      // A group that comes back from the archive also keeps the fields that have no column.
      const groups = stored.groups.map((group) => ({ ...group, archived: false }))
      const known = fleetOf(slug, { ...stored, groups }, toFileFormat.blocks)
      return fleetOfSheet(table, known.tenant, known)
    },
  }
}

function newTenant(slug: string, given: Omit<SheetOptions, 'tenant'>): Record<string, unknown> {
  const { name, timezone, currency, tax } = given
  if ([name, timezone, currency, tax].includes(undefined)) {
    throw new UsageError(
      `"${slug}" is a new tenant: give its --name, --timezone, --currency and --tax, too. ` +
        'If the tenant exists, check its slug with `rental tenants list`.',
    )
  }
  return { slug, name, timezone, currency, taxPercent: tax }
}

function rejectFixedFields(slug: string, given: Omit<SheetOptions, 'tenant'>): void {
  const options = Object.entries(given).flatMap(([name, value]) => (value ? [`--${name}`] : []))
  if (options.length === 0) return
  throw new UsageError(
    `"${slug}" exists already: leave out ${options.join(', ')}. ` +
      'To change it, edit the JSON file that `rental fleet export` prints.',
  )
}
