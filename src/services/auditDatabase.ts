import type { Database } from '../db/connection/database.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { allObjects, findMissing } from '../db/migrations/schemaObjects.ts'
import { countOccupancy } from '../db/queries/bookings/availability.ts'
import { loadFleet } from '../db/queries/fleet/fleetRows.ts'
import {
  checkInvariant,
  type FleetMoment,
  findFleetMoments,
  invariants,
} from '../db/queries/maintenance/auditRules.ts'
import { listTenants } from '../db/queries/tenants/tenantRows.ts'
import { groupBy } from '../domain/groupBy.ts'
import { activeFleet, fleetWarnings } from './fleetWarnings.ts'

/**
 * Checks the objects and all invariants of the database and looks for overbookings. It only reads.
 * `ok` is false if an object is missing, an invariant is broken or a group is overbooked; warnings
 * do not change it.
 */
export async function auditDatabase(database: Database) {
  const missing = await findMissing(database.pool, allObjects)
  const checked = []
  for (const invariant of invariants) {
    const { count, examples } = await checkInvariant(database, invariant)
    checked.push({ name: invariant.name, broken: count, examples })
  }
  const overbookings = await findOverbookings(database)
  const warnings = await findWarnings(database)
  const ok = missing.length + overbookings.length === 0 && checked.every((c) => c.broken === 0)
  return { ok, missing, invariants: checked, overbookings, warnings }
}

/** Returns what of each fleet cannot be sold, or is priced oddly. */
async function findWarnings(database: Database) {
  const found = []
  for (const { slug } of await listTenants(database)) {
    const active = activeFleet(await inTransaction(database, (each) => loadFleet(each, slug)))
    const warnings = active === undefined ? [] : fleetWarnings(active, new Date())
    found.push(...warnings.map((warning) => ({ tenant: slug, warning })))
  }
  return found
}

/**
 * Returns the times at which groups are overbooked, counted separately for each time. Do not use
 * the stricter rule of `confirm`, where a vehicle with any block during the rental is out of
 * service: it would report groups that are not overbooked.
 */
async function findOverbookings(database: Database) {
  const found = []
  const moments = await findFleetMoments(database)
  const momentsOf = groupBy(moments, ({ assetGroupId }) => assetGroupId)
  for (const id of new Set(moments.map(({ assetGroupId }) => assetGroupId))) {
    const counts = await countAt(database, momentsOf(id))
    for (const [index, moment] of momentsOf(id).entries()) {
      const { tenantId: _, assetGroupId: __, servable, ...where } = moment
      const { inService = 0, confirmed = 0 } = counts[index] ?? {}
      if (confirmed > inService) found.push({ ...where, inService, confirmed })
      else if (!servable) found.push({ ...where, inService: 0, confirmed: 1 })
    }
  }
  return found
}

function countAt(database: Database, moments: readonly FleetMoment[]) {
  const periods = moments.map(({ assetGroupId: groupId, at }) => {
    return { groupId, from: at, to: new Date(at.getTime() + 1) }
  })
  return countOccupancy(database, moments[0]?.tenantId ?? '', periods)
}
