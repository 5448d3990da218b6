import { and, asc, eq, sql } from 'drizzle-orm'
import type { BookingStatus } from '../domain/bookings.ts'
import { countOf } from './availability.ts'
import type { OrmConnection } from './client.ts'
import { columnsOf } from './columnsOf.ts'
import { assetGroups, bookings } from './schema.ts'

/** What is free for a booking but for itself, by the count that answers customers (decision 54). */
const countForBooking = sql.raw(
  countOf({
    tenantId: 'bookings.tenant_id',
    groupId: 'bookings.asset_group_id',
    from: 'bookings.pickup_at',
    to: 'bookings.dropoff_at',
    confirmedOnly: 'false',
    exceptBookingId: 'bookings.id',
  }),
)

/**
 * Whether the other bookings leave no vehicle for this one; null once it is settled or over. An
 * archived group has no vehicles.
 */
const short = sql<boolean | null>`case
  when ${bookings.status} in ('pending', 'confirmed') and now() < ${bookings.dropoffAt}
    + make_interval(mins => ${assetGroups.turnaroundMinutes})
  then coalesce((select "inService" <= peak from (${countForBooking}) counted), true) end`

/** A tenant's bookings as staff see them, by pickup. */
export async function findBookingsOfTenant(
  { orm }: OrmConnection,
  tenantId: string,
  status: BookingStatus | undefined,
) {
  const ofTenant = eq(bookings.tenantId, tenantId)
  return orm
    .select({ booking: bookings, group: columnsOf(assetGroups, 'id', 'ref', 'name'), short })
    .from(bookings)
    .innerJoin(
      assetGroups,
      and(eq(assetGroups.tenantId, bookings.tenantId), eq(assetGroups.id, bookings.assetGroupId)),
    )
    .where(status === undefined ? ofTenant : and(ofTenant, eq(bookings.status, status)))
    .orderBy(asc(bookings.pickupAt), asc(bookings.id))
}
