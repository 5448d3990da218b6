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
 * The numbers of vehicles taken at the pickups of group `g`: at the i-th pickup, i minus the
 * bookings whose turnaround is over. `width_bucket` finds that number by binary search.
 */
const vehiclesTakenAtPickups = `
  select i, i - width_bucket(g.pickups[i] - g.turnaround, g.dropoffs) as taken
  from (select generate_series(1, cardinality(g.pickups)) as i) numbers`

/**
 * A common table expression for tenant $1. `occupied_groups` has the vehicles and the bookings `b` that
 * meet `condition`, of each group during its windows, and the blocks during these windows and
 * bookings.
 */
const occupiedGroups = (condition = 'true', columns = '') => `
occupied_groups as materialized (
select s.*, v.total, k.*, b.*
from (
  select asset_group_id, archived, turnaround, confirmed_only,
    min(starts_at) as starts_at, max(ends_at) as ends_at
  from windows group by asset_group_id, archived, turnaround, confirmed_only
) s
cross join lateral (
  select count(*)::int as total, bool_or(exists (
      select from asset_blocks k
      where k.tenant_id = $1 and k.asset_id = a.id and k.archived_at is null
    )) as has_blocks
  from assets a
  where a.tenant_id = $1 and a.asset_group_id = s.asset_group_id and a.archived_at is null
    and not s.archived
) v
cross join lateral (
  select array_agg(b.pickup_at order by b.pickup_at) as pickups,
    array_agg(b.dropoff_at order by b.dropoff_at) as dropoffs${columns}
  from bookings b
  where b.tenant_id = $1 and b.asset_group_id = s.asset_group_id
    and b.status in ('pending', 'confirmed')
    and (b.status = 'confirmed' or not s.confirmed_only and b.created_at >= ${holdCutoff})
    and b.dropoff_at > s.starts_at - s.turnaround and b.pickup_at < s.ends_at
    and ${condition}
) b
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
      where v.has_blocks
        and a.tenant_id = $1 and a.asset_group_id = s.asset_group_id and a.archived_at is null
        and k.archived_at is null and k.ends_at > least(s.starts_at, b.pickups[1])
        and k.starts_at < greatest(s.ends_at, b.dropoffs[cardinality(b.dropoffs)] + s.turnaround)
      group by k.asset_id
    ) blocks
  ) gaps
) k
)`

/** Returns the number of vehicles of group `g` without a block during a period. */
const inService = (startsAt: string, endsAt: string) => `
  greatest(g.total - case when g.block_starts is null then 0 else
    width_bucket(${endsAt} - interval '1 us', g.block_starts)
    - width_bucket(${startsAt}, g.block_ends)
    - (select count(*)::int from unnest(g.gap_ends[width_bucket(${startsAt}, g.gap_starts) + 1
        : width_bucket(${endsAt}, g.gap_starts)]) gap_end where gap_end < ${endsAt})
  end, 0)`

/** The bookings, with their turnaround, that begin before or end after the window of a rental. */
const bookingsAcrossBounds = `,
    array_agg(tstzrange(b.pickup_at, b.dropoff_at + s.turnaround)) filter (
      where v.has_blocks and (b.pickup_at < s.starts_at or b.dropoff_at > s.ends_at - s.turnaround)
    ) as across`

/**
 * The first pickup of a booking that has no vehicle if a rental takes one in window `w`: at a moment
 * of both, the rental and the bookings exceed the vehicles in service for the whole booking.
 *
 * Bookings within the window are not compared: they have at least the vehicles of the window. The
 * condition before `then` is false if no block is near, which saves the comparison.
 */
const shortPickup = `
case when v."inService" > p.peak
    and g.total - cardinality(g.block_starts) + cardinality(coalesce(g.gap_starts, '{}')) <= p.peak
then (
  select min(lower(o)) from unnest(g.across) o
  where ${inService('lower(o)', 'upper(o)')} <= (
    select max(i - width_bucket(g.pickups[i] - g.turnaround, g.dropoffs))
    from generate_series(width_bucket(greatest(lower(o), w.starts_at), g.pickups),
      width_bucket(least(upper(o), w.ends_at) - interval '1 us', g.pickups)) i)
) end`

/**
 * The periods in which each rental of an hour or more takes in a moment without a free vehicle, with
 * its turnaround. Shorter gaps between them are closed.
 *
 * A group of n vehicles is full from the i-th pickup until the drop-off number i - n + 1. With two
 * vehicles and pickups at 8:00, 9:00 and 10:00, the pickup at 9:00 takes the last one until the first
 * drop-off, and that at 10:00 until the second. So the i-th pickup is paired with that drop-off,
 * separately between the moments at which a block begins or ends, because n changes there. Only the
 * first and the last of pairs that overlap bound a period; the others are left out before the sort.
 */
const soldOut = `
select coalesce(array_agg(greatest(starts_at - g.turnaround, w.starts_at) order by starts_at)
    filter (where is_new), '{}') as "soldOutFrom",
  coalesce(array_agg(last_end order by last_end) filter (where is_new and last_end is not null)
    || least(max(ends_at), w.ends_at - g.turnaround), '{}') as "soldOutTo"
from (
  select *, is_first
    and (last_end is null or starts_at - last_end >= g.turnaround + interval '1 hour') as is_new
  from (
    select *, lag(ends_at) over (order by starts_at, is_first desc) as last_end
    from (
      select greatest(taken_at, starts_at) as starts_at, least(free_at, ends_at) as ends_at,
        last_free_at is null or last_free_at <= taken_at as is_first
      from (
        select starts_at, ends_at,
          unnest(case when vehicles = 0 then array[starts_at]
            else g.pickups[first : last] end) as taken_at,
          unnest(case when vehicles = 0 then array[ends_at]
            else g.dropoffs[first - vehicles + 1 : last - vehicles + 1] end) + g.turnaround as free_at,
          unnest(g.pickups[first + 1 : last]) as next_taken_at,
          unnest(null::timestamptz || g.dropoffs[first - vehicles + 1 : last - vehicles]) + g.turnaround
            as last_free_at
        from (
          select *, greatest(width_bucket(starts_at, g.pickups), vehicles) as first,
            case when vehicles > 0 then width_bucket(ends_at - interval '1 us', g.pickups)
              else 0 end as last
          from (
            select at as starts_at, lead(at, 1, w.ends_at) over (order by at) as ends_at,
              g.total - coalesce(
                width_bucket(at, g.block_starts) - width_bucket(at, g.block_ends), 0) as vehicles
            from unnest(w.starts_at || g.block_starts || g.block_ends) at
            where at >= w.starts_at and at < w.ends_at and v."inService" <= p.peak
          ) spans
        ) bounds
        where first <= last or vehicles = 0
      ) pairs
      where (free_at <= next_taken_at or last_free_at <= taken_at
          or next_taken_at is null or last_free_at is null)
        and free_at > greatest(taken_at, starts_at)
    ) ends_of_periods
    where starts_at < ends_at
  ) ordered
) periods`

/**
 * Common table expressions. `counts` has the vehicles and bookings of tenant $1 in one window. An
 * expression `windows` must stand before them, with the columns starts_at, ends_at, confirmed_only
 * and those of `groupOfWindow`.
 *
 * At pickups before the window, no more vehicles are taken than at its start, because all bookings
 * that were read touch the window.
 */
export const windowCount = `${occupiedGroups('true', bookingsAcrossBounds)}, counts as (
select g.total, coalesce(cardinality(g.pickups), 0) as "bookingCount", v."inService", p.peak,
  ${shortPickup} as "shortPickup", s.*
from occupied_groups g cross join windows w
cross join lateral (select ${inService('w.starts_at', 'w.ends_at')} as "inService" offset 0) v
cross join lateral (
  select coalesce(max(taken), 0)::int as peak from (${vehiclesTakenAtPickups}) at_pickups
) p
cross join lateral (${soldOut}) s
)`

/**
 * Common table expressions like `windowCount`, for many windows numbered by the column n of
 * `windows`. Counts the bookings `b` that meet `condition`.
 *
 * Reads each group once, for all of its windows. `taken` has the vehicles taken at each pickup, and
 * `block_maxima` the maximum of each 32 of them.
 * The expressions are materialized, so that nothing sorts or copies the arrays once for each window.
 */
export const windowCounts = (
  condition: string,
) => `${occupiedGroups(condition)}, pickups_taken as materialized (
select g.*, array(select taken from (${vehiclesTakenAtPickups}) at_pickups order by i) as taken,
  array(
    select max(taken) from (${vehiclesTakenAtPickups}) at_pickups
    group by (i - 1) / 32 order by (i - 1) / 32
  ) as block_maxima
from occupied_groups g
), counts as materialized (
select w.n, w.confirmed_only, ${inService('w.starts_at', 'w.ends_at')} as "inService",
  case when g.pickups is null then 0 else greatest(
    width_bucket(w.starts_at, g.pickups) - width_bucket(w.starts_at - g.turnaround, g.dropoffs),
    (select max(at_pickup) from (
      select unnest(g.taken[low + 1 : least(high, first * 32)]
        || g.block_maxima[first + 1 : last] || g.taken[greatest(first, last) * 32 + 1 : high])
      from (
        select low, high, (low + 31) / 32 as first, high / 32 as last
        from (
          select width_bucket(w.starts_at, g.pickups) as low,
            width_bucket(w.ends_at - interval '1 us', g.pickups) as high
        ) during
      ) blocks
    ) during_window(at_pickup))
  )::int end as peak
from pickups_taken g
join windows w on w.asset_group_id = g.asset_group_id and w.confirmed_only = g.confirmed_only
)`
