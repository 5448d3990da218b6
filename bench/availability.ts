import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import pg from 'pg'
import { closeDatabase, type Database, openDatabase } from '../src/db/connection/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { countAvailability } from '../src/db/queries/availability.ts'
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts'

const rounds = 5
const roundMs = 1_000
const hourMs = 3_600_000
const tenantId = '00000000-0000-4000-8000-000000000001'
const groupId = '00000000-0000-4000-8000-000000000002'
const keyId = '00000000-0000-4000-8000-000000000003'

/** A year of 10,000 bookings of one to ten days in one group of 200 vehicles. */
const seed = `
insert into tenants (id, slug, name, timezone, currency, tax_percent, prices_include_tax, grace_period_minutes)
  values ('${tenantId}', 'bench', 'Bench', 'Europe/Oslo', 'NOK', 25, false, 29);
insert into api_keys (tenant_id, id, name, scopes, origins)
  values ('${tenantId}', '${keyId}', 'bench', '{}', '{}');
insert into asset_groups (tenant_id, id, ref, name, category, currency, turnaround_minutes)
  values ('${tenantId}', '${groupId}', 'g', 'Group', 'car', 'NOK', 60);
insert into assets (tenant_id, asset_group_id, ref)
  select '${tenantId}', '${groupId}', n::text from generate_series(1, 200) n;
create temporary table rental as
  select gen_random_uuid() as quote_id, pickup_at,
         pickup_at + make_interval(hours => 24 + (random() * 216)::int) as dropoff_at
  from (select timestamptz '2027-01-01Z' + make_interval(hours => (random() * 8760)::int) as pickup_at
        from generate_series(1, 10000)) pickups;
insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at, total_minor,
    currency, inputs, breakdown, expires_at, used_at)
  select '${tenantId}', quote_id, '${keyId}', '${groupId}', pickup_at, dropoff_at, 0, 'NOK', '{}',
    '{}', now(), now() from rental;
insert into bookings (tenant_id, api_key_id, quote_id, asset_group_id, status, pickup_at, dropoff_at,
    total_minor, currency, customer_first_name, customer_last_name, customer_email)
  select '${tenantId}', '${keyId}', quote_id, '${groupId}',
    case when random() < 0.5 then 'pending' else 'confirmed' end, pickup_at, dropoff_at, 0, 'NOK',
    'a', 'b', 'c' from rental;
analyze;`

/** Availability counted per second among 10,000 bookings of the group: one query, real PostgreSQL. */
export async function benchAvailability(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-bench-'))
  const server = await startEmbeddedPostgres({
    directory,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    removeOnExit: [directory],
  })
  try {
    await migrate(server.url)
    await runSeed(server.url)
    const onConnectionLost = () => {}
    const options = { url: server.url, poolMax: 10, preparedStatements: true, onConnectionLost }
    const database = openDatabase(options)
    for (const inFlight of [1, 10]) {
      const perSecond = await medianPerSecond(database, inFlight)
      const label = `3 days, 10,000 bookings, ${inFlight} in flight`
      process.stdout.write(`  ${label.padEnd(38)}${perSecond.padStart(10)} counts/s\n`)
    }
    await closeDatabase(database)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function runSeed(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(seed)
  await client.end()
}

async function medianPerSecond(database: Database, inFlight: number): Promise<string> {
  const results: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const endMs = performance.now() + roundMs
    let counted = 0
    const worker = async () => {
      while (performance.now() < endMs) {
        const from = new Date(Date.UTC(2027, 0) + ((counted * 37) % 8_000) * hourMs)
        const to = new Date(from.getTime() + 72 * hourMs)
        await countAvailability(database, tenantId, groupId, { from, to })
        counted += 1
      }
    }
    await Promise.all(Array.from({ length: inFlight }, worker))
    // The first round warms connections and plans up.
    if (round > 0) results.push((counted * 1000) / roundMs)
  }
  results.sort((a, b) => a - b)
  return Math.round(results[Math.floor(rounds / 2)] ?? 0).toLocaleString('en-US')
}
