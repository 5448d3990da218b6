import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { closeDatabase } from '../../src/db/connection/database.ts'
import { rotateApiKey } from '../../src/services/manageKeys.ts'
import { expectInvariants } from '../faults/invariants.ts'
import { databaseUrl, runStatements } from '../helpers/maintenance.ts'
import { openPool } from '../helpers/openPool.ts'
import { createTestRedis, type TestRedis } from '../helpers/redis.ts'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { origin, startLoad } from './load.ts'
import { buildReleases, type Release } from './releases.ts'

const togetherMs = 30_000
const aloneMs = 5_000
const name = `upgrade_${randomBytes(4).toString('hex')}`
const url = databaseUrl(inject('postgresUrl'), name)
const replicas: Replica[] = []
let from: Release
let to: Release
let redis: TestRedis

const start = async (entry: string) => {
  const replica = await startReplica({ databaseUrl: url, redisUrl: redis.url, entry })
  replicas.push(replica)
  return replica
}

const readiness = (of: readonly Replica[]) =>
  Promise.all(
    of.map(async (replica) => {
      const { status } = (await (await fetch(`${replica.url}/readyz`)).json()) as { status: string }
      return status
    }),
  )

beforeAll(async () => {
  const built = await buildReleases()
  from = built.from
  to = built.to
  redis = await createTestRedis()
  await runStatements(inject('postgresUrl'), `CREATE DATABASE ${name}`)
  await from.rental(url, 'migrate')
  await from.rental(url, 'fleet', 'import', 'examples/fleet.json')
})

afterAll(async () => {
  for (const replica of replicas) await replica.kill()
  await runStatements(inject('postgresUrl'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await redis?.release()
  for (const release of [from, to]) await release?.remove()
})

it('no request fails during an upgrade and a rollback while both releases run side by side', async () => {
  const create = [
    'keys',
    'create',
    '--tenant',
    'fjord-cars',
    '--name',
    'Site',
    '--scopes',
    'all',
    '--origins',
    origin,
  ]
  const { id, key } = JSON.parse(await from.rental(url, ...create, '--json'))
  const old = [await start(from.server), await start(from.server)]
  const target = { urls: old.map((replica) => replica.url), key }
  const load = startLoad(target)
  await delay(aloneMs)
  const { migrations } = JSON.parse(await to.rental(url, 'migrate', '--json'))
  expect(await readiness(old)).toEqual(['ready', 'ready'])
  expect(JSON.parse(await from.rental(url, 'migrate', '--json'))).toMatchObject({ applied: 0 })
  await delay(aloneMs)
  const next = await start(to.server)
  target.urls = [old[0]?.url ?? '', next.url]
  const database = openPool(url)
  await delay(togetherMs / 2)
  target.key = (await rotateApiKey(database, id, 60, new Date())).key
  await delay(togetherMs / 2)
  target.urls = old.map((replica) => replica.url)
  await delay(aloneMs)
  const back = JSON.parse(await from.rental(url, 'migrate', '--back', '--json')).migrations
  await delay(aloneMs)
  expect(await readiness(old)).toEqual(['ready', 'ready'])
  if (back.length > 0) expect(await readiness([next])).toEqual(['unavailable'])
  const { failures, ...counts } = await load.stop()
  const { rows } = await database.pool.query<{ count: number }>({
    text: 'select count(*)::int as count from bookings',
  })
  await expectInvariants(database)
  await closeDatabase(database)
  const printed = { migrations, back, ...counts, failed: failures.length }
  process.stdout.write(`${JSON.stringify(printed)}\n`)
  expect(failures.slice(0, 10)).toEqual([])
  expect(rows).toEqual([{ count: counts.bookings }])
  expect(counts.bookings).toBe(counts.quotes)
})
