import { afterAll, expect, it } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import { book, createKey, groupsOf, quote, under } from './load.ts'
import { baseUrl, compose, done, inReplica, psql, replace, secrets, serving } from './stack.ts'

const timeoutMs = 120_000
const workers = ['worker-1', 'worker-2'] as const
type Worker = (typeof workers)[number]
/** The tenants by worker, each with a key. */
const shops = new Map<Worker, { slug: string; key: string }>()
const shopOn = (worker: Worker) => shops.get(worker) ?? { slug: '', key: '' }
const serve = (replicas: number) => waitFor(async () => (await serving()) === replicas, timeoutMs)

afterAll(() => compose('--profile * down --volumes --timeout 5'))

it('compose up --wait starts a cluster with two ready replicas; a second run replaces no container', async () => {
  await done(secrets())
  await done(secrets('workers'))
  await done(compose('build'))
  await done(compose('up -d --wait'))
  await serve(2)
  const containers = () => done(compose('ps --all --quiet --no-trunc'))
  const before = await containers()
  await done(compose('up -d --wait'))
  expect(await containers()).toBe(before)
})

const shardOf = (slug: string) =>
  `get_shard_id_for_distribution_column('bookings', (select id from tenants where slug = '${slug}'))`

/** Imports the demo fleet under another slug and returns the worker that stores it. */
async function open(slug: string): Promise<Worker> {
  const fleet = `sed -E 's/fjord-cars/${slug}/; /"id":/d' examples/fleet.json`
  await done(inReplica('bash', '-c', `${fleet} | rental fleet import -`))
  const nodeQuery = `select nodename from pg_dist_shard_placement where shardid = ${shardOf(slug)}`
  return (await psql('postgres', nodeQuery)) === 'node-1' ? 'worker-1' : 'worker-2'
}

it('customers of tenants on either worker book through the proxy, and rental conform passes', async () => {
  for (let n = 0; shops.size < workers.length; n++) {
    const slug = `shop-${n}`
    const worker = await open(slug)
    shops.set(worker, { slug, key: await createKey(slug) })
  }
  for (const { key } of shops.values()) {
    const [group = ''] = await groupsOf(key)
    expect(await book(key, await quote(key, group))).toMatch(/^[\da-f-]{36}$/)
  }
  const conform = `rental conform --base-url http://proxy:8080 --key ${shopOn('worker-1').key} --origin https://www.example.com`
  expect(await done(inReplica(...conform.split(' ')))).toMatch(/(\d+) of \1 rules hold/)
})

it('no request fails when both replicas are replaced and a tenant moves to another worker', async () => {
  const { slug, key } = shopOn('worker-1')
  const move = (from: string, to: string) =>
    `select citus_move_shard_placement(${shardOf(slug)}, '${from}', 5432, '${to}', 5432)`
  const { lost } = await under(key, async () => {
    await replace({}, ' --force-recreate')
    await psql('postgres', move('node-1', 'node-2'))
    // Citus removes the old shard later; until then the tenant cannot be moved back.
    const left = () => psql('postgres', 'select count(*) from pg_dist_cleanup')
    await waitFor(async () => (await left()) === '0', timeoutMs)
    await psql('postgres', move('node-2', 'node-1'))
  })
  expect(lost).toEqual([])
})

const audited = () => done(inReplica('rental', 'audit'))

it('only the tenants of a killed worker get 503, and only until the worker has restarted', async () => {
  const { key: mine } = shopOn('worker-1')
  const { key: others } = shopOn('worker-2')
  const [group = ''] = await groupsOf(mine)
  await done(compose('kill worker-1'))
  await serve(1)
  const { lost } = await under(others, async () => {
    for (let round = 0; round < 5; round++) {
      // More requests than the pool has connections, to check that failed requests release them.
      const rejected = () => expect(quote(mine, group)).rejects.toThrow('503 SERVICE_UNAVAILABLE')
      await Promise.all(Array.from({ length: 20 }, rejected))
    }
    await done(compose('start worker-1'))
    await serve(2)
  })
  expect(lost).toEqual([])
  const after = await under(mine, async () => {
    await audited()
  })
  expect(after.lost).toEqual([])
})

it('no API request fails while the coordinator is stopped, and only operator commands fail', async () => {
  const change = () =>
    inReplica('rental', 'tenants', 'set', shopOn('worker-1').slug, '--online-booking', 'on')
  const others = await under(shopOn('worker-1').key, async () => {
    const { lost } = await under(shopOn('worker-2').key, async () => {
      await done(compose('kill postgres'))
      expect((await change()).exitCode).toBe(1)
      await done(compose('up -d --no-deps --wait postgres'))
    })
    expect(lost).toEqual([])
  })
  expect(others.lost).toEqual([])
  await done(change())
  await audited()
})

it('a booking is returned after compose down and up', async () => {
  const { key } = shopOn('worker-2')
  const [group = ''] = await groupsOf(key)
  const booking = await book(key, await quote(key, group))
  await done(compose('down'))
  await done(compose('up -d --wait'))
  await serve(2)
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${baseUrl}/api/v1/bookings/${booking}`, { headers })).status).toBe(200)
  await audited()
})
