import type { BookingStatus } from '../../domain/bookings.ts'
import type { StatementRunner } from '../connection/database.ts'
import type { bookings } from '../schema/index.ts'
import { bookingColumns, type ShownBooking } from './bookingList.ts'
import { idempotencyHours } from './housekeeping.ts'

/** An entry of the feed, with the current data of its booking. */
interface FeedRow
  extends ShownBooking,
    Pick<typeof bookings.$inferSelect, 'pickupLocation' | 'dropoffLocation' | 'notes'> {
  readonly position: string
  readonly eventId: string
  readonly occurredAt: Date
  /** The status after a decision; null for a new booking. */
  readonly toStatus: Exclude<BookingStatus, 'pending'> | null
  readonly actor: string | null
  readonly reason: string | null
  readonly forced: boolean | null
  /** The tenant's current time zone, which may differ from the zone at booking time. */
  readonly timeZone: string
}

type Connection = Pick<StatementRunner, 'pool'>

/**
 * Longer than any transaction that creates or decides on a booking, and than any clock difference.
 */
const margin = `interval '1 hour'`

interface FeedState {
  readonly position: string
  /** True when `settled_at` is hours old or in the future, and so must be updated. */
  readonly stale: boolean
  /**
   * True when the idempotency records since `settled_at` still exist, so that new bookings can be
   * found through them.
   */
  readonly recorded: boolean
}

/**
 * Returns the state of a tenant's feed. `lock` creates a missing feed, and locks the feed until the
 * transaction ends.
 */
export async function readFeed({ pool }: Connection, tenantId: string, mode: 'lock' | 'read') {
  const createFeed = `insert into booking_feeds (tenant_id, settled_at) values ($1, now() - ${margin})
    on conflict do nothing`
  if (mode === 'lock') await pool.query({ text: createFeed, values: [tenantId] })
  const text = `select position, settled_at not between now() - 2 * ${margin} and now() as stale,
       settled_at > now() - interval '${idempotencyHours - 1} hours' as recorded
     from booking_feeds where tenant_id = $1 ${mode === 'lock' ? 'for update' : ''}`
  const { rows } = await pool.query<FeedState>({ text, values: [tenantId] })
  return rows[0]
}

const settledAt = '(select settled_at from booking_feeds where tenant_id = $1)'

/**
 * Selects committed events without an entry, each decision after its booking. Leaves out erasures
 * (events that do not change the status), because an integration that receives an event may contact
 * the customer.
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

/** Reports whether a tenant has events without an entry in the feed. */
export async function hasUnreportedEvents(
  { pool }: Connection,
  tenantId: string,
  state: FeedState,
) {
  const text = `select exists (${unreportedEvents(state)}) as found`
  const { rows } = await pool.query<{ found: boolean }>({ text, values: [tenantId] })
  return rows[0]?.found === true
}

/** Adds events without an entry to the feed and advances `settled_at`. Lock the feed first. */
export async function appendUnreportedEvents(
  { pool }: Connection,
  tenantId: string,
  state: FeedState,
) {
  const insertEntries = `insert into booking_feed_entries (tenant_id, position, booking_id, event_id, occurred_at)
     select $1, $2::bigint + row_number() over (order by occurred_at, step, event_id),
       booking_id, event_id, occurred_at from (${unreportedEvents(state)}) unreported`
  const { rowCount } = await pool.query({ text: insertEntries, values: [tenantId, state.position] })
  const advance = `update booking_feeds set position = position + $2,
       settled_at = now() - ${margin} where tenant_id = $1`
  await pool.query({ text: advance, values: [tenantId, rowCount ?? 0] })
}

/** Returns entries after a position, in order. Decisions past their retention are left out. */
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

/** Returns the event ID of the entry at a position, or undefined if there is no such entry. */
export async function eventAt({ pool }: Connection, tenantId: string, position: string) {
  const text =
    'select event_id as id from booking_feed_entries where tenant_id = $1 and position = $2'
  const { rows } = await pool.query<{ id: string }>({ text, values: [tenantId, position] })
  return rows[0]?.id
}
