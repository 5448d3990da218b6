import pg from 'pg'

export interface Size {
  readonly groups: number
  readonly vehiclesPerGroup: number
  readonly bookings: number
}

/**
 * Returns statements that fill a database with tenants of one size. Each vehicle has a block, each
 * group a rate, and each booking its quote, recorded response and decision. Foreign key checks are off,
 * because the data is valid and the checks are slow.
 */
export const fill = (slug: string, tenants: number, size: Size): string[] => [
  'set session_replication_role = replica',
  `insert into tenants (slug, name, timezone, currency, tax_percent, prices_include_tax,
     grace_period_minutes)
   select '${slug}-' || n, 'T', 'Europe/Oslo', 'NOK', 25, false, 29 from generate_series(1, ${tenants}) n`,
  `create temporary table filled as select id as tenant_id, gen_random_uuid() as key_id,
     sha256(id::text::bytea) as hash from tenants where slug like '${slug}-%'`,
  `insert into api_keys (tenant_id, id, name, scopes, origins)
   select tenant_id, key_id, 'key', '{}', '{}' from filled`,
  `insert into api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4)
   select tenant_id, key_id, hash, 'pk_live_', 'xxxx' from filled`,
  `insert into asset_groups (tenant_id, ref, name, category, currency, turnaround_minutes)
   select tenant_id, 'group-' || n, 'Group', 'car', 'NOK', 60
   from generate_series(1, ${size.groups}) n, filled`,
  `create temporary table filled_groups as
   select f.tenant_id, f.key_id, array_agg(g.id order by g.ref) as ids
   from filled f join asset_groups g using (tenant_id) group by 1, 2`,
  `insert into assets (tenant_id, asset_group_id, ref, folded_ref)
   select tenant_id, id, concat(id, n), concat(id, n)
   from generate_series(1, ${size.vehiclesPerGroup}) n, filled_groups, unnest(ids) id`,
  `insert into asset_blocks (tenant_id, asset_id, starts_at, ends_at)
   select a.tenant_id, a.id, '2038-01-01Z', '2038-01-02Z' from assets a join filled using (tenant_id)`,
  `insert into rates (tenant_id, asset_group_id, ref, name, daily_minor)
   select tenant_id, id, 'rate', 'Rate', 50000 from filled_groups, unnest(ids) id`,
  `insert into extras (tenant_id, ref, name, pricing, currency, price_minor)
   select tenant_id, 'seat-' || n, 'Seat', 'per_day', 'NOK', 5000
   from generate_series(1, ${size.groups}) n, filled`,
  `create temporary table filled_bookings as
   select tenant_id, key_id, gen_random_uuid() as id, gen_random_uuid() as quote_id,
     ids[1 + n % ${size.groups}] as group_id,
     timestamptz '2038-01-01Z' + make_interval(hours => n % 8760) as pickup_at,
     case when n % 2 = 0 then 'confirmed' else 'rejected' end as status
   from generate_series(1, ${size.bookings}) n, filled_groups`,
  `insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at, total_minor,
     currency, inputs, breakdown, expires_at, used_at)
   select tenant_id, quote_id, key_id, group_id, pickup_at, pickup_at + interval '3 days', 0, 'NOK',
     '{}', '{}', now(), now() from filled_bookings`,
  `insert into bookings (tenant_id, id, api_key_id, quote_id, asset_group_id, status, pickup_at,
     dropoff_at, total_minor, currency, customer_first_name, customer_last_name, customer_email)
   select tenant_id, id, key_id, quote_id, group_id, status, pickup_at,
     pickup_at + interval '3 days', 0, 'NOK', 'Kari', 'Nordmann', 'kari@example.com'
   from filled_bookings`,
  `insert into booking_events (tenant_id, booking_id, from_status, to_status, actor)
   select tenant_id, id, 'pending', status, 'staff' from filled_bookings`,
  `insert into idempotency_records (tenant_id, api_key_id, session_scope, idempotency_key,
     fingerprint, outcome, booking_id)
   select tenant_id, key_id, 'server', id::text, '', 'ACCEPTED', id from filled_bookings`,
  'drop table filled, filled_groups, filled_bookings',
  'reset session_replication_role',
]

/** The order in which a table's indexes were created. At equal cost PostgreSQL may choose the newest. */
export type IndexAge = 'as migrated' | 'as restored' | 'keys reindexed'

/** The creation order of the indexes. pg_restore creates keys by name, then the other indexes. */
const newestLast: Readonly<Record<Exclude<IndexAge, 'as migrated'>, string>> = {
  'as restored': 'c.oid is null, i.indexrelid::regclass::text',
  'keys reindexed': 'i.indisprimary, i.indexrelid::regclass::text',
}

/** Recreates the indexes of an empty database in the order of `age`, and disables autovacuum. */
export async function prepare(url: string, age: IndexAge): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const each = async (query: string) => {
    for (const { statement } of (await client.query(query)).rows) await client.query(statement)
  }
  await each(`select format('alter table %s set (autovacuum_enabled = false)', oid::regclass) as statement
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  if (age !== 'as migrated') {
    await each(`select format('reindex index concurrently %s', i.indexrelid::regclass) as statement
      from pg_index i join pg_class t on t.oid = i.indrelid
      left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
      where t.relnamespace = 'public'::regnamespace order by ${newestLast[age]}`)
  }
  await client.end()
}
