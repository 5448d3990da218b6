import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import { generateApiKey, hashApiKey } from '../src/auth/apiKeys.ts'
import { closeDatabase, openDatabase } from '../src/db/client.ts'
import { migrate } from '../src/db/migrate.ts'
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts'

const rounds = 3
/** Long enough for opening thousands of connections not to matter. */
const secondsEach = 15
const capacityConnections = 50
const overloadFactor = 5
const overloadConnections = [500, 3_000]
const tenantId = '00000000-0000-4000-8000-000000000001'
const groupId = '00000000-0000-4000-8000-000000000002'
const dayMs = 86_400_000
const roomy = [
  'LIMIT_READS_PER_MINUTE',
  'LIMIT_QUOTES_PER_MINUTE',
  'LIMIT_UNAUTHENTICATED_PER_MINUTE',
].map((name) => [name, '100000000'])

interface Load {
  readonly connections: number
  /** Requests a second of all connections together; as fast as they are answered when left out. */
  readonly rate?: number
}

interface Outcome {
  readonly good: number
  readonly refused: number
  readonly other: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How much of one processor the server had. */
  readonly cpuPercent: number
}

/** Quotes a second at capacity, and of five times as many requests, on real connections. */
export async function benchOverload(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-bench-'))
  const postgres = await startEmbeddedPostgres({
    directory,
    durable: false,
    removeOnExit: [directory],
  })
  const key = generateApiKey()
  await migrate(postgres.url)
  await seed(postgres.url, key)
  const server = await startServer(postgres.url, directory)
  try {
    const run = (load: Load) => send(server.url, key, load)
    await run({ connections: capacityConnections })
    const outcomes: Outcome[][] = [[], ...overloadConnections.map(() => [])]
    // In turn, so that whatever else the machine does meets all of them alike.
    for (let round = 0; round < rounds; round += 1) {
      const peak = await run({ connections: capacityConnections })
      outcomes[0]?.push(peak)
      const rate = Math.round(peak.good * overloadFactor)
      for (const [index, connections] of overloadConnections.entries()) {
        outcomes[index + 1]?.push(await run({ connections, rate }))
      }
    }
    report(outcomes.map(medianOf))
  } finally {
    server.child.kill('SIGINT')
    await once(server.child, 'exit')
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function seed(url: string, key: string): Promise<void> {
  const database = openDatabase({
    url,
    poolMax: 1,
    preparedStatements: false,
    onConnectionLost: () => {},
  })
  const { pool } = database
  await pool.query(
    `insert into tenants (id, slug, name, timezone, currency, tax_percent, prices_include_tax, grace_period_minutes)
     values ($1, 'bench', 'Bench', 'Europe/Oslo', 'NOK', 25, false, 29)`,
    [tenantId],
  )
  await pool.query(
    `with identity as (
       insert into api_key_identities (tenant_id, name, scopes, origins)
         values ($1, 'bench', '{quotes:create,availability:read}', '{}') returning tenant_id, id
     )
     insert into api_key_secrets (tenant_id, api_key_id, key_hash, prefix, last4)
       select tenant_id, id, $2, 'pk_live_', 'xxxx' from identity`,
    [tenantId, hashApiKey(key)],
  )
  await pool.query(
    `insert into asset_groups (tenant_id, id, ref, name, category, currency, turnaround_minutes)
     values ($1, $2, 'g', 'Group', 'car', 'NOK', 60)`,
    [tenantId, groupId],
  )
  await pool.query(
    `insert into rates (tenant_id, asset_group_id, ref, name, daily_minor, hourly_minor)
     values ($1, $2, 'r', 'Standard', 49900, 9900)`,
    [tenantId, groupId],
  )
  await closeDatabase(database)
}

async function startServer(
  databaseUrl: string,
  directory: string,
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const entry = join(import.meta.dirname, '../src/server.js')
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...Object.fromEntries(roomy),
      DATABASE_URL: databaseUrl,
      DATA_DIR: directory,
      PORT: '0',
    },
  })
  const listening = /listening at (http:\/\/[\d.]+:\d+)/
  const output = createInterface({ input: child.stdout })
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server did not start')))
    output.on('line', (line) => {
      const url = listening.exec(line)?.[1]
      if (url !== undefined) resolve({ url, child })
    })
  })
}

async function send(url: string, key: string, { connections, rate }: Load): Promise<Outcome> {
  const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
  const options: autocannon.Options = {
    url: `${url}/api/v1/quotes`,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      assetGroupId: groupId,
      pickupDatetime: inDays(3),
      dropoffDatetime: inDays(10),
    }),
    connections,
    duration: secondsEach,
    ...(rate !== undefined && { overallRate: rate }),
  }
  const goodMs: number[] = []
  const counts = { refused: 0, other: 0 }
  const cpuBefore = await cpuSeconds(url)
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const done = (error: unknown, result: autocannon.Result) =>
      error ? reject(error) : resolve(result)
    autocannon(options, done).on('response', (_client, status, _bytes, responseMs) => {
      if (status === 201) goodMs.push(responseMs)
      else if (status === 503) counts.refused += 1
      else counts.other += 1
    })
  })
  const cpuPercent = (100 * ((await cpuSeconds(url)) - cpuBefore)) / secondsEach
  goodMs.sort((a, b) => a - b)
  const percentile = (share: number) => goodMs[Math.floor(goodMs.length * share)] ?? 0
  return {
    good: goodMs.length / secondsEach,
    refused: counts.refused / secondsEach,
    other: (counts.other + errors) / secondsEach,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    cpuPercent,
  }
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
}

function medianOf(outcomes: readonly Outcome[]): Outcome {
  const sorted = [...outcomes].sort((a, b) => a.good - b.good)
  const median = sorted[Math.floor(sorted.length / 2)]
  if (median === undefined) throw new Error('Nothing was measured')
  return median
}

function report(outcomes: readonly Outcome[]): void {
  const headings = [
    'quotes/s',
    '503/s',
    'other/s',
    'p50 ms',
    'p99 ms',
    'CPU %',
    'good/CPU s',
    'of peak %',
  ]
  row('load', headings)
  const peak = outcomes[0]?.good ?? 0
  const loads = ['capacity', ...overloadConnections.map(() => `${overloadFactor} times as many`)]
  const connections = [capacityConnections, ...overloadConnections]
  for (const [index, outcome] of outcomes.entries()) {
    // What the server makes of the processor time it gets does not depend on who else wants some.
    const perCpuSecond = (100 * outcome.good) / outcome.cpuPercent
    const figures = [...Object.values(outcome), perCpuSecond, (100 * outcome.good) / peak]
    row(
      `${loads[index]}, ${connections[index]} connections`,
      figures.map((figure) => Math.round(figure).toLocaleString('en-US')),
    )
  }
}

function row(label: string, cells: readonly string[]): void {
  const columns = cells.map((cell) => cell.padStart(11)).join('')
  process.stdout.write(`  ${label.padEnd(36)}${columns}\n`)
}
