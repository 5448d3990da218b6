import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { listenerName } from '../../../src/db/connection/changeNotifications.ts'
import { revokeApiKey } from '../../../src/services/manageKeys.ts'
import { changeTenant } from '../../../src/services/tenantTerms.ts'
import { aServer } from '../../helpers/actors.ts'
import { type TestApp, useReplicas } from '../../helpers/app.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const replicas = useReplicas(2)
const [first] = replicas as readonly [TestApp, TestApp]
const database = () => first.deps.database

async function codeAt(replica: TestApp, key: string): Promise<string> {
  const response = await aServer(replica, key).get('/asset-groups')
  return response.body.error?.code ?? 'OK'
}

/** Creates a key and loads it into the cache of both replicas. */
async function warmedKey() {
  const slug = generateApiKey().slice(8, 28).toLowerCase()
  const made = await aKey(database(), await aTenant(database(), { slug }))
  for (const replica of replicas) {
    for (let n = 0; n < 3; n++) expect(await codeAt(replica, made.key)).toBe('OK')
  }
  return { ...made, slug }
}

/** Returns the milliseconds until every replica returns `code`; `meanwhile` runs before each poll. */
async function msUntil(code: string, key: string, meanwhile = async () => {}): Promise<number> {
  const started = performance.now()
  await waitFor(async () => {
    await meanwhile()
    const codes = await Promise.all(replicas.map((replica) => codeAt(replica, key)))
    return codes.every((found) => found === code)
  })
  return performance.now() - started
}

const ofListeners = sql`from pg_stat_activity
  where application_name = ${listenerName} and datname = current_database()`

/** Terminated sessions stay in pg_stat_activity for a moment. */
const cutOff = new Set<number>()

const cutChannel = async () => {
  const { rows } = await database().orm.execute<{ pid: number }>(
    sql`select pid, pg_terminate_backend(pid) ${ofListeners}`,
  )
  for (const { pid } of rows) cutOff.add(pid)
}

/** Waits until each replica has sent LISTEN, or the health check that follows it. */
const listening = () =>
  waitFor(async () => {
    const { rows } = await database().orm.execute<{ pid: number }>(
      sql`select pid ${ofListeners} and state = 'idle'
        and query in ('listen access_changed; listen catalog_changed', 'select 1')`,
    )
    return rows.filter(({ pid }) => !cutOff.has(pid)).length === replicas.length
  })

/** A busy machine can exceed these times by chance, a defect exceeds them every time. */
const timed = { retry: 2 }

describe('access changes on every replica', timed, () => {
  it('rejects a revoked key on every replica within 2 s', async () => {
    await listening()
    const { id, key } = await warmedKey()
    await revokeApiKey(database(), id)
    expect(await msUntil('API_KEY_REVOKED', key)).toBeLessThan(2_000)
  })

  it('rejects a suspended account within 2 s and accepts it again when it is active', async () => {
    await listening()
    const { key, slug } = await warmedKey()
    await changeTenant(database(), slug, { status: 'suspended' })
    expect(await msUntil('TENANT_SUSPENDED', key)).toBeLessThan(2_000)
    await changeTenant(database(), slug, { status: 'active' })
    expect(await msUntil('OK', key)).toBeLessThan(2_000)
  })

  it('rejects a cached key as soon as it expires', async () => {
    const expiresAt = new Date(first.clock.now().getTime() + 86_400_000)
    const { key } = await aKey(database(), await aTenant(database()), { expiresAt })
    for (const replica of replicas) expect(await codeAt(replica, key)).toBe('OK')
    first.clock.advanceSeconds(86_399)
    for (const replica of replicas) expect(await codeAt(replica, key)).toBe('OK')
    first.clock.advanceSeconds(1)
    for (const replica of replicas) expect(await codeAt(replica, key)).toBe('API_KEY_EXPIRED')
  })
})

describe('access changes without notifications', timed, () => {
  it('rejects a revoked key and a suspended account within 5 s without notifications', async () => {
    const revoked = await warmedKey()
    const suspended = await warmedKey()
    await cutChannel()
    await revokeApiKey(database(), revoked.id)
    await changeTenant(database(), suspended.slug, { status: 'suspended' })
    // Terminates reconnected listeners too, so that the channel stays closed.
    const firstMs = await msUntil('API_KEY_REVOKED', revoked.key, cutChannel)
    const bothMs = firstMs + (await msUntil('TENANT_SUSPENDED', suspended.key, cutChannel))
    expect(bothMs).toBeLessThan(5_000)
  })
})
