import { sql } from 'drizzle-orm'
import { groupBy } from '../../../domain/groupBy.ts'
import type { OrmConnection } from '../../connection/database.ts'
import {
  bookingEvents,
  bookingFeeds,
  bookings,
  idempotencyRecords,
  quotes,
} from '../../schema/index.ts'

/** The hours in which a retry receives the original response (docs/contract.md#idempotency). */
const idempotencyHours = 24
/** The hours for which an unused quote is stored after it expired. */
const expiredQuoteHours = 48
/** The years for which booking events are kept after the drop-off. */
export const eventYears = 3

/** The first key of the advisory locks; the second is the job's `lock`. */
const housekeepingLock = 7_311_043

/** The housekeeping jobs, each with the condition that row `r` is past its retention. */
const pastRetention = {
  idempotencyRecords: {
    lock: 1,
    table: idempotencyRecords,
    isPast: sql`r.created_at < now() - make_interval(hours => ${idempotencyHours})`,
  },
  quotes: {
    lock: 2,
    table: quotes,
    isPast: sql`r.used_at is null
      and r.expires_at < now() - make_interval(hours => ${expiredQuoteHours})
      and not exists (select from ${bookings} b where b.tenant_id = r.tenant_id and b.quote_id = r.id)`,
  },
  /**
   * The event and the rental's end must both be past the retention. The newest event of a feed is
   * kept, because its cursor is still in use.
   */
  bookingEvents: {
    lock: 3,
    table: bookingEvents,
    isPast: sql`r.created_at < now() - make_interval(years => ${eventYears})
      and exists (select from ${bookings} b where b.tenant_id = r.tenant_id and b.id = r.booking_id
        and b.dropoff_at < now() - make_interval(years => ${eventYears}))
      and not exists (select from ${bookingFeeds} f
        where f.tenant_id = r.tenant_id and f.position = r.feed_position)`,
  },
}

export type HousekeepingJob = keyof typeof pastRetention

export const housekeepingJobs = Object.keys(pastRetention) as HousekeepingJob[]

/**
 * Deletes up to `rowsMax` rows past their retention and returns how many. Returns 0 while another
 * transaction runs the same job, because that one deletes the rows.
 */
export async function deletePastRetention(
  { orm }: OrmConnection,
  job: HousekeepingJob,
  rowsMax: number,
) {
  const { lock, table, isPast } = pastRetention[job]
  const locked = await orm.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${housekeepingLock}, ${lock}) as taken`,
  )
  if (locked.rows[0]?.taken !== true) return 0
  const found = await orm.execute<{ tenantId: string; ctid: string }>(sql`
    select r.tenant_id as "tenantId", r.ctid::text as ctid from ${table} r
    where ${isPast} limit ${rowsMax}`)
  const rowsOf = groupBy(found.rows, ({ tenantId }) => tenantId)
  let deleted = 0
  // A ctid is valid on one node only and may be reused, so the DELETE repeats the tenant and the
  // condition.
  for (const tenantId of new Set(found.rows.map((row) => row.tenantId))) {
    const ctids = rowsOf(tenantId).map(({ ctid }) => `"${ctid}"`)
    const { rowCount } = await orm.execute(sql`
      delete from ${table} r where ${isPast}
        and r.tenant_id = ${tenantId} and r.ctid = any(${`{${ctids.join()}}`}::tid[])`)
    deleted += rowCount ?? 0
  }
  return deleted
}
