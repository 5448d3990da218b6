import type { GroupStock } from '../../domain/occupancy.ts'

/** The vehicles, bookings and blocks of a group, as selected by `stockOf`. */
export interface StoredStock extends GroupStock {
  readonly assetGroupId: string
  readonly archived: boolean
}

/**
 * SQL for the earliest creation time at which a pending booking of tenant `t` still holds a
 * vehicle.
 */
const holdCutoff = `coalesce(now() - make_interval(hours => t.pending_hold_hours), '-infinity')`

/** SQL condition that booking `b` of tenant $1 holds a vehicle, even if its dates have passed. */
export const holds = `(b.status = 'confirmed' or b.status = 'pending'
  and b.created_at >= (select ${holdCutoff} from tenants t where t.id = $1))`

/** Returns the SQL condition that booking `b` is pending, or is confirmed and not over. */
export const isOpen = (now: string) =>
  `(b.status = 'pending' or b.status = 'confirmed' and b.dropoff_at > ${now})`

const ms = (instant: string) => `(date_part('epoch', ${instant}) * 1000)::int8`

/** Concatenates a JSON list of numbers as text, several times faster than JSON functions. */
const listOf = (instant: string, status: 'confirmed' | 'pending') =>
  `('[' || coalesce(string_agg(${ms(instant)}::text, ',')
     filter (where b.status = '${status}'), '') || ']')::json`

const timesOf = (status: 'confirmed' | 'pending') => `json_build_object(
    'pickupsMs', ${listOf('b.pickup_at', status)},
    'dropoffsMs', ${listOf('b.dropoff_at', status)})`

/**
 * Returns SQL that selects a `StoredStock` for each group of tenant $1 in `spans`, a common table
 * expression with the columns asset_group_id, starts_at and ends_at.
 */
export const stockOf = (exceptBookingId: string) => `
select json_build_object(
  'assetGroupId', g.id,
  'turnaroundMinutes', g.turnaround_minutes,
  'archived', g.archived_at is not null,
  'vehicles', case when g.archived_at is null then (
    select count(*) from assets a
    where a.tenant_id = $1 and a.asset_group_id = g.id and a.archived_at is null) else 0 end,
  'confirmed', active.confirmed,
  'pending', active.pending,
  'blocks', coalesce((
    select json_agg(json_build_object('assetId', k.asset_id, 'fromMs', ${ms('k.starts_at')},
      'toMs', ${ms('k.ends_at')}))
    from assets a join asset_blocks k on k.tenant_id = $1 and k.asset_id = a.id
    where a.tenant_id = $1 and a.asset_group_id = g.id and a.archived_at is null
      and k.archived_at is null and k.ends_at > s.starts_at
      and k.starts_at < s.ends_at + make_interval(mins => g.turnaround_minutes)), '[]')) as stock
from spans s
join asset_groups g on g.tenant_id = $1 and g.id = s.asset_group_id
cross join lateral (
  select ${timesOf('confirmed')} as confirmed, ${timesOf('pending')} as pending
  from bookings b
  where b.tenant_id = $1 and b.asset_group_id = g.id
    and b.id is distinct from ${exceptBookingId}
    and b.status in ('pending', 'confirmed') and ${holds}
    and tstzrange(b.pickup_at, b.dropoff_at) && tstzrange(
      s.starts_at - make_interval(mins => g.turnaround_minutes),
      s.ends_at + make_interval(mins => g.turnaround_minutes))
) active`
