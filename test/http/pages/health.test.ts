import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { keptDefinitions } from '../../../src/http/pages/probes.ts'
import { type TestApp, useTestApp } from '../../helpers/app.ts'
import { runStatements } from '../../helpers/maintenance.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
const server = useTestApp({}, { log })

afterEach(() => {
  server.deps.lifecycle.draining = false
})

const readiness = async ({ http }: TestApp) => {
  const { status, body } = await http.get('/readyz')
  return [status, body]
}
const ready = [200, { status: 'ready' }]

describe('probes', () => {
  it('returns ok and ready', async () => {
    const alive = await server.http.get('/healthz').set('Origin', 'https://shop.example')
    expect(alive.body).toEqual({ status: 'ok' })
    // Web pages must not read the probes.
    expect(alive.headers).not.toHaveProperty('access-control-allow-origin')
    expect(await readiness(server)).toEqual(ready)
  })

  it('returns 503 draining from /readyz and 200 from /healthz while the process drains', async () => {
    server.deps.lifecycle.draining = true
    expect(await readiness(server)).toEqual([503, { status: 'draining' }])
    const alive = await server.http.get('/healthz')
    expect([alive.status, alive.headers['connection']]).toEqual([200, 'close'])
  })
})

describe('readiness', () => {
  const changes = () =>
    lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => /^database (not )?ready$/.test(msg))
      .map(({ level, msg, state, reason }) => ({ level, msg, state, reason }))
  const [info, warn] = [30, 40]
  const back = { level: info, msg: 'database ready' }

  it('returns each state of the database and logs its reason once, when the state changes', async () => {
    const { databaseUrl: url } = server
    const name = new URL(url).pathname.slice(1)
    const other = new URL(url)
    other.pathname = '/postgres'
    const breakAndRepair = [
      {
        why: { migrations: 'pending' },
        state: 'pending',
        reason: 'pending: redeem_quote',
        change: `update drizzle.__drizzle_migrations set tag = 'elsewhere' where tag = 'redeem_quote'`,
        repair: `update drizzle.__drizzle_migrations set tag = 'redeem_quote' where tag = 'elsewhere'`,
      },
      {
        why: { database: 'incomplete' },
        state: 'incomplete',
        reason: 'missing: trigger rates_offered on rates',
        change: 'alter trigger rates_offered on rates rename to elsewhere',
        repair: 'alter trigger elsewhere on rates rename to rates_offered',
      },
      {
        why: { database: 'login rejected' },
        state: 'login rejected',
        reason: expect.stringContaining('not currently accepting connections'),
        change: `alter database ${name} allow_connections false;
          select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        repair: `alter database ${name} allow_connections true`,
      },
    ]
    expect(await readiness(server)).toEqual(ready)
    for (const { why, state, reason, change, repair } of breakAndRepair) {
      lines.length = 0
      const at = state === 'login rejected' ? other.href : url
      await runStatements(at, change)
      // The session that was ended is unreachable until it is noticed.
      if (at === other.href)
        await expect.poll(() => server.deps.database.checkPool.totalCount).toBe(0)
      for (let probe = 0; probe < 3; probe++)
        expect(await readiness(server)).toEqual([503, { status: 'unavailable', ...why }])
      await runStatements(at, repair)
      for (let probe = 0; probe < 3; probe++) expect(await readiness(server)).toEqual(ready)
      expect(changes()).toEqual([{ level: warn, msg: 'database not ready', state, reason }, back])
    }
  })

  it('logs once that a newer release keeps its functions', async () => {
    lines.length = 0
    await runStatements(
      server.databaseUrl,
      `insert into drizzle.__drizzle_migrations (tag, hash, release)
       values ('redeem_quote', 'of another text', '9.0.0')`,
    )
    for (let probe = 0; probe < 3; probe++) expect(await readiness(server)).toEqual(ready)
    await runStatements(
      server.databaseUrl,
      `delete from drizzle.__drizzle_migrations where release = '9.0.0'`,
    )
    const logged = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === warn)
    expect(logged).toMatchObject([{ msg: keptDefinitions, newerRelease: '9.0.0' }])
  })
})
