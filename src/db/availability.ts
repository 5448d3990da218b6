import { runNamed, type StatementRunner } from './statement.ts'

/**
 * Counts a group over [from, to) (decisions 54-56). A booking holds a vehicle until its turnaround
 * is over. Running sums by instant give the peak: what ends and what begins at one instant cancel,
 * so touching periods don't meet. The window is cut open on both sides for the index look-up, which
 * therefore reads overlapping bookings only.
 */
export const countGroup = `
with asset_group as (
  select make_interval(mins => turnaround_minutes) as turnaround
  from asset_groups
  where tenant_id = $1 and id = $2 and archived_at is null
), fleet as (
  select count(*) as total,
         count(*) filter (where not exists (
           select from asset_blocks b
           where b.tenant_id = a.tenant_id and b.asset_id = a.id and b.archived_at is null
             and b.starts_at < $4 and b.ends_at > $3)) as in_service
  from assets a
  where a.tenant_id = $1 and a.asset_group_id = $2 and a.archived_at is null
), held as (
  select b.pickup_at as starts_at, b.dropoff_at + g.turnaround as ends_at
  from asset_group g, bookings b
  where b.tenant_id = $1 and b.asset_group_id = $2
    and b.status in ('pending', 'confirmed') and (not $5 or b.status = 'confirmed')
    and tstzrange(b.pickup_at, b.dropoff_at) && tstzrange($3 - g.turnaround, $4)
), steps as (
  select greatest(starts_at, $3) as at, 1 as change from held
  union all
  select ends_at, -1 from held where ends_at < $4
), running as (
  select sum(sum(change)) over (order by at) as held from steps group by at
)
select fleet.total::int as total,
       fleet.in_service::int as "inService",
       coalesce((select max(held) from running), 0)::int as peak
from asset_group, fleet`

/** How a group stands over a window; all counts of vehicles. */
export interface GroupCount {
  readonly total: number
  readonly inService: number
  /** The most bookings at any one moment of the window. */
  readonly peak: number
}

/**
 * The one query behind the endpoint, `bookings confirm` and `audit`.
 * `confirmedOnly` leaves pending bookings out. Undefined for an unknown or archived group.
 */
export async function countAvailability(
  database: StatementRunner,
  tenantId: string,
  groupId: string,
  window: { readonly from: Date; readonly to: Date; readonly confirmedOnly?: boolean },
): Promise<GroupCount | undefined> {
  const values = [tenantId, groupId, window.from, window.to, window.confirmedOnly ?? false]
  const [count] = await runNamed<GroupCount & { [column: string]: unknown }>(
    database,
    'count_availability',
    countGroup,
    values,
  )
  return count
}
