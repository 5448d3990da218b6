import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { openCatalogCache } from '../src/cache/openCaches.ts'
import { closeDatabase, type Database, openDatabase } from '../src/db/connection/database.ts'
import { countAvailability } from '../src/db/queries/availability.ts'
import { findKey } from '../src/db/queries/keyLookup.ts'
import { priceRental } from '../src/domain/pricing/priceRental.ts'
import { priceInputs } from '../src/domain/pricing/priceRequest.ts'
import { type Bar, draw } from './draw.ts'
import { median } from './http/measure.ts'
import { openStores } from './http/stores.ts'

const rounds = 5
const callsPerRound = 2_000
const dayMs = 86_400_000
const tenantId = '00000000-0000-4000-8000-000000000001'
const groupId = '00000000-0000-4000-8000-000000000002'
const keyId = '00000000-0000-4000-8000-000000000003'

/** One tenant with one group of 50 vehicles; everything else is added as it is measured. */
const shop = `
insert into tenants (id, slug, name, timezone, currency, tax_percent, prices_include_tax, grace_period_minutes)
  values ('${tenantId}', 'shop', 'Shop', 'Europe/Oslo', 'NOK', 25, false, 29);
insert into api_keys (tenant_id, id, name, scopes, origins)
  values ('${tenantId}', '${keyId}', 'key', '{}', '{}');
insert into asset_groups (tenant_id, id, ref, name, category, currency, turnaround_minutes)
  values ('${tenantId}', '${groupId}', 'g', 'Group', 'car', 'NOK', 60);
insert into assets (tenant_id, asset_group_id, ref)
  select '${tenantId}', '${groupId}', n::text from generate_series(1, 50) n`

/** Bookings of three days within a year; those beyond the first 100 are of the tenant's other groups. */
const bookings = (from: number, to: number) => `
insert into asset_groups (tenant_id, ref, name, category, currency, turnaround_minutes)
  select '${tenantId}', 'other-' || n, 'Other', 'car', 'NOK', 60
  from generate_series(${from} / 100, ${to} / 100 - 1) n where n > 0;
with rental as materialized (
  select gen_random_uuid() as quote_id, g.id as group_id,
    timestamptz '2027-01-01Z' + make_interval(hours => (random() * 8760)::int) as pickup_at
  from (select id, row_number() over (order by ref <> 'g', ref) - 1 as n from asset_groups) g,
    generate_series(1, 100)
  where g.n >= ${from} / 100 and g.n < ${to} / 100
), quoted as (
  insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at, total_minor,
      currency, inputs, breakdown, expires_at, used_at)
    select '${tenantId}', quote_id, '${keyId}', group_id, pickup_at, pickup_at + interval '3 days',
      0, 'NOK', '{}', '{}', now(), now() from rental
)
insert into bookings (tenant_id, api_key_id, quote_id, asset_group_id, status, pickup_at, dropoff_at,
    total_minor, currency, customer_first_name, customer_last_name, customer_email)
  select '${tenantId}', '${keyId}', quote_id, group_id, 'confirmed', pickup_at,
    pickup_at + interval '3 days', 0, 'NOK', 'a', 'b', 'c' from rental`

const rates = (from: number, to: number) => `
insert into rates (tenant_id, asset_group_id, ref, name, daily_minor, hourly_minor, weekly_minor, valid_from, valid_to)
  select '${tenantId}', '${groupId}', r::text, 'Rate', 50000 + r, 9900, 300000,
    case when r > 1 then date '2027-01-01' + r end, case when r > 1 then date '2027-01-01' + r + 3 end
  from generate_series(${from}, ${to}) r`

const keys = (from: number, to: number) => `
with key as materialized (
  select gen_random_uuid() as id, n from generate_series(${from}, ${to}) n
), identity as (
  insert into api_keys (tenant_id, id, name, scopes, origins)
    select '${tenantId}', id, 'key', '{}', '{}' from key
)
insert into api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4)
  select '${tenantId}', id, sha256(n::text::bytea), 'pk_live_', 'xxxx' from key`

const tenants = (from: number, to: number) => `
insert into tenants (slug, name, timezone, currency, tax_percent, prices_include_tax, grace_period_minutes)
  select 'tenant-' || n, 'T', 'Europe/Oslo', 'NOK', 25, false, 29 from generate_series(${from}, ${to}) n;
insert into asset_groups (tenant_id, ref, name, category, description, currency, turnaround_minutes)
  select t.id, 'group-' || g, 'Vehicle class ' || g, 'car', 'A car of this class or similar', 'NOK', 60
  from tenants t, generate_series(1, 20) g
  where slug like 'tenant-%' and substr(slug, 8)::int between ${from} and ${to};
insert into rates (tenant_id, asset_group_id, ref, name, daily_minor)
  select tenant_id, g.id, 'rate', 'Standard', 50000 from asset_groups g
  where not exists (select from rates r where r.tenant_id = g.tenant_id and r.asset_group_id = g.id)
    and ref like 'group-%'`

/** How the costs of the parts grow with what is stored, each with the rest held still; and a chart. */
export async function benchGrowth(): Promise<void> {
  const bars: Bar[] = []
  const measured: Measured = (label, micros, note = '') => {
    const text = `${micros.toFixed(micros < 10 ? 1 : 0)} µs${note}`
    bars.push({ label, value: micros, text })
    process.stdout.write(`  ${label.padEnd(40)}${text}\n`)
  }
  const stores = await openStores()
  const options = { url: stores.databaseUrl, poolMax: 4, preparedStatements: true }
  const database = openDatabase({ ...options, onConnectionLost: () => {} })
  try {
    await database.pool.query(shop)
    await growAvailability(database, measured)
    await growRates(database, measured)
    await growKeys(database, measured)
    await growTenants(database, measured)
    await draw('growth', 'What one call takes, by what is stored', bars)
  } finally {
    await closeDatabase(database)
    await stores.stop()
  }
}

type Measured = (label: string, micros: number, note?: string) => void

async function growAvailability(database: Database, measured: Measured): Promise<void> {
  let stored = 0
  for (const count of [100, 10_000, 1_000_000]) {
    await run(database, bookings(stored, count), 'vacuum analyze')
    stored = count
    const micros = await medianMicros(async (index) => {
      const from = new Date(Date.UTC(2027, 0, 1 + (index % 360)))
      await countAvailability(database, tenantId, groupId, {
        from,
        to: new Date(from.getTime() + 3 * dayMs),
      })
    })
    measured(`availability, ${count.toLocaleString('en')} bookings`, micros)
  }
}

async function growRates(database: Database, measured: Measured): Promise<void> {
  const catalogs = openCatalogCache(database, { rowsMax: 1_000 })
  let stored = 0
  for (const count of [1, 500]) {
    await run(database, rates(stored + 1, count))
    stored = count
    const catalog = await catalogs.renew(tenantId)
    const now = new Date(Date.UTC(2026, 11, 1))
    const micros = await medianMicros((index) => {
      const pickupAt = new Date(Date.UTC(2027, 0, 1 + (index % 360), 10))
      const dropoffAt = new Date(pickupAt.getTime() + 3 * dayMs)
      const request = { assetGroupId: groupId, pickupAt, dropoffAt, extras: [] }
      priceRental(priceInputs(catalog, request, now))
    })
    measured(`price, rates in its group: ${count}`, micros)
  }
}

async function growKeys(database: Database, measured: Measured): Promise<void> {
  let stored = 0
  for (const count of [100, 1_000_000]) {
    await run(database, keys(stored + 1, count), 'vacuum analyze api_keys, api_key_secrets')
    stored = count
    const unknown = Array.from({ length: callsPerRound }, () => randomBytes(32))
    const micros = await medianMicros(async (index) => {
      await findKey(database, unknown[index % unknown.length] ?? randomBytes(32))
    })
    measured(`unknown key, ${count.toLocaleString('en')} stored`, micros)
  }
}

async function growTenants(database: Database, measured: Measured): Promise<void> {
  const catalogs = openCatalogCache(database, { rowsMax: 1_000_000 })
  catalogs.setAnnounced(true)
  let stored = 0
  for (const count of [10, 4_000, 10_000]) {
    await run(database, tenants(stored + 1, count), 'vacuum analyze')
    stored = count
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from tenants where slug like 'tenant-%'`,
    )
    for (const { id } of rows) await catalogs.find(id)
    globalThis.gc?.()
    const heapMb = process.memoryUsage().heapUsed / 1e6
    const micros = await medianMicros(async (index) => {
      await catalogs.find(rows[(index * 7919) % rows.length]?.id ?? '')
    })
    measured(`catalog, ${count.toLocaleString('en')} tenants`, micros, ` (${heapMb.toFixed(0)} MB)`)
  }
}

async function run(database: Database, ...statements: string[]): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query(`set statement_timeout = 0`)
    for (const text of statements) await client.query({ text, query_timeout: 600_000 } as never)
  } finally {
    client.release(true)
  }
}

/** Microseconds a call, one after the other: the median round. */
async function medianMicros(call: (index: number) => Promise<void> | void): Promise<number> {
  const results: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const startedMs = performance.now()
    for (let index = 0; index < callsPerRound; index += 1) await call(round * callsPerRound + index)
    // The first round warms plans and code up.
    if (round > 0) results.push(((performance.now() - startedMs) * 1000) / callsPerRound)
  }
  return median(results)
}
