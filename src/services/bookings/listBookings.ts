import type { OrmConnection, StatementRunner } from '../../db/connection/database.ts'
import {
  type BookingFilter,
  findBookingsOfTenant,
  type ShownBooking,
} from '../../db/operatorQueries/bookingList.ts'
import { channelOf, isFinal } from '../../domain/bookings.ts'
import { formatMoney } from '../../domain/money.ts'
import { availableFromMs, occupancyOf } from '../../domain/occupancy.ts'
import { rentalLength } from '../../domain/pricing/period.ts'
import { tenantBySlug } from '../tenants.ts'

type ListRow = Awaited<ReturnType<typeof findBookingsOfTenant>>['rows'][number]

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
  const { rows, stock } = await findBookingsOfTenant(database, tenant.id, filter, now)
  const occupancyByGroup = new Map(stock.map((group) => [group.assetGroupId, occupancyOf(group)]))
  const bookings = rows.map((row) => ({
    ...listedBooking(row, tenant.timeZone),
    length: rentalLength({ ...row, timeZone: row.pricedZone }),
    ...shortage(row, occupancyByGroup.get(row.groupId), now),
  }))
  return { tenant, bookings, more: (rows[0]?.matching ?? 0) - rows.length }
}

/**
 * `short` is true if other confirmed bookings take all vehicles. `contested` is true if other
 * confirmed and pending bookings together take all vehicles. Both are null for a final or past
 * booking.
 */
function shortage(
  row: ListRow,
  occupancyDuring: ReturnType<typeof occupancyOf> | undefined,
  now: Date,
): { readonly short: boolean | null; readonly contested: boolean | null } {
  const endsMs = availableFromMs(row.dropoffAt.getTime(), row.turnaroundMinutes)
  const load = occupancyDuring?.(row.pickupAt.getTime(), endsMs)
  if (isFinal(row.status) || endsMs <= now.getTime() || load === undefined) {
    return { short: null, contested: null }
  }
  // The counts include this booking, so subtract it.
  const others = load.held - (row.holds ? 1 : 0)
  const confirmedOthers = load.confirmed - (row.status === 'confirmed' ? 1 : 0)
  return { short: load.inService <= confirmedOthers, contested: load.inService <= others }
}

/** Serializes a booking for lists and for the feed. */
export function listedBooking(row: ShownBooking, timeZone: string) {
  const { id, status, firstName, lastName, email, phone, currency } = row
  return {
    id,
    status,
    customer: { firstName, lastName, email, phone },
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
