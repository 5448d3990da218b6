import type { GroupStock } from '../../domain/occupancy.ts'

/** Stock by the id of its group, as JSON carries it. */
export interface StoredStock extends GroupStock {
  readonly assetGroupId: string
}

const ms = (instant: string) => `(extract(epoch from ${instant}) * 1000)::bigint`

/** Since when pending bookings of tenant `t` count as taken (decision 56). */
export const heldSince = `coalesce(now() - make_interval(hours => t.pending_hold_hours), '-infinity')`

/** Whether booking `b` of tenant $1 takes a vehicle, however late it is. */
export const holds = `(b.status = 'confirmed' or b.status = 'pending'
  and b.created_at >= (select ${heldSince} from tenants t where t.id = $1))`

/** Whether booking `b` is pending, however late, or confirmed and not over (decision 354). */
export const isOpen = (now: string) =>
  `(b.status = 'pending' or b.status = 'confirmed' and b.dropoff_at > ${now})`

/**
 * A select of one JSON list: the stock (domain/groupLoad.ts) of the groups of tenant $1 in `spans`, a
 * common table of (asset_group_id, starts_at, ends_at), with all that takes a vehicle in between.
 */
export const stockOf = (exceptBookingId: string) => `
select json_agg(json_build_object(
  'assetGroupId', g.id,
  'turnaroundMinutes', g.turnaround_minutes,
  'vehicles', case when g.archived_at is null then (
    select count(*) from assets a
    where a.tenant_id = $1 and a.asset_group_id = g.id and a.archived_at is null) else 0 end,
  'activeBookings', coalesce((
    select json_agg(json_build_object('pickupMs', ${ms('b.pickup_at')},
      'dropoffMs', ${ms('b.dropoff_at')}, 'confirmed', b.status = 'confirmed'))
    from bookings b
    where b.tenant_id = $1 and b.asset_group_id = g.id
      and b.id is distinct from ${exceptBookingId}
      and b.status in ('pending', 'confirmed') and ${holds}
      and tstzrange(b.pickup_at, b.dropoff_at) && tstzrange(
        s.starts_at - make_interval(mins => g.turnaround_minutes),
        s.ends_at + make_interval(mins => g.turnaround_minutes))), '[]'),
  'blocks', coalesce((
    select json_agg(json_build_object('assetId', k.asset_id, 'fromMs', ${ms('k.starts_at')},
      'toMs', ${ms('k.ends_at')}))
    from assets a join asset_blocks k on k.tenant_id = $1 and k.asset_id = a.id
    where a.tenant_id = $1 and a.asset_group_id = g.id and a.archived_at is null
      and k.archived_at is null and k.ends_at > s.starts_at
      and k.starts_at < s.ends_at + make_interval(mins => g.turnaround_minutes)), '[]')))
from spans s join asset_groups g on g.tenant_id = $1 and g.id = s.asset_group_id`
