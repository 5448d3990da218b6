/**
 * SQL for the earliest creation time at which a pending booking of tenant $1 still holds a vehicle.
 */
const holdCutoff = `(
  select coalesce(now() - make_interval(hours => t.pending_hold_hours), '-infinity')
  from tenants t where t.id = $1)`

/** SQL condition that booking `b` of tenant $1 holds a vehicle, even if its dates have passed. */
export const holds = `(b.status = 'confirmed' or b.status = 'pending' and b.created_at >= ${holdCutoff})`

/** Returns the SQL condition that booking `b` is pending, or is confirmed and not over. */
export const isOpen = (now: string) =>
  `(b.status = 'pending' or b.status = 'confirmed' and b.dropoff_at > ${now})`

/** The columns of group `g` that a window needs. */
export const groupOfWindow = `g.id as asset_group_id, g.archived_at is not null as archived,
  make_interval(mins => g.turnaround_minutes) as turnaround`

/**
 * Common table expressions. `counts` has the vehicles and bookings of tenant $1 in each window. An
 * expression `windows` must stand before them, with the columns n, starts_at, ends_at,
 * confirmed_only and those of `groupOfWindow`. Counts the bookings `b` that meet `condition`.
 *
 * Reads each group once, for all of its windows, so `groups` must be materialized. The vehicles
 * taken when the i-th booking in the order of pickups begins are i minus the bookings whose
 * turnaround has ended by then; `width_bucket` finds their number by binary search.
 */
export const windowCounts = (condition = 'true') => `
groups as materialized (
select s.*, v.total, k.*, b.*
from (
  select asset_group_id, archived, turnaround, confirmed_only,
    min(starts_at) as starts_at, max(ends_at) as ends_at
  from windows group by asset_group_id, archived, turnaround, confirmed_only
) s
cross join lateral (
  select count(*)::int as total from assets a
  where a.tenant_id = $1 and a.asset_group_id = s.asset_group_id and a.archived_at is null
    and not s.archived
) v
cross join lateral (
  select array_agg(k.asset_id order by k.starts_at) as blocked_ids,
    array_agg(k.starts_at order by k.starts_at) as block_starts,
    array_agg(k.ends_at order by k.starts_at) as block_ends,
    max(k.ends_at - k.starts_at) as longest_block
  from assets a join asset_blocks k on k.tenant_id = $1 and k.asset_id = a.id
  where a.tenant_id = $1 and a.asset_group_id = s.asset_group_id and a.archived_at is null
    and k.archived_at is null and k.ends_at > s.starts_at and k.starts_at < s.ends_at
) k
cross join lateral (
  select array_agg(b.pickup_at order by b.pickup_at) as pickups,
    array_agg(b.dropoff_at order by b.dropoff_at) as dropoffs
  from bookings b
  where b.tenant_id = $1 and b.asset_group_id = s.asset_group_id
    and b.status in ('pending', 'confirmed')
    and (b.status = 'confirmed' or not s.confirmed_only and b.created_at >= ${holdCutoff})
    and tstzrange(b.pickup_at, b.dropoff_at) && tstzrange(s.starts_at - s.turnaround, s.ends_at)
    and ${condition}
) b
), counts as (
select w.n, w.confirmed_only, g.total, greatest(g.total - o.blocked, 0) as "inService", p.peak
from groups g
join windows w on w.asset_group_id = g.asset_group_id and w.confirmed_only = g.confirmed_only
cross join lateral (
  select count(distinct asset_id)::int as blocked
  from (
    select width_bucket(w.starts_at - g.longest_block, g.block_starts) + 1 as low,
      width_bucket(w.ends_at, g.block_starts) as high
  ) near
  cross join unnest(g.blocked_ids[low:high], g.block_starts[low:high], g.block_ends[low:high])
    as block(asset_id, starts_at, ends_at)
  where block.starts_at < w.ends_at and block.ends_at > w.starts_at
) o
cross join lateral (
  select coalesce(max(earlier + i
    - width_bucket(greatest(pickup_at, w.starts_at) - g.turnaround, g.dropoffs)), 0)::int as peak
  from (select greatest(width_bucket(w.starts_at, g.pickups), 1) - 1 as earlier) first
  cross join unnest(g.pickups[earlier + 1 : width_bucket(w.ends_at - interval '1 us', g.pickups)])
    with ordinality as taken(pickup_at, i)
) p
)`
