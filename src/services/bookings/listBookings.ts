import type { OrmConnection, StatementRunner } from '../../db/connection/database.ts'
import {
  type BookingFilter,
  findBookingsOfTenant,
  type ShownBooking,
} from '../../db/operatorQueries/bookingList.ts'
import { isFinal } from '../../domain/bookings.ts'
import { formatMoney } from '../../domain/money.ts'
import { availableFromMs, occupancyOf } from '../../domain/occupancy.ts'
import { rentalLength } from '../../domain/pricing/period.ts'
import { tenantBySlug } from '../tenants.ts'

type ListRow = Awaited<ReturnType<typeof findBookingsOfTenant>>['rows'][number]

export type ListedBooking = Awaited<ReturnType<typeof listBookings>>['bookings'][number]

/**
 * A tenant's bookings by pickup, and how many more the limit leaves out.
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
  const loads = new Map(stock.map((group) => [group.assetGroupId, occupancyOf(group)]))
  const bookings = rows.map((row) => ({
    ...listedBooking(row, tenant.timeZone),
    length: rentalLength({ ...row, timeZone: row.pricedZone }),
    ...shortage(row, loads.get(row.groupId), now),
  }))
  return { tenant, bookings, more: (rows[0]?.matching ?? 0) - rows.length }
}

/**
 * Whether confirmed bookings leave no vehicle for this one, so that confirming it is refused, or it
 * is overbooked; and whether pending ones want what is left, too. Null once it is settled or over.
 */
function shortage(
  row: ListRow,
  loadIn: ReturnType<typeof occupancyOf> | undefined,
  now: Date,
): { readonly short: boolean | null; readonly contested: boolean | null } {
  const endsMs = availableFromMs(row.dropoffAt.getTime(), row.turnaroundMinutes)
  const load = loadIn?.(row.pickupAt.getTime(), endsMs)
  if (isFinal(row.status) || endsMs <= now.getTime() || load === undefined) {
    return { short: null, contested: null }
  }
  // The load counts this booking, too: it doesn't stand in its own way.
  const others = load.held - (row.holds ? 1 : 0)
  const confirmedOthers = load.confirmed - (row.status === 'confirmed' ? 1 : 0)
  return { short: load.inService <= confirmedOthers, contested: load.inService <= others }
}

/** What lists and the feed tell of a booking. */
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
    apiKeyId: row.apiKeyId,
    createdAt: row.createdAt,
  }
}
