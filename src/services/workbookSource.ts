import type { OrmConnection } from '../db/connection/database.ts'
import { fleetOf, toFileFormat } from '../fleet/columns.ts'
import { fleetOfWorkbook } from '../fleet/workbook/fleetOfWorkbook.ts'
import { readWorkbook } from '../fleet/workbook/readWorkbook.ts'
import type { FleetSource } from './importFleet.ts'
import { tenantOrOnly } from './tenantTerms.ts'

/**
 * Returns the fleet of a workbook as a source for `importFleet`.
 * @throws FleetFileError for an invalid workbook; UsageError for a missing tenant if there are several
 */
export async function workbookSource(
  database: OrmConnection,
  bytes: Uint8Array,
  tenant: string | undefined,
): Promise<FleetSource> {
  const tables = await readWorkbook(bytes)
  const slug = await tenantOrOnly(database, tenant)
  return {
    slug,
    fileFor(stored) {
      if (stored.tenant === undefined) return fleetOfWorkbook(tables, slug, undefined)
      const fleetWith = (groups: typeof stored.groups) =>
        fleetOf(slug, { ...stored, groups }, toFileFormat.blocks)
      const archived = stored.groups.filter((group) => group.archived)
      const { assetGroups } = fleetWith(archived.map((group) => ({ ...group, archived: false })))
      return fleetOfWorkbook(tables, slug, {
        fleet: fleetWith(stored.groups),
        archivedGroups: assetGroups,
      })
    },
  }
}
