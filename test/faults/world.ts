import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { closeDatabase, type Database } from '../../src/db/connection/database.ts'
import { migrateDatabase } from '../../src/db/migrations/migrate.ts'
import { patientRedisTimeoutMs } from '../helpers/app.ts'
import { createTestDatabase } from '../helpers/database.ts'
import { type FaultProxy, proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { installGates } from '../helpers/gates.ts'
import { openPool } from '../helpers/openPool.ts'
import { createTestRedis } from '../helpers/redis.ts'
import { type Replica, type ReplicaOptions, startReplica } from '../helpers/replica.ts'
import { aGroup, aKey, aTenant, type SeededKey } from '../helpers/seed.ts'
import { type OwnPostgres, startOwnPostgres } from '../helpers/servers/ownPostgres.ts'
import { startOwnRedis } from '../helpers/servers/redis.ts'
import type { TestServer } from '../helpers/servers/testServer.ts'
import { insertQuotes } from './insertQuotes.ts'
import { type Recorder, recorder } from './recorder.ts'

/** Replicas on one database and one Redis, which are each behind a proxy, and a key to book with. */
export interface World {
  /** The test's connection to the database, without the proxy. */
  readonly database: Database
  readonly databaseUrl: () => string
  readonly databaseProxy: FaultProxy
  readonly redisProxy: FaultProxy
  /** Defined only with `own: 'postgres'`. */
  readonly postgres: OwnPostgres | undefined
  readonly redis: { readonly url: string }
  readonly replicas: Replica[]
  readonly tenantId: string
  readonly key: SeededKey
  /** Returns a recorder with an empty history. */
  recorder(replicas?: readonly Replica[]): Recorder
  /** Inserts unused quotes without a session. Default: of the world's key. */
  quotes(count: number, options?: { expiresInMs?: number; keyId?: string }): Promise<string[]>
  /** Returns a booking request for a new quote, with a new idempotency key. */
  call(): Promise<{ quoteId: string; idempotencyKey: string }>
  startReplica(options?: Partial<ReplicaOptions>): Promise<Replica>
  /** Starts a new replica in place of one, after that has ended. */
  replace(index: number, options?: Partial<ReplicaOptions>): Promise<void>
  /** Opens the test's connection again after the database server has moved. */
  reopen(): Promise<void>
}

export interface WorldOptions {
  /** A server that the test may kill. Default: a database on the shared servers. */
  readonly own?: 'postgres' | 'redis'
  readonly env?: Readonly<Record<string, string>>
  readonly replicas?: number
  /** Whether replicas connect to the database through the proxy, which is slower. */
  readonly proxied?: boolean
}

/** Starts a world for the tests of one file. The returned object is filled in `beforeAll`. */
export function useWorld(options: WorldOptions = {}): World {
  const world = {} as { -readonly [Field in keyof World]: World[Field] }
  let stop = async () => {}
  beforeAll(async () => {
    const started = await startWorld(options)
    Object.assign(world, started.world)
    // Object.assign does not copy getters, and `reopen` replaces the database.
    Object.defineProperty(world, 'database', { get: () => started.world.database })
    stop = started.stop
  })
  afterAll(() => stop())
  return world
}

async function openServers({ own }: WorldOptions) {
  const postgres = own === 'postgres' ? await startOwnPostgres() : undefined
  if (postgres !== undefined) await migrateDatabase(postgres.url())
  const database = postgres === undefined ? await createTestDatabase() : undefined
  const ownRedis: TestServer | undefined = own === 'redis' ? await startOwnRedis() : undefined
  const leased = ownRedis === undefined ? await createTestRedis() : undefined
  return {
    postgres,
    databaseUrl: () => postgres?.url() ?? database?.url ?? '',
    redisUrl: ownRedis?.url ?? leased?.url ?? '',
    stop: async () => {
      await database?.drop()
      await leased?.release()
      await ownRedis?.stop()
      await postgres?.stop()
    },
  }
}

const open = (url: string) => openPool(url, { poolMax: 4 })

async function startWorld(options: WorldOptions) {
  const { replicas: count = 2, proxied = true } = options
  // The short default timeout only for tests that break Redis.
  const patience = options.own === 'redis' ? {} : { REDIS_TIMEOUT_MS: patientRedisTimeoutMs }
  const env = { ...patience, ...options.env }
  const servers = await openServers(options)
  const { databaseUrl, redisUrl } = servers
  let database = open(databaseUrl())
  await installGates(databaseUrl())
  const tenantId = await aTenant(database)
  const key = await aKey(database, tenantId, { origins: ['https://shop.example'] })
  const groupId = await aGroup(database, tenantId)
  const databaseProxy = await startFaultProxy(upstreamOf(databaseUrl()))
  const redisProxy = await startFaultProxy(upstreamOf(redisUrl))

  const replicas: Replica[] = []
  const start = (more: Partial<ReplicaOptions> = {}) =>
    startReplica({
      databaseUrl: proxied ? proxiedUrl(databaseUrl(), databaseProxy) : databaseUrl(),
      redisUrl: proxied ? proxiedUrl(redisUrl, redisProxy) : redisUrl,
      ...more,
      env: { ...env, ...more.env },
    })
  replicas.push(...(await Promise.all(Array.from({ length: count }, () => start()))))
  const world: World = {
    get database() {
      return database
    },
    databaseUrl,
    databaseProxy,
    redisProxy,
    postgres: servers.postgres,
    redis: { url: redisUrl },
    replicas,
    tenantId,
    key,
    recorder: (recorded = replicas) =>
      recorder(() => recorded.map(({ url }) => url), { keyId: key.id, key: key.key }),
    quotes: (quoteCount, { expiresInMs = 1_800_000, keyId = key.id } = {}) =>
      insertQuotes(database, { tenantId, keyId, groupId, count: quoteCount, expiresInMs }),
    async call() {
      const [quoteId = ''] = await world.quotes(1)
      return { quoteId, idempotencyKey: randomUUID() }
    },
    startReplica: start,
    async replace(index, more) {
      await replicas[index]?.exited
      replicas[index] = await start(more)
    },
    async reopen() {
      await closeDatabase(database).catch(() => {})
      database = open(databaseUrl())
    },
  }
  const stop = async () => {
    await Promise.all(replicas.map((replica) => replica.kill()))
    await closeDatabase(database)
    await databaseProxy.stop()
    await redisProxy.stop()
    await servers.stop()
  }
  return { world, stop }
}
