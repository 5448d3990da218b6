import process from 'node:process'
import { setInterval } from 'node:timers'
import { closeDatabase, type Database } from '../src/db/connection/database.ts'
import { scopes } from '../src/domain/accountRules.ts'
import { importFleet } from '../src/services/importFleet.ts'
import { changeApiKey, createApiKey } from '../src/services/manageKeys.ts'
import { openPool } from '../test/helpers/openPool.ts'
import type { NextRequest } from './http/load.ts'
import { formatRatio, measure, median, ratioOf } from './http/measure.ts'
import type { MeasuredServer } from './http/processes.ts'
import { reads } from './http/requests.ts'
import { fleetOf } from './http/seed.ts'
import { openStores } from './http/stores.ts'
import { startOn } from './http/testBed.ts'

const tenantCount = Number(process.env['BENCH_TENANTS'] ?? 5_000)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8)
const shape = { connections: 32, status: 200, forMs: 2_000 }

interface KeyOfTenant {
  readonly key: string
  readonly keyId: string
}

/**
 * Compares lists of asset groups of one tenant with those of 5,000 tenants drawn at random, and
 * with the same while one key a second changes. All catalogs and keys are cached before.
 */
export async function measureTenants(): Promise<void> {
  const stores = await openStores()
  const database = openPool(stores.databaseUrl, { poolMax: 4 })
  const keys = await seedTenants(database)
  const server = await startOn(stores, '.')
  const requests = (of: readonly KeyOfTenant[]) => reads(of, () => '/api/v1/asset-groups')
  const [one, all] = [requests(keys.slice(0, 1)), requests(keys)]
  await visitOnce(server, keys)
  const perSecond = { one: [] as number[], all: [] as number[], changing: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    perSecond.one.push(await rateOf(server, one))
    perSecond.all.push(await rateOf(server, all))
    perSecond.changing.push(await whileKeysChange(database, keys, () => rateOf(server, all)))
  }
  const line = (name: string, values: readonly number[]) =>
    `| ${name} | ${median(values).toFixed(0)} | ${formatRatio(ratioOf(values, perSecond.one))} |\n`
  process.stdout.write(line('one tenant', perSecond.one))
  process.stdout.write(line(`${tenantCount} tenants`, perSecond.all))
  process.stdout.write(line('the same, one key a second changes', perSecond.changing))
  await server.stop()
  await closeDatabase(database)
  await stores.stop()
}

async function seedTenants(database: Database): Promise<KeyOfTenant[]> {
  const keys: KeyOfTenant[] = []
  for (let index = 0; index < tenantCount; index += 1) {
    const tenant = `bench-${index}`
    await importFleet(database, fleetOf(tenant, 2))
    const request = { tenant, name: 'bench', scopes, origins: [] }
    const { id, key } = await createApiKey(database, request, new Date())
    keys.push({ key, keyId: id })
  }
  await database.pool.query('vacuum analyze')
  return keys
}

/** Requests the list of every tenant once. */
async function visitOnce(server: MeasuredServer, keys: readonly KeyOfTenant[]): Promise<void> {
  for (const { key } of keys) {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/asset-groups`, { headers })
    await response.text()
  }
}

const rateOf = async (server: MeasuredServer, next: NextRequest) =>
  (await measure(server, next, shape)).perSecond

async function whileKeysChange(
  database: Database,
  keys: readonly KeyOfTenant[],
  measured: () => Promise<number>,
): Promise<number> {
  const changes: Promise<unknown>[] = []
  const timer = setInterval(() => {
    const { keyId = '' } = keys[Math.floor(Math.random() * keys.length)] ?? {}
    const name = `bench ${changes.length}`
    changes.push(changeApiKey(database, keyId, { name }, new Date()))
  }, 1_000)
  try {
    return await measured()
  } finally {
    clearInterval(timer)
    await Promise.all(changes)
  }
}
