import pg from 'pg'
import { describeApiKey, generateApiKey, hashApiKey } from '../../src/auth/apiKeys.ts'
import { scopes } from '../../src/domain/access.ts'

export interface SeedSize {
  readonly tenants: number
  readonly keysPerTenant: number
  readonly bookingsPerTenant: number
  /** `listLength` by default. */
  readonly groupsPerTenant?: number
}

/** The worst realistic shape: all load on one tenant. */
export const oneBusyTenant: SeedSize = { tenants: 1, keysPerTenant: 8, bookingsPerTenant: 2_000 }

/** The groups of a tenant, with a vehicle each, and the rates of its first group. */
export const listLength = 20

/** The only origin that may use the keys. */
export const origin = 'https://shop.example'

/** A key, and what of its tenant the requests name. */
export interface SeededCaller {
  readonly key: string
  readonly keyId: string
  readonly tenantId: string
  /** The group with all the rates. */
  readonly groupId: string
  /** A booking that this key made. */
  readonly bookingId: string
}

/** Any rental of a year; a fifth of the bookings of a busy tenant overlap. */
const fleet = `
insert into tenants (slug, name, timezone, currency, tax_percent, prices_include_tax,
    grace_period_minutes, min_lead_minutes)
  select 'bench-' || n, 'Bench ' || n, 'Europe/Oslo', 'NOK', 25, false, 29, 0
  from generate_series(1, $1::int) n`
const groups = `
insert into asset_groups (tenant_id, ref, name, category, description, image_url, currency,
    turnaround_minutes)
  select id, 'group-' || g, 'Vehicle class ' || g, 'category-' || g % 5,
    'A car of this class or similar, with room for five and their luggage',
    'https://images.example/classes/' || g || '.jpg', 'NOK', 60
  from tenants, generate_series(1, $1::int) g order by g`
const vehicles = `
insert into assets (tenant_id, asset_group_id, ref) select tenant_id, id, 'vehicle' from asset_groups`
const rates = `
insert into rates (tenant_id, asset_group_id, ref, name, daily_minor, hourly_minor, weekly_minor,
    valid_from, valid_to)
  select tenant_id, id, 'rate-' || r, 'Season ' || r, 40000 + 1000 * r, 9900, 240000 + 6000 * r,
    case when r > 1 then (now() + make_interval(days => 20 * r))::date end,
    case when r > 1 then (now() + make_interval(days => 20 * r + 19))::date end
  from asset_groups, generate_series(1, case when ref = 'group-1' then ${listLength} else 1 end) r`
const bookings = `
with rental as materialized (
  select g.tenant_id, g.id as group_id, gen_random_uuid() as quote_id,
    (select id from api_keys k where k.tenant_id = g.tenant_id
     order by k.id offset n % $2::int limit 1) as key_id,
    date_trunc('hour', now()) + make_interval(hours => (random() * 8760)::int) as pickup_at
  from asset_groups g, generate_series(0, $1::int / $3::int - 1) n
), quoted as (
  insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at,
      total_minor, currency, inputs, breakdown, expires_at, used_at)
    select tenant_id, quote_id, key_id, group_id, pickup_at, pickup_at + interval '3 days',
      149700, 'NOK', '{}', '{}', now(), now() from rental
)
insert into bookings (tenant_id, api_key_id, quote_id, asset_group_id, status, pickup_at,
    dropoff_at, total_minor, currency, customer_first_name, customer_last_name, customer_email)
  select tenant_id, key_id, quote_id, group_id, 'pending', pickup_at,
    pickup_at + interval '3 days', 149700, 'NOK', 'Kari', 'Nordmann', 'kari@example.com'
  from rental`
const callers = `
select k.id as "keyId", k.tenant_id as "tenantId", g.id as "groupId", b.id as "bookingId"
from api_keys k
join asset_groups g on g.tenant_id = k.tenant_id and g.ref = 'group-1'
cross join lateral (select id from bookings b where b.tenant_id = k.tenant_id
  and b.api_key_id = k.id limit 1) b`

/**
 * Fills an empty, migrated database and returns a caller for every key. Without `analyze` the
 * planner has no statistics, as in the minutes after a start or a restore.
 */
export async function seed(
  databaseUrl: string,
  size: SeedSize,
  analyze = true,
): Promise<SeededCaller[]> {
  const groupCount = size.groupsPerTenant ?? listLength
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(fleet, [size.tenants])
    await client.query(groups, [groupCount])
    for (const statement of [vehicles, rates]) await client.query(statement)
    const keys = await seedKeys(client, size.keysPerTenant)
    if (analyze) await client.query('analyze')
    await client.query(bookings, [size.bookingsPerTenant, size.keysPerTenant, groupCount])
    if (analyze) await client.query('vacuum analyze')
    const found = await client.query<Omit<SeededCaller, 'key'>>(callers)
    return found.rows.map((row) => ({ ...row, key: keys.get(row.keyId) ?? '' }))
  } finally {
    await client.end()
  }
}

/** Gives every tenant so many more keys; they are returned by their ids. */
export async function seedKeys(client: pg.Client, perTenant: number): Promise<Map<string, string>> {
  const tenants = await client.query<{ id: string }>('select id from tenants')
  const rows = tenants.rows.flatMap(({ id }) =>
    Array.from({ length: perTenant }, () => ({ tenantId: id, key: generateApiKey() })),
  )
  const inserted = await client.query<{ id: string; hash: Buffer }>(
    `with key as materialized (
       select gen_random_uuid() as id, *
       from unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[])
         as k(tenant_id, key_hash, prefix, last4)
     ), identity as (
       insert into api_keys (tenant_id, id, name, scopes, origins)
         select tenant_id, id, 'bench', $5::text[], $6::text[] from key
     )
     insert into api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4)
       select tenant_id, id, key_hash, prefix, last4 from key
       returning api_key_id as id, key_hash as hash`,
    [
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ key }) => hashApiKey(key)),
      rows.map(({ key }) => describeApiKey(key).prefix),
      rows.map(({ key }) => describeApiKey(key).last4),
      scopes,
      [origin],
    ],
  )
  const keyByHash = new Map(rows.map(({ key }) => [hashApiKey(key).toString('hex'), key]))
  return new Map(
    inserted.rows.map(({ id, hash }) => [id, keyByHash.get(hash.toString('hex')) ?? '']),
  )
}
