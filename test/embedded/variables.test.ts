import { expect, it, onTestFinished, vi } from 'vitest'
import { startFirstRun, stopFirstRun } from '../helpers/firstRun.ts'
import { rowsOf } from '../helpers/maintenance.ts'
import { useEmbedded } from './useEmbedded.ts'

const { directory, start, usedDirectory } = useEmbedded()

/** Variables of libpq, the driver or PostgreSQL, with values for another server. */
const variables = {
  PGHOST: 'db.invalid',
  PGPORT: '6543',
  PGUSER: 'somebody',
  PGDATABASE: 'other',
  PGPASSWORD: 'secret',
  PGSERVICE: 'other',
  PGOPTIONS: '-c search_path=other -c no_such_setting=1',
  PGCLIENTENCODING: 'LATIN1',
  PGSSLMODE: 'require',
  PGTARGETSESSIONATTRS: 'standby',
  PGTZ: 'Mars/Olympus',
  PGDATA: '/nowhere/data',
}

const session = `SELECT current_user, current_database(), current_setting('search_path') AS path,
  current_setting('client_encoding') AS encoding, current_setting('DateStyle') AS dates,
  current_setting('TimeZone') AS zone, backend_type FROM pg_stat_activity WHERE pid = pg_backend_pid()`

it('connects to the embedded database in the same way whatever PG variables are set', async () => {
  const { url } = await start(await usedDirectory())
  const expected = await rowsOf(url, session)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, value] of Object.entries(variables)) {
    vi.stubEnv(name, value)
    const actual = await rowsOf(url, session).catch(String)
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
