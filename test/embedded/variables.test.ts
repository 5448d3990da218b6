import { expect, it, onTestFinished, vi } from 'vitest'
import { startFirstRun, stopFirstRun } from '../helpers/firstRun.ts'
import { query, useEmbedded } from './useEmbedded.ts'

const { directory, start, usedDirectory } = useEmbedded()

/** Variables of libpq, the driver or PostgreSQL, with values for another server. */
const variables = {
  PGHOST: 'db.invalid',
  PGHOSTADDR: '192.0.2.1',
  PGPORT: '6543',
  PGUSER: 'somebody',
  PGDATABASE: 'other',
  PGPASSWORD: 'secret',
  PGPASSFILE: '/nowhere/pgpass',
  PGSERVICE: 'other',
  PGSERVICEFILE: '/nowhere/service',
  PGOPTIONS: '-c search_path=other -c no_such_setting=1',
  PGREPLICATION: 'database',
  PGCLIENTENCODING: 'LATIN1',
  PGCLIENT_ENCODING: 'LATIN1',
  PGBINARY: '1',
  PGSSL: 'true',
  PGSSLMODE: 'require',
  PGSSLNEGOTIATION: 'direct',
  PGSSLROOTCERT: '/nowhere/root.crt',
  PGSSLCERT: '/nowhere/client.crt',
  PGSSLKEY: '/nowhere/client.key',
  PGREQUIRESSL: '1',
  PGREQUIREAUTH: 'scram-sha-256',
  PGCHANNELBINDING: 'require',
  PGGSSENCMODE: 'require',
  PGTARGETSESSIONATTRS: 'standby',
  PGCONNECT_TIMEOUT: '1',
  PGTZ: 'Mars/Olympus',
  PGDATESTYLE: 'German',
  PGGEQO: 'off',
  PGDATA: '/nowhere/data',
  PG_COLOR: 'always',
}

const session = `SELECT current_user, current_database(), current_setting('search_path') AS path,
  current_setting('client_encoding') AS encoding, current_setting('DateStyle') AS dates,
  current_setting('TimeZone') AS zone, backend_type FROM pg_stat_activity WHERE pid = pg_backend_pid()`

it('connects to the embedded database in the same way whatever PG variables are set', async () => {
  const { url } = await start(await usedDirectory())
  const expected = await query(url, session)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, value] of Object.entries(variables)) {
    vi.stubEnv(name, value)
    const actual = await query(url, session).catch(String)
    expect([name, actual]).toEqual([name, expected])
    vi.unstubAllEnvs()
  }
})

it('creates and serves the embedded database with all PG variables set', async () => {
  const server = await startFirstRun(await directory(), { env: variables })
  onTestFinished(() => void server.child.kill('SIGKILL'))
  expect(server.banner).toContain('key for servers')
  expect(await stopFirstRun(server)).toBe(0)
})
