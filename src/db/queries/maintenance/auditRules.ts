import type { Database } from '../../connection/database.ts'
import type { RowKey } from '../../connection/statement.ts'
import { hasPersonalData } from '../bookings/detailColumns.ts'
import { eventYears } from './retention.ts'

const lineSum = (lines: string) =>
  `(select coalesce(sum((line->>'amount')::numeric), 0) from jsonb_array_elements(${lines}) line)`

const withQuote = 'join quotes q on q.tenant_id = b.tenant_id and q.id = b.quote_id'

/**
 * The rules of bookings and fleets, each with a query for the rows that break it. Do not reuse the code that
 * writes these rows: a bug in that code would also hide its result here.
 */
const violationQueries = {
  'a quote has one booking at most': `
    select tenant_id, quote_id as id from bookings group by 1, 2 having count(*) > 1`,
  'a used quote has a booking': `
    select q.tenant_id, q.id from quotes q where q.used_at is not null and not exists (
      select from bookings b where b.tenant_id = q.tenant_id and b.quote_id = q.id)`,
  'the quote of a booking is marked as used': `
    select b.tenant_id, b.id from bookings b ${withQuote} where q.used_at is null`,
  'a booking was created before its quote expired': `
    select b.tenant_id, b.id from bookings b ${withQuote} where b.created_at > q.expires_at`,
  'a booking has the key, group, dates, total and currency of its quote': `
    select b.tenant_id, b.id from bookings b left ${withQuote}
      where (b.api_key_id, b.asset_group_id, b.pickup_at, b.dropoff_at, b.total_minor, b.currency)
        is distinct from
        (q.api_key_id, q.asset_group_id, q.pickup_at, q.dropoff_at, q.total_minor, q.currency)`,
  'an idempotency record has the key and session of its booking': `
    select r.tenant_id, b.id from idempotency_records r
      join bookings b on b.tenant_id = r.tenant_id and b.id = r.booking_id
      ${withQuote}
      where r.api_key_id <> b.api_key_id
        or r.session_scope <> coalesce(q.session_id::text, 'server')`,
  'a recorded outcome can be replayed, and has a booking exactly if it is ACCEPTED': `
    select r.tenant_id, r.booking_id as id from idempotency_records r
      left join bookings b on b.tenant_id = r.tenant_id and b.id = r.booking_id
      where (r.outcome = 'ACCEPTED') <> (b.id is not null)
        or r.outcome not in ('ACCEPTED', 'QUOTE_NOT_FOUND', 'QUOTE_SESSION_MISMATCH',
          'QUOTE_ALREADY_USED', 'QUOTE_EXPIRED')`,
  'the lines of a quote add up to the total that is booked': `
    select q.tenant_id, q.id from quotes q,
      lateral (select q.breakdown as b) breakdown
      where ${lineSum(`b->'rate'->'lines'`)} + ${lineSum(`b->'extras'`)}
          <> (b->>'subtotal')::numeric
        or (b->>'total')::numeric <> (b->>'subtotal')::numeric
          + case when (b->'tax'->>'included')::boolean then 0 else (b->'tax'->>'amount')::numeric end
        or replace(b->>'total', '.', '')::numeric <> q.total_minor`,
  'an erased booking has no personal data': `
    select b.tenant_id, b.id from bookings b
      where b.erased_at is not null and ${hasPersonalData('b')}`,
  'the status of a booking is that of its latest recorded status change': `
    select b.tenant_id, b.id from bookings b
      left join lateral (select to_status from booking_events e
        where e.tenant_id = b.tenant_id and e.booking_id = b.id and e.from_status <> e.to_status
        order by e.from_status = 'confirmed' desc limit 1) last on true
      where b.status <> coalesce(last.to_status, 'pending')
        and b.dropoff_at >= now() - interval '${eventYears} years'`,
}

type Invariant = (typeof invariants)[number]

export const invariants = Object.entries(violationQueries).map(([name, broken]) => ({
  name,
  broken,
}))

/** Returns how many rows break an invariant, and up to five examples. */
export async function checkInvariant({ pool }: Pick<Database, 'pool'>, { broken }: Invariant) {
  const { rows } = await pool.query<RowKey & { count: number }>(
    `select tenant_id as "tenantId", id, count(*) over ()::int as count
     from (${broken}) broken limit 5`,
  )
  const examples = rows.map(({ tenantId, id }) => ({ tenantId, id }))
  return { count: rows[0]?.count ?? 0, examples }
}

/** A time at which a group may become overbooked. */
export interface FleetMoment {
  readonly tenantId: string
  readonly assetGroupId: string
  readonly tenant: string
  readonly timezone: string
  readonly assetGroup: string
  readonly at: Date
  /** False when a booking starts at this time and no vehicle is in service for all of it. */
  readonly servable: boolean
}

/** SQL condition that group `g`, archived or not, has confirmed bookings that are not over. */
const inUse = `exists (select from bookings b
  where b.tenant_id = g.tenant_id and b.asset_group_id = g.id and b.status = 'confirmed'
    and b.dropoff_at + make_interval(mins => g.turnaround_minutes) > now())`

/**
 * Selects the current time, and the times of all future pickups and block starts; between two of
 * these times, the number of free vehicles can only grow. Join by `tenant_id` everywhere, because
 * distributed databases reject other joins.
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

/** Returns all times at which the audit must count a group, of all tenants. */
export async function findFleetMoments({ pool }: Pick<Database, 'pool'>): Promise<FleetMoment[]> {
  return (await pool.query<FleetMoment>(moments)).rows
}
