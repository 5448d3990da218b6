import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runChecks } from '../../src/conformance/runChecks.ts'
import { listenerName } from '../../src/db/connection/changeNotifications.ts'
import { revokeApiKey } from '../../src/services/manageKeys.ts'
import { commandLineOn } from '../cli/commandLine.ts'
import { brokenInvariants } from '../faults/invariants.ts'
import { useWorld } from '../faults/world.ts'
import type { Replica } from '../helpers/replica.ts'
import { aGroup, aKey } from '../helpers/seed.ts'
import { startPgBouncer } from '../helpers/servers/pgbouncer.ts'
import type { TestServer } from '../helpers/servers/testServer.ts'
import { waitFor } from '../helpers/waitFor.ts'

const world = useWorld({ proxied: false, replicas: 0 })
const replicas: Replica[] = []
let pooler: TestServer

beforeAll(async () => {
  pooler = await startPgBouncer(world.databaseUrl())
  const start = () =>
    world.startReplica({
      databaseUrl: pooler.url,
      env: { PREPARED_STATEMENTS: 'off', DATABASE_DIRECT_URL: world.databaseUrl() },
    })
  replicas.push(...(await Promise.all([start(), start()])))
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()))
  await pooler.stop()
})

const codeAt = async ({ url }: Replica, key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/v1/asset-groups`, { headers })
  return ((await response.json()) as { error?: { code: string } }).error?.code ?? 'OK'
}

describe('the API behind PgBouncer in transaction mode', () => {
  it('passes the conformance checks behind PgBouncer', async () => {
    await aGroup(world.database, world.tenantId, { rate: null, category: 'van' })
    const { key } = await aKey(world.database, world.tenantId)
    const { findings } = await runChecks({ baseUrl: replicas[0]?.url ?? '', apiKey: key })
    expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([])
  })

  it('accepts one of many concurrent bookings of a quote, and one of identical requests', async () => {
    const recorder = world.recorder(replicas)
    const [stormed = '', repeated = '', ...raced] = await world.quotes(22)
    const twin = { quoteId: repeated, idempotencyKey: randomUUID() }
    const many = Array.from({ length: 25 }, (_, n) => n)
    await Promise.all(many.map((n) => recorder.book(n, { quoteId: stormed })))
    await Promise.all(many.map((n) => recorder.book(n, twin)))
    for (const quoteId of raced) {
      await Promise.all([recorder.book(0, { quoteId }), recorder.book(1, { quoteId })])
    }
    expect(await recorder.finish()).toEqual([])
    expect(await brokenInvariants(world.database)).toEqual([])
    const accepted = recorder.history.filter(({ op, type }) => op === 'book' && type === 'ok')
    expect(new Set(accepted.map(({ quoteId }) => quoteId)).size).toBe(22)
  })

  it('receives key changes through a direct connection', async () => {
    const listening = async () => {
      const { rows } = await world.database.pool.query(
        `select from pg_stat_activity where application_name = $1 and datname = current_database()`,
        [listenerName],
      )
      return rows.length === replicas.length
    }
    await waitFor(listening)
    const { id, key } = await aKey(world.database, world.tenantId)
    for (const replica of replicas) expect(await codeAt(replica, key)).toBe('OK')
    await revokeApiKey(world.database, id)
    const isRevoked = async () =>
      (await Promise.all(replicas.map((replica) => codeAt(replica, key)))).every(
        (code) => code === 'API_KEY_REVOKED',
      )
    await waitFor(isRevoked)
  })

  it('leaves no locks or settings in the session after import, maintain and audit', async () => {
    const commandLine = commandLineOn(pooler.url, { PREPARED_STATEMENTS: 'off' })
    for (const words of [['fleet', 'import', 'examples/fleet.json'], ['maintain'], ['audit']]) {
      expect(await commandLine(words)).toMatchObject({ exitCode: 0 })
    }
    const client = new pg.Client({ connectionString: pooler.url })
    await client.connect()
    const { rows } = await client.query(`
      select (select count(*)::int from pg_locks l join pg_database d on d.oid = l.database
              where locktype = 'advisory' and mode = 'ExclusiveLock'
                and datname = current_database()) as locks,
        current_setting('lock_timeout') as lock_timeout,
        current_setting('statement_timeout') as statement_timeout`)
    await client.end()
    expect(rows).toEqual([{ locks: 0, lock_timeout: '0', statement_timeout: '0' }])
  })

  it('migrates through a direct connection', async () => {
    const unreachable = new URL(pooler.url)
    unreachable.port = '1'
    const commandLine = commandLineOn(unreachable.href, {
      DATABASE_DIRECT_URL: world.databaseUrl(),
    })
    expect(await commandLine(['migrate'])).toMatchObject({
      exitCode: 0,
      out: 'The database is up to date.\n',
    })
  })
})
