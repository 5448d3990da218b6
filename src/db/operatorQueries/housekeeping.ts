import { sql } from 'drizzle-orm'
import { groupBy } from '../../domain/groupBy.ts'
import type { OrmConnection } from '../connection/database.ts'
import {
  bookingEvents,
  bookingFeedEntries,
  bookingFeeds,
  bookings,
  idempotencyRecords,
  quotes,
} from '../schema/index.ts'

/** As long as a repeated request is promised its first answer (decision 36). */
export const idempotencyHours = 24
/** Long enough to look into what a customer asks about an offer that ran out. */
const expiredQuoteDays = 7
/** How long what staff did with a booking is kept after its drop-off (decision 168). */
export const eventYears = 3

/** How long `rental bookings watch` can go on from a cursor that is not the newest. */
const feedYears = 1

/** Any fixed number; the second half of the lock is that of the chore. */
const housekeepingLock = 7_311_043

/** The rows `r` that are past their retention, by chore. */
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
      and r.expires_at < now() - make_interval(days => ${expiredQuoteDays})
      and not exists (select from ${bookings} b where b.tenant_id = r.tenant_id and b.quote_id = r.id)`,
  },
  /** Both the deed and the rental's end are so long ago. */
  bookingEvents: {
    lock: 3,
    table: bookingEvents,
    isPast: sql`r.created_at < now() - make_interval(years => ${eventYears})
      and exists (select from ${bookings} b where b.tenant_id = r.tenant_id and b.id = r.booking_id
        and b.dropoff_at < now() - make_interval(years => ${eventYears}))`,
  },
  /**
   * What lies before `settled_at` is not looked for again, and so is not told twice. An entry stays
   * until the next is past its year, too, and the last for good: it is where those who watch go on
   * who had nothing to hear since (decision 470).
   */
  bookingFeedEntries: {
    lock: 4,
    table: bookingFeedEntries,
    isPast: sql`r.occurred_at < now() - make_interval(years => ${feedYears})
      and exists (select from ${bookingFeeds} f where f.tenant_id = r.tenant_id
        and r.occurred_at < f.settled_at and r.position < f.position)
      and not exists (select from ${bookingFeedEntries} n where n.tenant_id = r.tenant_id
        and n.position = r.position + 1
        and n.occurred_at >= now() - make_interval(years => ${feedYears}))`,
  },
}

export type Chore = keyof typeof pastRetention

export const chores = Object.keys(pastRetention) as Chore[]

/**
 * Deletes at most so many rows that a chore is for; returns how many. None while another
 * transaction is at the same chore: it will find these, too. Found over all tenants, deleted tenant
 * by tenant, where they are: the place of a row says nothing on another node (docs/scaling.md), and
 * by then another row may have it.
 */
export async function deletePastRetention({ orm }: OrmConnection, chore: Chore, rowsMax: number) {
  const { lock, table, isPast } = pastRetention[chore]
  const locked = await orm.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${housekeepingLock}, ${lock}) as taken`,
  )
  if (locked.rows[0]?.taken !== true) return 0
  const found = await orm.execute<{ tenantId: string; place: string }>(sql`
    select r.tenant_id as "tenantId", r.ctid::text as place from ${table} r
    where ${isPast} limit ${rowsMax}`)
  const rowsOf = groupBy(found.rows, ({ tenantId }) => tenantId)
  let deleted = 0
  for (const tenantId of new Set(found.rows.map((row) => row.tenantId))) {
    const places = rowsOf(tenantId).map(({ place }) => `"${place}"`)
    const { rowCount } = await orm.execute(sql`
      delete from ${table} r where ${isPast}
        and r.tenant_id = ${tenantId} and r.ctid = any(${`{${places.join()}}`}::tid[])`)
    deleted += rowCount ?? 0
  }
  return deleted
}
