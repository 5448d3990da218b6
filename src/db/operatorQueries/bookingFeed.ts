import type { BookingStatus } from '../../domain/bookings.ts'
import type { StatementRunner } from '../connection/database.ts'
import type { bookings } from '../schema/index.ts'
import { bookingColumns, type ShownBooking } from './bookingList.ts'
import { idempotencyHours } from './housekeeping.ts'

/** An entry of the feed, with what is known of its booking now. */
interface FeedRow
  extends ShownBooking,
    Pick<typeof bookings.$inferSelect, 'pickupLocation' | 'dropoffLocation' | 'notes'> {
  readonly position: string
  readonly eventId: string
  readonly occurredAt: Date
  /** The decision; null for a booking that was made. */
  readonly toStatus: Exclude<BookingStatus, 'pending'> | null
  readonly actor: string | null
  readonly reason: string | null
  readonly forced: boolean | null
  /** The tenant's zone today, not when it was booked. */
  readonly timeZone: string
}

type Connection = Pick<StatementRunner, 'pool'>

/** No transaction that makes or decides a booking takes this long, and no clocks differ so much. */
const margin = `interval '1 hour'`

interface FeedState {
  readonly position: string
  /** `settled_at` is hours old, or in the future: to be moved even if there is nothing to enter. */
  readonly stale: boolean
  /** The records of idempotency, kept for a day, reach back to `settled_at`: bookings are found by them. */
  readonly recorded: boolean
}

/** `lock` begins a feed where there is none, and keeps others out until the transaction ends. */
export async function readFeed({ pool }: Connection, tenantId: string, mode: 'lock' | 'read') {
  const open = `insert into booking_feeds (tenant_id, settled_at) values ($1, now() - ${margin})
    on conflict do nothing`
  if (mode === 'lock') await pool.query({ text: open, values: [tenantId] })
  const text = `select position, settled_at not between now() - 2 * ${margin} and now() as stale,
       settled_at > now() - interval '${idempotencyHours - 1} hours' as recorded
     from booking_feeds where tenant_id = $1 ${mode === 'lock' ? 'for update' : ''}`
  const { rows } = await pool.query<FeedState>({ text, values: [tenantId] })
  return rows[0]
}

const settledAt = '(select settled_at from booking_feeds where tenant_id = $1)'

/**
 * What is committed and has no entry yet; a decision is never before its booking. An erasure, which
 * moves a booking from its status to itself, is no news: what listens would write to the customer.
 */
const unreportedEvents = ({ recorded }: FeedState) => `
select c.* from (
  select b.id as booking_id, b.id as event_id, b.created_at as occurred_at, 0 as step
  from bookings b where b.tenant_id = $1 and ${
    recorded
      ? `b.id in (select r.booking_id from idempotency_records r
          where r.tenant_id = $1 and r.booking_id is not null and r.created_at >= ${settledAt})`
      : `b.created_at >= ${settledAt}`
  }
  union all
  select e.booking_id, e.id, greatest(e.created_at, b.created_at),
    case e.from_status when 'pending' then 1 else 2 end
  from booking_events e join bookings b on b.tenant_id = $1 and b.id = e.booking_id
  where e.tenant_id = $1 and e.created_at >= ${settledAt} and e.from_status <> e.to_status
) c
where not exists (select from booking_feed_entries n where n.tenant_id = $1 and n.event_id = c.event_id)`

export async function hasUnreportedEvents(
  { pool }: Connection,
  tenantId: string,
  state: FeedState,
) {
  const text = `select exists (${unreportedEvents(state)}) as found`
  const { rows } = await pool.query<{ found: boolean }>({ text, values: [tenantId] })
  return rows[0]?.found === true
}

/** Enters what is unreported and moves `settled_at` on; call it with the feed locked. */
export async function appendUnreportedEvents(
  { pool }: Connection,
  tenantId: string,
  state: FeedState,
) {
  const enter = `insert into booking_feed_entries (tenant_id, position, booking_id, event_id, occurred_at)
     select $1, $2::bigint + row_number() over (order by occurred_at, step, event_id),
       booking_id, event_id, occurred_at from (${unreportedEvents(state)}) unreported`
  const { rowCount } = await pool.query({ text: enter, values: [tenantId, state.position] })
  const move = `update booking_feeds set position = position + $2,
       settled_at = now() - ${margin} where tenant_id = $1`
  await pool.query({ text: move, values: [tenantId, rowCount ?? 0] })
}

/** Entries after a position, in order; not of a decision whose record is past its retention. */
export async function readEntries(
  { pool }: Connection,
  tenantId: string,
  after: string,
  limit: number,
): Promise<FeedRow[]> {
  const text = `select n.position, n.event_id as "eventId", n.occurred_at as "occurredAt",
       e.to_status as "toStatus", e.actor, e.reason, e.forced, b.notes,
       b.pickup_location as "pickupLocation", b.dropoff_location as "dropoffLocation",
       t.timezone as "timeZone", ${bookingColumns}
     from booking_feed_entries n
     join tenants t on t.id = $1
     join bookings b on b.tenant_id = $1 and b.id = n.booking_id
     join asset_groups g on g.tenant_id = $1 and g.id = b.asset_group_id
     left join booking_events e on e.tenant_id = $1 and e.id = n.event_id
     where n.tenant_id = $1 and n.position > $2 and (e.id is not null or n.event_id = n.booking_id)
     order by n.position limit $3`
  const { rows } = await pool.query<FeedRow>({ text, values: [tenantId, after, limit] })
  return rows
}

export async function eventAt({ pool }: Connection, tenantId: string, position: string) {
  const text =
    'select event_id as id from booking_feed_entries where tenant_id = $1 and position = $2'
  const { rows } = await pool.query<{ id: string }>({ text, values: [tenantId, position] })
  return rows[0]?.id
}
