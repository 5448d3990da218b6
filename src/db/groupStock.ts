import type { GroupStock } from '../domain/groupLoad.ts'

/** Stock by the id of its group, as JSON carries it. */
export interface StoredStock extends GroupStock {
  readonly assetGroupId: string
}

const ms = (instant: string) => `(extract(epoch from ${instant}) * 1000)::bigint`

/**
 * A select of one JSON list: the stock (domain/groupLoad.ts) of the groups in `spans`, a common
 * table of (asset_group_id, starts_at, ends_at), with all that takes a vehicle in between. A
 * pending booking counts from `heldSince` on (decision 56).
 */
export const stockOf = ({
  tenantId,
  heldSince,
  exceptBookingId,
}: Readonly<Record<'tenantId' | 'heldSince' | 'exceptBookingId', string>>) => `
select json_agg(json_build_object(
  'assetGroupId', g.id,
  'turnaroundMinutes', g.turnaround_minutes,
  'vehicles', case when g.archived_at is null then (
    select count(*) from assets a
    where a.tenant_id = ${tenantId} and a.asset_group_id = g.id and a.archived_at is null) else 0 end,
  'holdings', coalesce((
    select json_agg(json_build_object('pickupMs', ${ms('b.pickup_at')},
      'dropoffMs', ${ms('b.dropoff_at')}, 'confirmed', b.status = 'confirmed'))
    from bookings b
    where b.tenant_id = ${tenantId} and b.asset_group_id = g.id
      and b.id is distinct from ${exceptBookingId}
      and b.status in ('pending', 'confirmed')
      and (b.status = 'confirmed' or b.created_at >= ${heldSince})
      and tstzrange(b.pickup_at, b.dropoff_at) && tstzrange(
        s.starts_at - make_interval(mins => g.turnaround_minutes),
        s.ends_at + make_interval(mins => g.turnaround_minutes))), '[]'),
  'blocks', coalesce((
    select json_agg(json_build_object('assetId', k.asset_id, 'fromMs', ${ms('k.starts_at')},
      'toMs', ${ms('k.ends_at')}))
    from assets a join asset_blocks k on k.tenant_id = ${tenantId} and k.asset_id = a.id
    where a.tenant_id = ${tenantId} and a.asset_group_id = g.id and a.archived_at is null
      and k.archived_at is null and k.ends_at > s.starts_at
      and k.starts_at < s.ends_at + make_interval(mins => g.turnaround_minutes)), '[]')))
from spans s join asset_groups g on g.tenant_id = ${tenantId} and g.id = s.asset_group_id`
