import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { BookingStatus } from '../../../domain/bookingRules.ts'
import type { OrmConnection } from '../../connection/database.ts'
import { columnsOf, type RowKey, rowOf } from '../../connection/statement.ts'
import { assetGroups, bookingEvents, bookings, tenants } from '../../schema/index.ts'
import { type ShownDetails, shownDetails } from './detailColumns.ts'

/**
 * Returns a booking of any tenant. Keep the join with `tenants`, which makes it use primary keys.
 */
export async function findBookingForReview({ orm }: OrmConnection, id: string) {
  const [found] = await orm
    .select({
      ...columnsOf(bookings, 'tenantId', 'id', 'status', 'assetGroupId', 'pickupAt', 'dropoffAt'),
      groupName: assetGroups.name,
      turnaroundMinutes: assetGroups.turnaroundMinutes,
      timeZone: tenants.timeZone,
      details: sql<ShownDetails>`${sql.raw(shownDetails('bookings'))}`,
    })
    .from(tenants)
    .innerJoin(bookings, rowOf(bookings, tenants.id, id))
    .innerJoin(assetGroups, rowOf(assetGroups, bookings.tenantId, bookings.assetGroupId))
  return found
}

/** Leaves out erasures, which are recorded as an event from a status to itself. */
export const isTransition = ne(bookingEvents.fromStatus, bookingEvents.toStatus)

export async function findLastTransition({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [last] = await orm
    .select(columnsOf(bookingEvents, 'actor', 'createdAt'))
    .from(bookingEvents)
    .where(and(eq(bookingEvents.tenantId, tenantId), eq(bookingEvents.bookingId, id), isTransition))
    .orderBy(desc(bookingEvents.createdAt))
    .limit(1)
  return last
}

/**
 * Locks a group until the transaction ends, so that confirmations run one at a time. Do not use
 * `for update`: it would block new quotes and bookings, which refer to the group.
 */
export async function lockGroup(
  { orm }: OrmConnection,
  { tenantId, assetGroupId }: Readonly<Record<'tenantId' | 'assetGroupId', string>>,
): Promise<void> {
  await orm
    .select({ id: assetGroups.id })
    .from(assetGroups)
    .where(rowOf(assetGroups, tenantId, assetGroupId))
    .for('no key update')
}

type BookingTransition = Readonly<Record<'from' | 'to', BookingStatus>> &
  Pick<typeof bookingEvents.$inferSelect, 'actor' | 'reason' | 'forced'> &
  Partial<Pick<typeof bookingEvents.$inferSelect, 'message'>>

/**
 * Changes the status from `from` to `to` and records the event. Returns false, and changes nothing,
 * when the booking has another status.
 */
export async function transitionBooking(
  { orm }: OrmConnection,
  booking: RowKey,
  transition: BookingTransition,
) {
  const { tenantId, id } = booking
  const { from, to, ...record } = transition
  const [updated] = await orm
    .update(bookings)
    .set({ status: to })
    .where(and(rowOf(bookings, tenantId, id), eq(bookings.status, from)))
    .returning({ createdAt: bookings.createdAt })
  if (updated === undefined) return false
  const { createdAt: previous } = (await findLastTransition({ orm }, booking)) ?? updated
  await orm.insert(bookingEvents).values({
    tenantId,
    bookingId: id,
    fromStatus: from,
    toStatus: to,
    ...record,
    // The feed orders events by time. now() is the start of the transaction, before its lock, and
    // after a failover the clock can be behind.
    createdAt: sql`greatest(clock_timestamp(), ${previous.toISOString()}::timestamptz + interval '1 millisecond')`,
  })
  return true
}
