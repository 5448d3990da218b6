import type { Database } from '../db/connection/database.ts'
import { checkInvariant, findFleetMoments, invariants } from '../db/operatorQueries/audit.ts'
import { countAvailability } from '../db/queries/availability.ts'

/**
 * Checks all invariants of the database and looks for overbookings. It only reads. `ok` is false if
 * an invariant is broken or a group is overbooked.
 */
export async function audit(database: Database) {
  const checked = []
  for (const invariant of invariants) {
    const { count, examples } = await checkInvariant(database, invariant)
    checked.push({ name: invariant.name, broken: count, examples })
  }
  const overbookings = await findOverbookings(database)
  const ok = overbookings.length === 0 && checked.every(({ broken }) => broken === 0)
  return { ok, invariants: checked, overbookings }
}

/**
 * Counts single moments. In the longer window that `confirm` uses, a short block takes out a vehicle
 * for all of it, and fleets that are only busy would be reported.
 */
async function findOverbookings(database: Database) {
  const found = []
  for (const moment of await findFleetMoments(database)) {
    const { tenantId, assetGroupId, servable, ...where } = moment
    const window = { from: where.at, to: null, confirmedOnly: true }
    const counted = await countAvailability(database, tenantId, assetGroupId, window)
    if (counted === undefined) continue
    const { inService, peak: confirmed } = counted
    if (confirmed > inService) found.push({ ...where, inService, confirmed })
    else if (!servable) found.push({ ...where, inService: 0, confirmed: 1 })
  }
  return found
}
