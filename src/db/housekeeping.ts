import { sql } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'
import {
  bookingEvents,
  bookingFeedEntries,
  bookingFeeds,
  bookings,
  idempotencyRecords,
  quotes,
} from './schema.ts'

/** As long as a repeated request is promised its first answer (decision 36). */
const idempotencyHours = 24
/** Long enough to look into what a customer asks about an offer that ran out. */
const expiredQuoteDays = 7
/** How long what staff did with a booking is kept after its drop-off (decision 168). */
export const eventYears = 3

/** How long `rental bookings watch` can go on from a cursor. */
const feedYears = 1

/** Any fixed number; the second half of the lock is that of the chore. */
const housekeepingLock = 7_311_043

/** The rows that are past their retention, by chore. */
const pastRetention = {
  idempotencyRecords: {
    lock: 1,
    table: idempotencyRecords,
    rows: sql`select ctid from ${idempotencyRecords}
      where created_at < now() - make_interval(hours => ${idempotencyHours})`,
  },
  /** Expired, and never booked. */
  quotes: {
    lock: 2,
    table: quotes,
    rows: sql`select q.ctid from ${quotes} q
      where q.used_at is null and q.expires_at < now() - make_interval(days => ${expiredQuoteDays})
        and not exists (select from ${bookings} b where b.tenant_id = q.tenant_id and b.quote_id = q.id)`,
  },
  /** Both the deed and the rental's end are so long ago. */
  bookingEvents: {
    lock: 3,
    table: bookingEvents,
    rows: sql`select e.ctid from ${bookingEvents} e
      where e.created_at < now() - make_interval(years => ${eventYears})
        and exists (select from ${bookings} b where b.tenant_id = e.tenant_id and b.id = e.booking_id
          and b.dropoff_at < now() - make_interval(years => ${eventYears}))`,
  },
  /** What lies before `settled_at` is not looked for again, and so is not told twice. */
  bookingFeedEntries: {
    lock: 4,
    table: bookingFeedEntries,
    rows: sql`select n.ctid from ${bookingFeedEntries} n
      where n.occurred_at < now() - make_interval(years => ${feedYears})
        and n.occurred_at < (select f.settled_at from ${bookingFeeds} f where f.tenant_id = n.tenant_id)`,
  },
}

/** A kind of rows that has a retention. */
export type Chore = keyof typeof pastRetention

/**
 * Deletes at most so many rows that a chore is for; returns how many. None while another
 * transaction is at the same chore: it will find these, too.
 */
export async function deletePastRetention(
  { orm }: OrmConnection,
  chore: Chore,
  rowsMax: number,
): Promise<number> {
  const { lock, table, rows } = pastRetention[chore]
  const locked = await orm.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${housekeepingLock}, ${lock}) as taken`,
  )
  if (locked.rows[0]?.taken !== true) return 0
  const { rowCount } = await orm.execute(sql`
    delete from ${table} where ctid = any(array(${rows} limit ${rowsMax} for update skip locked))`)
  return rowCount ?? 0
}
