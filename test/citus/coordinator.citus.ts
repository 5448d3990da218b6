import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLineOn } from '../cli/commandLine.ts'
import { databaseUrl, runStatements } from '../helpers/maintenance.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { rowsOf } from './cluster.ts'
import { openShop } from './world.ts'

const soonMs = 20_000
/** Citus recovers prepared transactions once a minute. */
const resolvedMs = 90_000
let open: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  open = await openShop()
  await open.rental(['distribute'])
})
afterAll(() => open?.cluster.drop())

const server = (node = '') => databaseUrl(node, 'postgres')

/** Makes commits on the node wait for a missing standby after they are written. */
const holdCommits = (node: string) =>
  runStatements(
    server(node),
    `alter system set synchronous_standby_names = 'nobody'`,
    'select pg_reload_conf()',
  )
const letCommit = (node: string) =>
  runStatements(
    server(node),
    'alter system reset synchronous_standby_names',
    'select pg_reload_conf()',
  )

/** Kills a server process, after which the server restarts and replays its log. */
async function crash(node: string) {
  const killed = rowsOf(server(node), `copy (select) to program 'kill -KILL $PPID'`)
  await expect(killed).rejects.toThrow('terminated')
  const isBack = () => rowsOf(server(node), 'select').then(Boolean, () => false)
  await waitFor(isBack, soonMs)
}

const prepared = async () => {
  const query = 'select from pg_prepared_xacts where database = current_database()'
  const left = await Promise.all(open.cluster.admin.workers.map((node) => rowsOf(node, query)))
  return left.map(({ length }) => length)
}

/** Creates keys, which are stored on every node, until a commit stalls between its phases. */
async function cutOff(held: string) {
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event = 'SyncRep'`
  for (;;) {
    const name = `key ${randomUUID()}`
    const options = ['--tenant', 'fjord-cars', '--name', name, '--scopes', 'all']
    const made = commandLineOn(open.cluster.owner)(['keys', 'create', ...options])
    let over = false
    void made.then(() => {
      over = true
    })
    const isStuck = async () =>
      (await rowsOf(held, waiting)).length > 0 && (await prepared()).every((count) => count === 1)
    if ((await waitFor(async () => (over ? 'over' : await isStuck()), soonMs)) === true)
      return { name, made }
    // The setting was not active yet.
    expect(await made).toMatchObject({ exitCode: 0 })
  }
}

describe('coordinator crash between the phases of a commit', () => {
  it.each([
    ['rolls back on every node when the coordinator crashes before its decision', false],
    ['commits on every node when the coordinator crashes after its decision', true],
  ])('%s', async (_, committed) => {
    const { admin } = open.cluster
    // Stalls a worker in the first phase, or the coordinator after it wrote its decision.
    const node = (committed ? admin.coordinator : admin.workers[1]) ?? ''
    await holdCommits(node)
    let name = ''
    try {
      const cut = await cutOff(node)
      name = cut.name
      await crash(admin.coordinator)
      expect(await cut.made).toMatchObject({ exitCode: 1 })
    } finally {
      await letCommit(node)
    }
    await waitFor(async () => (await prepared()).every((count) => count === 0), resolvedMs)
    const keys = 'select from api_keys where name = $1'
    for (const each of [admin.coordinator, ...admin.workers])
      expect(await rowsOf(each, keys, name)).toHaveLength(committed ? 1 : 0)
    expect(await open.rental(['audit'])).toMatchObject({ ok: true })
  })
})
