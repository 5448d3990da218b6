import { and, asc, eq } from 'drizzle-orm'
import type { BookingStatus } from '../domain/bookings.ts'
import type { Database } from './client.ts'
import { columnsOf } from './columnsOf.ts'
import { assetGroups, bookings } from './schema.ts'

/** A tenant's bookings as staff see them, by pickup. */
export async function findBookingsOfTenant(
  { orm }: Pick<Database, 'orm'>,
  tenantId: string,
  status: BookingStatus | undefined,
) {
  const ofTenant = eq(bookings.tenantId, tenantId)
  return orm
    .select({ booking: bookings, group: columnsOf(assetGroups, 'id', 'ref', 'name') })
    .from(bookings)
    .innerJoin(
      assetGroups,
      and(eq(assetGroups.tenantId, bookings.tenantId), eq(assetGroups.id, bookings.assetGroupId)),
    )
    .where(status === undefined ? ofTenant : and(ofTenant, eq(bookings.status, status)))
    .orderBy(asc(bookings.pickupAt), asc(bookings.id))
}
