import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { bookingEvents, bookings, idempotencyRecords, quotes } from './schema.ts'

/** How long what staff did with a booking is kept after its drop-off (decision 168). */
export const eventYears = 3

type Connection = Pick<Database, 'orm'>

/** Any fixed number; the second half of the lock is the chore. */
const maintenanceLock = 7_311_043
const chores = { idempotencyRecords: 1, quotes: 2, bookingEvents: 3 } as const

export type Chore = keyof typeof chores

/** Whether this transaction may do a chore; false while another one is at it, which then finishes it. */
export async function takeChore({ orm }: Connection, chore: Chore): Promise<boolean> {
  const { rows } = await orm.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${maintenanceLock}, ${chores[chore]}) as taken`,
  )
  return rows[0]?.taken === true
}

/** Deletes at most so many records of idempotency keys older than the retention; returns how many. */
export async function deleteIdempotencyRecords(
  { orm }: Connection,
  { olderThanHours, rowsMax }: { readonly olderThanHours: number; readonly rowsMax: number },
): Promise<number> {
  const { rowCount } = await orm.execute(sql`
    delete from ${idempotencyRecords} where ctid = any(array(
      select ctid from ${idempotencyRecords}
      where created_at < now() - make_interval(hours => ${olderThanHours})
      limit ${rowsMax} for update skip locked))`)
  return rowCount ?? 0
}

/** Deletes at most so many quotes that expired so long ago and were never booked; returns how many. */
export async function deleteExpiredQuotes(
  { orm }: Connection,
  { expiredDays, rowsMax }: { readonly expiredDays: number; readonly rowsMax: number },
): Promise<number> {
  const { rowCount } = await orm.execute(sql`
    delete from ${quotes} where ctid = any(array(
      select q.ctid from ${quotes} q
      where q.used_at is null and q.expires_at < now() - make_interval(days => ${expiredDays})
        and not exists (select from ${bookings} b where b.tenant_id = q.tenant_id and b.quote_id = q.id)
      limit ${rowsMax} for update of q skip locked))`)
  return rowCount ?? 0
}

/**
 * Deletes at most so many records of what staff did, when both the deed and the rental's end are so
 * long ago; returns how many.
 */
export async function deleteOldEvents(
  { orm }: Connection,
  { olderThanYears, rowsMax }: { readonly olderThanYears: number; readonly rowsMax: number },
): Promise<number> {
  const { rowCount } = await orm.execute(sql`
    delete from ${bookingEvents} where ctid = any(array(
      select e.ctid from ${bookingEvents} e
      join ${bookings} b on b.tenant_id = e.tenant_id and b.id = e.booking_id
      where e.created_at < now() - make_interval(years => ${olderThanYears})
        and b.dropoff_at < now() - make_interval(years => ${olderThanYears})
      limit ${rowsMax} for update of e skip locked))`)
  return rowCount ?? 0
}
