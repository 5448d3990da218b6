import { countAvailability } from '../db/availability.ts'
import type { Database } from '../db/client.ts'
import { findFleetMoments } from '../db/confirmedMoments.ts'
import { type BrokenRow, checkInvariant, invariants } from '../db/invariants.ts'

/** A moment at which more bookings are confirmed than vehicles are in service. */
interface Overbooking {
  readonly tenant: string
  readonly assetGroup: string
  readonly at: Date
  readonly inService: number
  readonly confirmed: number
}

export interface Audit {
  /** Nothing is broken or overbooked. */
  readonly ok: boolean
  readonly invariants: readonly {
    readonly name: string
    readonly broken: number
    readonly examples: readonly BrokenRow[]
  }[]
  readonly overbookings: readonly Overbooking[]
}

/**
 * Checks the stored rows against the rules, and confirmed bookings against the fleet. Reads only.
 */
export async function audit(database: Database): Promise<Audit> {
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
 * Looks at single moments. Over a longer window a vehicle that is blocked for a part of it counts
 * as out of service throughout, which would report fleets that are only busy.
 */
async function findOverbookings(database: Database): Promise<Overbooking[]> {
  const found: Overbooking[] = []
  for (const { tenantId, slug, assetGroupId, groupRef, at } of await findFleetMoments(database)) {
    const moment = { from: at, to: null, confirmedOnly: true }
    const count = await countAvailability(database, tenantId, assetGroupId, moment)
    if (count === undefined || count.peak <= count.inService) continue
    const { inService, peak: confirmed } = count
    found.push({ tenant: slug, assetGroup: groupRef, at, inService, confirmed })
  }
  return found
}
