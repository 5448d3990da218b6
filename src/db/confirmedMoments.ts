import type { Database } from './client.ts'

/** A moment at which the vehicles held in a group can have become more than those in service. */
export type FleetMoment = {
  readonly tenantId: string
  readonly slug: string
  readonly assetGroupId: string
  readonly groupRef: string
  readonly at: Date
}

/**
 * From now on, of groups with confirmed bookings: now, every pickup, and every beginning of a
 * block. Between two of these, vehicles only come back.
 */
const moments = `
with groups as (
  select distinct g.tenant_id, t.slug, g.id, g.ref from asset_groups g
  join tenants t on t.id = g.tenant_id
  join bookings b on b.tenant_id = g.tenant_id and b.asset_group_id = g.id
  where b.status = 'confirmed' and g.archived_at is null
    and b.dropoff_at + make_interval(mins => g.turnaround_minutes) > now()
)
select g.tenant_id as "tenantId", g.slug, g.id as "assetGroupId", g.ref as "groupRef", m.at
from groups g, lateral (
  select date_trunc('milliseconds', now()) as at
  union
  select pickup_at from bookings b
  where b.tenant_id = g.tenant_id and b.asset_group_id = g.id and b.status = 'confirmed'
    and b.pickup_at > now()
  union
  select starts_at from asset_blocks k
  join assets a on a.tenant_id = k.tenant_id and a.id = k.asset_id
  where a.tenant_id = g.tenant_id and a.asset_group_id = g.id and a.archived_at is null
    and k.archived_at is null and k.starts_at > now()
) m
order by g.slug, g.ref, m.at`

export async function findFleetMoments({ pool }: Pick<Database, 'pool'>): Promise<FleetMoment[]> {
  return (await pool.query<FleetMoment>(moments)).rows
}
