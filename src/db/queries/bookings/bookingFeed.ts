import type { BookingStatus } from '../../../domain/bookingRules.ts'
import type { StatementRunner } from '../../connection/database.ts'
import { bookingColumns, type ShownBooking } from './bookingList.ts'

/** An entry of the feed, with the current data of its booking. */
interface FeedRow extends ShownBooking {
  readonly position: string
  readonly eventId: string
  readonly occurredAt: Date
  /** The status after a decision; null for a new booking. */
  readonly toStatus: Exclude<BookingStatus, 'pending'> | null
  readonly actor: string | null
  readonly reason: string | null
  readonly message: string | null
  readonly forced: boolean
  /** The tenant's current time zone, which may differ from the zone at booking time. */
  readonly timeZone: string
}

type Connection = Pick<StatementRunner, 'pool'>

/** The maximum number of rows that get a position in one transaction. */
export const feedBatchRows = 500

/**
 * Selects committed bookings and decisions without a position, oldest first, each decision after
 * its booking. Leaves out erasures (events that do not change the status), because an integration
 * that receives an event may contact the customer.
 *
 * Ordering by `feed_position`, which is null, keeps the planner from using the index of
 * `created_at`, which has the events of all tenants.
 */
const unread = (rowsMax: number) => `
(select b.id, false as decision, b.created_at from bookings b
  where b.tenant_id = $1 and b.feed_position is null
  order by b.created_at limit ${rowsMax})
union all
(select e.id, true, e.created_at from booking_events e
  where e.tenant_id = $1 and e.feed_position is null and e.from_status <> e.to_status
  order by e.feed_position, e.created_at limit ${rowsMax})
order by created_at, decision limit ${rowsMax}`

const existsUnread = `select exists (${unread(1)}) as found`

/** Creates a missing feed, and locks the feed until the transaction ends. */
const lockFeed = `insert into booking_feeds as f (tenant_id) values ($1)
  on conflict (tenant_id) do update set position = f.position where f.tenant_id = $1`

// The arrays make these statements use the primary keys, also with outdated statistics.
const assignPositions = `
with numbered as (
  select u.id, u.decision,
    f.position + row_number() over (order by u.created_at, u.decision) as position
  from booking_feeds f, (${unread(feedBatchRows)}) u where f.tenant_id = $1
), booked as (
  update bookings b set feed_position = n.position from numbered n
  where b.tenant_id = $1 and b.id = n.id
    and b.id = any(array(select id from numbered where not decision))
), decided as (
  update booking_events e set feed_position = n.position from numbered n
  where e.tenant_id = $1 and e.id = n.id
    and e.id = any(array(select id from numbered where decision))
)
update booking_feeds f set position = f.position + (select count(*) from numbered)
where f.tenant_id = $1
returning (select count(*)::int from numbered) as count`

/** Reports whether a tenant has bookings or decisions without a position. */
export async function hasUnreadEvents({ pool }: Connection, tenantId: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>({ text: existsUnread, values: [tenantId] })
  return rows[0]?.found === true
}

/**
 * Gives the oldest bookings and decisions without a position the next positions of the feed, and
 * returns how many. Call it in a transaction.
 */
export async function assignFeedPositions({ pool }: Connection, tenantId: string) {
  await pool.query({ text: lockFeed, values: [tenantId] })
  // A statement of its own, so that it reads what another reader committed during the wait.
  const { rows } = await pool.query<{ count: number }>({
    text: assignPositions,
    values: [tenantId],
  })
  return rows[0]?.count ?? 0
}

export async function readFeed(
  { pool }: Connection,
  tenantId: string,
  after: string,
  limit: number,
): Promise<FeedRow[]> {
  const text = `with page as (
       (select feed_position as position, id as event_id, id as booking_id,
          created_at as occurred_at, null as to_status, null as actor, null as reason,
          null as message, false as forced
        from bookings where tenant_id = $1 and feed_position > $2 order by feed_position limit $3)
       union all
       (select feed_position, id, booking_id, created_at, to_status, actor, reason, message,
          forced
        from booking_events where tenant_id = $1 and feed_position > $2
        order by feed_position limit $3)
       order by position limit $3
     )
     select n.position, n.event_id as "eventId", n.occurred_at as "occurredAt",
       n.to_status as "toStatus", n.actor, n.reason, n.message, n.forced,
       t.timezone as "timeZone", ${bookingColumns}
     from page n
     join tenants t on t.id = $1
     join bookings b on b.tenant_id = $1 and b.id = n.booking_id
     join asset_groups g on g.tenant_id = $1 and g.id = b.asset_group_id
     where b.id = any(array(select booking_id from page))
     order by n.position`
  const { rows } = await pool.query<FeedRow>({ text, values: [tenantId, after, limit] })
  return rows
}

const eventsAt = (position: string) => `
select feed_position as position, id from bookings where tenant_id = $1 and feed_position = ${position}
union all
select feed_position, id from booking_events where tenant_id = $1 and feed_position = ${position}`

const newestPosition = '(select position from booking_feeds where tenant_id = $1)'

/** Returns the event at a position, by default the newest, or undefined. */
export async function findFeedEvent({ pool }: Connection, tenantId: string, position?: string) {
  const query =
    position === undefined
      ? { text: eventsAt(newestPosition), values: [tenantId] }
      : { text: eventsAt('$2'), values: [tenantId, position] }
  const { rows } = await pool.query<{ position: string; id: string }>(query)
  return rows[0]
}
