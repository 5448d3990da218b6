import type { Database } from './client.ts'

/** A moment at which the vehicles held in a group can have become more than those in service. */
type FleetMoment = {
  readonly tenantId: string
  readonly assetGroupId: string
  readonly tenant: string
  readonly timezone: string
  readonly assetGroup: string
  readonly at: Date
  /** False: for a booking that begins then, no vehicle is in service to its end. */
  readonly servable: boolean
}

/** Whether group `g`, archived or not, has confirmed bookings that are not over. */
const inUse = `exists (select from bookings b
  where b.tenant_id = g.tenant_id and b.asset_group_id = g.id and b.status = 'confirmed'
    and b.dropoff_at + make_interval(mins => g.turnaround_minutes) > now())`

/**
 * The moments to look at in groups `inUse`: now, and from now on every pickup and every beginning
 * of a block. Between two of them, vehicles only come back. Each is found among one tenant's rows:
 * where tenants are on different nodes, nothing else can be asked (docs/scaling.md).
 */
const moments = `
select m.tenant_id as "tenantId", m.id as "assetGroupId", t.slug as tenant, t.timezone,
  m.ref as "assetGroup", m.at, bool_and(m.servable) as servable
from tenants t join (
  select g.tenant_id, g.id, g.ref, date_trunc('milliseconds', now()) as at, true as servable
  from asset_groups g where ${inUse}
  union
  select g.tenant_id, g.id, g.ref, p.pickup_at, g.archived_at is null and exists (
    select from assets a
    where a.tenant_id = g.tenant_id and a.asset_group_id = g.id and a.archived_at is null
      and not exists (select from asset_blocks k
        where k.tenant_id = a.tenant_id and k.asset_id = a.id and k.archived_at is null
          and k.starts_at < p.dropoff_at + make_interval(mins => g.turnaround_minutes)
          and k.ends_at > p.pickup_at))
  from asset_groups g
  join bookings p on p.tenant_id = g.tenant_id and p.asset_group_id = g.id
  where ${inUse} and p.status = 'confirmed' and p.pickup_at > now()
  union
  select g.tenant_id, g.id, g.ref, k.starts_at, true from asset_groups g
  join assets a on a.tenant_id = g.tenant_id and a.asset_group_id = g.id
  join asset_blocks k on k.tenant_id = a.tenant_id and k.asset_id = a.id
  where ${inUse} and a.archived_at is null and k.archived_at is null and k.starts_at > now()
) m on m.tenant_id = t.id
group by m.tenant_id, t.slug, t.timezone, m.id, m.ref, m.at
order by t.slug, m.ref, m.at`

export async function findFleetMoments({ pool }: Pick<Database, 'pool'>): Promise<FleetMoment[]> {
  return (await pool.query<FleetMoment>(moments)).rows
}
