import { afterEach, describe, expect, it } from 'vitest'
import { type TestApp, useTestApp } from '../../helpers/app.ts'

const server = useTestApp()
const older = useTestApp()
const newer = useTestApp()

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
  it('returns 503 until the migrations of the release are applied, then stops checking', async () => {
    const { pool } = older.deps.database
    await pool.query('alter table drizzle.__drizzle_migrations rename to elsewhere')
    expect((await readiness(older))[0]).toBe(503)
    await pool.query('alter table drizzle.elsewhere rename to __drizzle_migrations')

    const youngest = `(select max(created_at) from drizzle.__drizzle_migrations)`
    const { rows } = await pool.query(
      `delete from drizzle.__drizzle_migrations where created_at = ${youngest} returning *`,
    )
    const pending = [503, { status: 'unavailable', migrations: 'pending' }]
    expect(await readiness(older)).toEqual(pending)
    expect(await readiness(older)).toEqual(pending)

    const { hash, created_at: createdAt } = rows[0]
    await pool.query(
      'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
      [hash, createdAt],
    )
    expect(await readiness(older)).toEqual(ready)
    await pool.query('drop table drizzle.__drizzle_migrations')
    expect(await readiness(older)).toEqual(ready)
  })

  it('returns ready on a schema newer than the release', async () => {
    await newer.deps.database.pool.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('next', 9999999999999)`,
    )
    expect(await readiness(newer)).toEqual(ready)
  })
})
