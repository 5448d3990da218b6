import type { OrmConnection, StatementRunner } from '../../db/connection/database.ts'
import {
  countOccupancy,
  findShortNeighbours,
  type GroupPeriod,
} from '../../db/queries/bookings/availability.ts'
import {
  type BookingFilter,
  findBookingsOfTenant,
  type ShownBooking,
} from '../../db/queries/bookings/bookingList.ts'
import { channelOf, isFinal } from '../../domain/bookingRules.ts'
import { formatMoney } from '../../domain/money.ts'
import { availableFrom, type Occupancy } from '../../domain/occupancy.ts'
import { rentalLength } from '../../domain/pricing/period.ts'
import { tenantBySlug } from '../tenantTerms.ts'

type ListRow = Awaited<ReturnType<typeof findBookingsOfTenant>>[number]

export type ListedBooking = Awaited<ReturnType<typeof listBookings>>['bookings'][number]

/**
 * Returns a tenant's bookings by pickup, and the number of bookings beyond the limit.
 * @throws OperatorError for an unknown tenant
 */
export async function listBookings(
  database: OrmConnection & Pick<StatementRunner, 'pool'>,
  slug: string,
  filter: BookingFilter,
  now: Date,
) {
  const tenant = await tenantBySlug(database, slug)
  const rows = await findBookingsOfTenant(database, tenant.id, filter, now)
  const periods = new Map<string, GroupPeriod>()
  for (const row of rows) {
    const to = availableFrom(row.dropoffAt, row.turnaroundMinutes)
    if (isFinal(row.status) || to <= now) continue
    periods.set(row.id, { groupId: row.groupId, from: row.pickupAt, to })
  }
  const counts = await countOccupancy(database, tenant.id, Array.from(periods.values()))
  const occupancies = new Map(Array.from(periods.keys(), (id, index) => [id, counts[index]]))
  const pending = rows.flatMap((row) => {
    const counts = occupancies.get(row.id)
    const vehiclesLeft = counts === undefined ? 0 : counts.inService - counts.confirmed
    return row.status === 'pending' && vehiclesLeft > 0 ? [{ ...row, vehiclesLeft }] : []
  })
  const refused = await findShortNeighbours(database, tenant.id, pending)
  const bookings = rows.map((row) => ({
    ...listedBooking(row, tenant.timeZone),
    length: rentalLength({ ...row, timeZone: row.pricedZone }),
    ...shortage(row, occupancies.get(row.id), refused.has(row.id)),
  }))
  return { tenant, bookings, more: (rows[0]?.matching ?? 0) - rows.length }
}

/**
 * `short` is true if other confirmed bookings take all vehicles, or `confirm` refuses the booking for
 * one of them beside a block. `contested` is true if other confirmed and pending bookings together
 * take all vehicles. Both are null for a final or past booking, which has no counts.
 */
function shortage(
  row: ListRow,
  counts: Occupancy | undefined,
  isRefused: boolean,
): { readonly short: boolean | null; readonly contested: boolean | null } {
  if (counts === undefined) return { short: null, contested: null }
  // The counts include this booking, so subtract it.
  const others = counts.held - (row.holds ? 1 : 0)
  const confirmedOthers = counts.confirmed - (row.status === 'confirmed' ? 1 : 0)
  const short = isRefused || counts.inService <= confirmedOthers
  return { short, contested: short || counts.inService <= others }
}

export function listedBooking(row: ShownBooking, timeZone: string) {
  const { id, status, currency } = row
  return {
    id,
    status,
    ...row.details,
    assetGroup: { id: row.groupId, ref: row.groupRef, name: row.groupName },
    pickupDatetime: row.pickupAt,
    dropoffDatetime: row.dropoffAt,
    timezone: timeZone,
    total: formatMoney(BigInt(row.totalMinor), currency),
    currency,
    apiKey: { id: row.apiKeyId, name: row.apiKeyName },
    channel: channelOf(row.sessionId),
    createdAt: row.createdAt,
  }
}
