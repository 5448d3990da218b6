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
 * Reads each group once, for all of its windows. `levels` has the number of vehicles taken at each
 * pickup: at the i-th pickup, i minus the bookings whose turnaround is over.
 * `width_bucket` finds numbers of bookings by binary search. For many windows, `block_maxima` has
 * the maximum of each 32 levels. Both expressions are materialized, so that nothing sorts or copies
 * the arrays once for each window.
 */
export const windowCounts = (condition = 'true') => `
groups as materialized (
select s.*, v.total, k.*, b.*, l.levels, (
    select array_agg((select max(level) from unnest(l.levels[i + 1 : i + block]) level) order by i)
    from generate_series(0, cardinality(l.levels) - block, block) i
  ) as block_maxima
from (
  select asset_group_id, archived, turnaround, confirmed_only,
    min(starts_at) as starts_at, max(ends_at) as ends_at,
    case when count(*) = 1 then 1 << 30 else 32 end as block
  from windows group by asset_group_id, archived, turnaround, confirmed_only
) s
cross join lateral (
  select count(*)::int as total from assets a
  where a.tenant_id = $1 and a.asset_group_id = s.asset_group_id and a.archived_at is null
    and not s.archived
) v
cross join lateral (
  select array_agg(lower(blocked) order by blocked) as block_starts,
    array_agg(upper(blocked) order by upper(blocked)) as block_ends,
    array_agg(gap_start order by gap_start) filter (where gap_start is not null) as gap_starts,
    array_agg(lower(blocked) order by gap_start) filter (where gap_start is not null) as gap_ends
  from (
    select blocked, lag(upper(blocked)) over (partition by asset_id order by blocked) as gap_start
    from (
      select k.asset_id, unnest(range_agg(tstzrange(k.starts_at, k.ends_at))) as blocked
      from assets a join asset_blocks k on k.tenant_id = $1 and k.asset_id = a.id
      where a.tenant_id = $1 and a.asset_group_id = s.asset_group_id and a.archived_at is null
        and k.archived_at is null and k.ends_at > s.starts_at and k.starts_at < s.ends_at
      group by k.asset_id
    ) blocks
  ) gaps
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
cross join lateral (
  select array_agg(i::int - width_bucket(pickup_at - s.turnaround, b.dropoffs) order by i) as levels
  from unnest(b.pickups) with ordinality as taken(pickup_at, i)
) l
), counts as materialized (
select w.n, w.confirmed_only, g.total,
  greatest(g.total - case when g.block_starts is null then 0 else
    width_bucket(w.ends_at - interval '1 us', g.block_starts)
    - width_bucket(w.starts_at, g.block_ends)
    - (select count(*)::int from unnest(g.gap_ends[width_bucket(w.starts_at, g.gap_starts) + 1
        : width_bucket(w.ends_at, g.gap_starts)]) gap_end where gap_end < w.ends_at)
  end, 0) as "inService",
  case when g.pickups is null then 0 else greatest(
    width_bucket(w.starts_at, g.pickups) - width_bucket(w.starts_at - g.turnaround, g.dropoffs),
    (select max(level) from (
      select unnest(g.levels[low + 1 : least(high, first * block)]
        || g.block_maxima[first + 1 : last] || g.levels[greatest(first, last) * block + 1 : high])
      from (
        select low, high, (low + block - 1) / block as first, high / block as last
        from (
          select width_bucket(w.starts_at, g.pickups) as low,
            width_bucket(w.ends_at - interval '1 us', g.pickups) as high
        ) during
      ) blocks
    ) taken(level))
  )::int end as peak
from groups g
join windows w on w.asset_group_id = g.asset_group_id and w.confirmed_only = g.confirmed_only
)`
