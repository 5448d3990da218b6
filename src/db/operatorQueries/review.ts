import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { BookingStatus } from '../../domain/bookings.ts'
import type { OrmConnection } from '../connection/database.ts'
import { columnsOf, type RowKey, rowOf } from '../connection/statement.ts'
import { assetGroups, bookingEvents, bookings, tenants } from '../schema/index.ts'

/** Looks over all tenants, for the operator: through their list, by the primary key (decision 350). */
export async function findBookingForReview({ orm }: OrmConnection, id: string) {
  const [found] = await orm
    .select({
      ...columnsOf(bookings, 'tenantId', 'id', 'status', 'assetGroupId', 'pickupAt', 'dropoffAt'),
      groupName: assetGroups.name,
      turnaroundMinutes: assetGroups.turnaroundMinutes,
      timeZone: tenants.timeZone,
    })
    .from(tenants)
    .innerJoin(bookings, rowOf(bookings, tenants.id, id))
    .innerJoin(assetGroups, rowOf(assetGroups, bookings.tenantId, bookings.assetGroupId))
  return found
}

/** An erasure is on record as a move from a status to itself. */
const isMove = ne(bookingEvents.fromStatus, bookingEvents.toStatus)

/** Who moved a booking last, and when: of two moves the one from confirmed, by any clock. */
export async function findLastMove({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [last] = await orm
    .select(columnsOf(bookingEvents, 'actor', 'createdAt'))
    .from(bookingEvents)
    .where(and(eq(bookingEvents.tenantId, tenantId), eq(bookingEvents.bookingId, id), isMove))
    .orderBy(desc(eq(bookingEvents.fromStatus, 'confirmed')))
    .limit(1)
  return last
}

/**
 * Lets one confirmation of a group through at a time, until the transaction ends. Weaker than
 * `for update`: customers' new quotes and bookings refer to the group and must not wait.
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

type BookingMove = Readonly<Record<'from' | 'to', BookingStatus>> &
  Pick<typeof bookingEvents.$inferSelect, 'actor' | 'reason' | 'forced'>

/**
 * Compare-and-swap on the status, false if that was another by then, and its record (decision 3),
 * dated while the row is held: so moves are recorded in their order, whoever began first.
 */
export async function moveBooking({ orm }: OrmConnection, booking: RowKey, move: BookingMove) {
  const { tenantId, id } = booking
  const { from, to, ...deed } = move
  const moved = await orm
    .update(bookings)
    .set({ status: to })
    .where(and(rowOf(bookings, tenantId, id), eq(bookings.status, from)))
    .returning({ id: bookings.id })
  if (moved.length === 0) return false
  await orm.insert(bookingEvents).values({
    tenantId,
    bookingId: id,
    fromStatus: from,
    toStatus: to,
    ...deed,
    createdAt: sql`clock_timestamp()`,
  })
  return true
}
