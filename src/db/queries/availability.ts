import type { StatementRunner } from '../connection/database.ts'
import { runNamed } from '../connection/statement.ts'
import { heldSince } from './groupStock.ts'

/**
 * Counts a group over [from, to + turnaround), the window of the booking it may become, or over the
 * single moment `from` when there is no `to` (decisions 54-56). Running sums by instant give the
 * peak: what ends and what begins at one instant cancel, so touching periods don't meet. The index
 * look-up reaches back by the turnaround and reads overlapping bookings only: the window is a value
 * to it, since a join could read all bookings of the group and compare the windows afterwards.
 * $1 is the tenant, $2 the group, $3 and $4 the window, $5 is `confirmedOnly`.
 */
const countGroup = `
with span as (
  select turnaround, $3::timestamptz as starts_at,
         coalesce($4::timestamptz + turnaround, $3::timestamptz + interval '1 ms') as ends_at,
         ${heldSince} as held_since,
         g.archived_at is null as offered
  from asset_groups g join tenants t on t.id = $1, make_interval(mins => g.turnaround_minutes) turnaround
  where g.tenant_id = $1 and g.id = $2 and ($5 or g.archived_at is null)
), fleet as (
  select count(*) as total,
         count(*) filter (where not exists (
           select from asset_blocks b
           where b.tenant_id = $1 and b.asset_id = a.id and b.archived_at is null
             and b.starts_at < s.ends_at and b.ends_at > s.starts_at)) as in_service
  from span s, assets a
  where a.tenant_id = $1 and a.asset_group_id = $2 and a.archived_at is null and s.offered
), held as (
  select greatest(b.pickup_at, s.starts_at) as starts_at,
         b.dropoff_at + s.turnaround as ends_at, s.ends_at as window_ends_at
  from span s, bookings b
  where b.tenant_id = $1 and b.asset_group_id = $2
    and b.status in ('pending', 'confirmed')
    and (b.status = 'confirmed' or not $5 and b.created_at >= s.held_since)
    and tstzrange(b.pickup_at, b.dropoff_at)
      && (select tstzrange(starts_at - turnaround, ends_at) from span)
), steps as (
  select starts_at as at, 1 as change from held
  union all
  select ends_at, -1 from held where ends_at < window_ends_at
), running as (
  select sum(sum(change)) over (order by at) as held from steps group by at
)
select fleet.total::int as total,
       fleet.in_service::int as "inService",
       coalesce((select max(held) from running), 0)::int as peak
from span, fleet`

/** How a group stands over a window, in vehicles; `peak`: the most bookings at any one moment of it. */
type GroupCount = Readonly<Record<'total' | 'inService' | 'peak', number>>

/** A rental by its own times: its turnaround is added where it is counted, and nowhere else. */
interface RentalWindow {
  readonly from: Date
  /** Null when only the moment `from` counts. */
  readonly to: Date | null
  readonly confirmedOnly?: boolean
}

/**
 * How a group stands for a rental, as the endpoint and `bookings confirm` count it (decision 54).
 * Undefined for an unknown group, and for an archived one, without vehicles, if not `confirmedOnly`.
 */
export async function countAvailability(
  database: StatementRunner,
  tenantId: string,
  groupId: string,
  { from, to, confirmedOnly = false }: RentalWindow,
): Promise<GroupCount | undefined> {
  const values = [tenantId, groupId, from, to, confirmedOnly]
  const [counted] = await runNamed<GroupCount>(database, 'count_availability', countGroup, values)
  return counted
}
