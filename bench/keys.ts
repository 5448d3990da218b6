import { randomUUID } from 'node:crypto'
import process from 'node:process'
import pg from 'pg'
import { generateApiKey } from '../src/auth/apiKeys.ts'
import { startApi } from './http/bed.ts'
import { load, percentile } from './http/load.ts'
import { seed, seedKeys } from './http/seed.ts'
import { openStores } from './http/stores.ts'

const requestsEach = Number(process.env['BENCH_REQUESTS'] ?? 10_000)
const blockSize = 500
/** No block takes this long. */
const patienceMs = 60_000

interface Kind {
  readonly name: string
  readonly status: number
  /** The key of the next request. */
  next(): string
}

/**
 * How long an answer takes by what its key is, on one connection: what a stranger may learn from a
 * clock. "First" is a key that the server has not been asked for yet, so that it asks the database.
 */
export async function benchKeys(): Promise<void> {
  const stores = await openStores()
  await seed(stores.databaseUrl, { tenants: 1, keysPerTenant: 1, bookingsPerTenant: 20 })
  const { good, revoked } = await storedKeys(stores.databaseUrl)
  const api = await startApi(stores)
  const latencies = new Map<string, number[]>()
  try {
    const all = kinds(good, revoked)
    for (let sent = 0; sent < requestsEach; sent += blockSize) {
      for (const { name, status, next } of all) {
        const taken = await sendBlock(api.port, status, next)
        latencies.set(name, [...(latencies.get(name) ?? []), ...taken])
      }
    }
  } finally {
    await api.stop()
    await stores.stop()
  }
  report(latencies)
}

async function storedKeys(databaseUrl: string): Promise<{ good: string[]; revoked: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const good = await seedKeys(client, requestsEach + 1)
    const revoked = await seedKeys(client, requestsEach + 1)
    const ids = [...revoked.keys()]
    await client.query('update api_keys set revoked_at = now() where id = any($1)', [ids])
    await client.query('vacuum analyze')
    return { good: [...good.values()], revoked: [...revoked.values()] }
  } finally {
    await client.end()
  }
}

function kinds(good: readonly string[], revoked: readonly string[]): Kind[] {
  const unknown = generateApiKey()
  /** Each of them once, the last one never. */
  const inTurn = (keys: readonly string[]) => {
    let at = 0
    return () => keys[at++] ?? ''
  }
  const again =
    (key = '') =>
    () =>
      key
  const [ok, refused] = [200, 401]
  return [
    { name: 'malformed', status: refused, next: () => `pk_live_${randomUUID()}` },
    { name: 'unknown, first', status: refused, next: generateApiKey },
    { name: 'unknown, remembered', status: refused, next: again(unknown) },
    { name: 'revoked, first', status: refused, next: inTurn(revoked) },
    { name: 'revoked, remembered', status: refused, next: again(revoked.at(-1)) },
    { name: 'good, first', status: ok, next: inTurn(good) },
    { name: 'good, remembered', status: ok, next: again(good.at(-1)) },
  ]
}

async function sendBlock(port: number, status: number, key: () => string) {
  let left = Math.min(blockSize, requestsEach)
  const next = () =>
    left-- > 0
      ? Buffer.from(`GET /api/v1/asset-groups HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key()}\r\n\r\n`)
      : undefined
  const { latencies } = await load({ port, connections: 1, forMs: patienceMs, next, status })
  return latencies.get(status) ?? []
}

function report(latencies: ReadonlyMap<string, readonly number[]>): void {
  const shares = [0.1, 0.5, 0.9, 0.99]
  const row = (label: string, cells: readonly string[]) =>
    process.stdout.write(`  ${label.padEnd(22)}${cells.map((cell) => cell.padStart(9)).join('')}\n`)
  row('µs', ['n', ...shares.map((share) => `p${share * 100}`)])
  for (const [name, taken] of latencies) {
    const sorted = [...taken].sort((a, b) => a - b)
    const micros = shares.map((share) => Math.round(percentile(sorted, share) * 1000))
    row(name, [sorted.length, ...micros].map(String))
  }
}
