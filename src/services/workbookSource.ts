import type { OrmConnection } from '../db/connection/database.ts'
import { fleetOfWorkbook } from '../fleet/workbook/fleetOfWorkbook.ts'
import type { FleetSource } from './importFleet.ts'
import { tenantOrOnly } from './tenantTerms.ts'

/**
 * Returns the fleet of a workbook as a source for `importFleet`.
 * @throws FleetFileError for an invalid workbook; UsageError for a missing tenant if there are several
 */
export async function workbookSource(
  database: OrmConnection,
  bytes: Buffer,
  tenant: string | undefined,
): Promise<FleetSource> {
  const { readWorkbook } = await import('../fleet/workbook/readWorkbook.ts')
  const { tables, otherSheets } = await readWorkbook(bytes)
  const slug = await tenantOrOnly(database, tenant)
  return { slug, otherSheets, read: (stored) => fleetOfWorkbook(tables, slug, stored) }
}
