import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { commandLineOn } from '../cli/commandLine.ts'
import { createTestRedis } from '../helpers/redis.ts'
import { startReplica } from '../helpers/replica.ts'
import { origin } from '../upgrade/load.ts'
import { type ClusterDatabase, createClusterDatabase } from './cluster.ts'

const demoFleet = readFileSync(join(import.meta.dirname, '../../examples/fleet.json'), 'utf8')

export interface Key {
  readonly id: string
  readonly key: string
}

export interface Shop {
  readonly tenantId: string
  readonly assetGroups: readonly {
    readonly id: string
    readonly assets: readonly { ref: string }[]
  }[]
}

export const period = {
  pickupDatetime: '2038-05-01T10:00:00Z',
  dropoffDatetime: '2038-05-03T10:00:00Z',
}
export const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }

/** Returns the command line on the coordinator, which returns the printed JSON. */
const staffOf =
  ({ owner }: ClusterDatabase) =>
  async <T>(argv: readonly string[], stdin = ''): Promise<T> => {
    const line = commandLineOn(owner)
    const { exitCode, out, error } = await line([...argv, '--json'], { stdin })
    expect({ exitCode, error: exitCode === 0 ? '' : error }).toEqual({ exitCode: 0, error: '' })
    return JSON.parse(out) as T
  }

/** Imports the demo fleet and creates a key on a cluster that is not distributed yet. */
export async function openShop() {
  const cluster = await createClusterDatabase()
  const rental = staffOf(cluster)
  await rental(['migrate'])
  const shop = await rental<Shop>(['fleet', 'import', '-'], demoFleet)
  const newKey = (tenant: string, ...more: string[]) =>
    rental<Key>(['keys', 'create', '--tenant', tenant, '--name', 'k', '--scopes', 'all', ...more])
  const key = await newKey('fjord-cars', '--origins', origin)
  return { cluster, rental, shop, newKey, key }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Creates a tenant on a distributed database with replicas that connect to workers, as in production. */
export async function openWorld() {
  const opened = await openShop()
  const { cluster, key, rental, shop } = opened
  await rental(['distribute'])
  const redis = await createTestRedis()
  // Replicas receive change notifications from the coordinator.
  const open = (worker: number) =>
    startReplica({
      databaseUrl: cluster.api.workers[worker] ?? '',
      redisUrl: redis.url,
      env: { DATABASE_DIRECT_URL: cluster.api.coordinator },
    })
  const replicas = await Promise.all([open(0), open(1)])
  return {
    ...opened,
    replicas,
    open,
    ...visitor(replicas, key.key, shop.assetGroups[0]?.id),
    async close() {
      await Promise.all(replicas.map((replica) => replica.kill()))
      await redis.release()
      await cluster.drop()
    },
  }
}

/** Returns functions that quote and book the first group on the n-th replica. */
function visitor(
  replicas: readonly { readonly url: string }[],
  key: string,
  assetGroupId: string | undefined,
) {
  async function call(
    n: number,
    path: string,
    body?: object,
    { secret = key, idempotencyKey = randomUUID() as string } = {},
  ) {
    const response = await fetch(`${replicas[n % 2]?.url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { data, error } = (await response.json()) as {
      data: Record<string, string>
      error?: { code: string }
    }
    return { status: response.status, data, code: error?.code }
  }
  const quote = async (n = 0) => {
    const made = await call(n, '/quotes', { assetGroupId, ...period })
    expect(made.status).toBe(201)
    return made.data
  }
  const book = (n: number, quoteId: string | undefined, idempotencyKey?: string) =>
    call(n, '/bookings', { quoteId, customer }, { ...(idempotencyKey && { idempotencyKey }) })
  const booked = async () => {
    const { data, status } = await book(0, (await quote())['quoteId'])
    expect(status).toBe(202)
    return data['bookingId'] ?? ''
  }
  return { call, quote, book, booked }
}
