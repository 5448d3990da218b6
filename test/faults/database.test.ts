import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { closeGate, gatePoints } from '../helpers/gates.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { aKey } from '../helpers/seed.ts'
import { responseMaxMs } from './probes.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld({ env: { DATABASE_POOL_MAX: '5' } })

const calls = (count: number) => Promise.all(Array.from({ length: count }, () => world.call()))
const callOfAnotherKey = async () => {
  const { id: keyId, key } = await aKey(world.database, world.tenantId)
  const [quoteId = ''] = await world.quotes(1, { keyId })
  return { quoteId, idempotencyKey: randomUUID(), booker: { keyId, key } }
}
const database = () => new URL(world.databaseUrl()).pathname.slice(1)
const sql = (...statements: string[]) => runStatements(world.databaseUrl(), ...statements)

/** Installs a trigger that fails each insert of a booking with this SQLSTATE. */
const failBookings = (state: string, when = 'true') =>
  sql(
    'CREATE SEQUENCE IF NOT EXISTS fault_tries',
    `CREATE OR REPLACE FUNCTION fail_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF ${when} THEN RAISE EXCEPTION 'injected' USING ERRCODE = '${state}'; END IF;
       RETURN NEW;
     END $$`,
    'CREATE OR REPLACE TRIGGER fail_bookings BEFORE INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION fail_bookings()',
  )
const stopFailing = () =>
  sql('DROP TRIGGER fail_bookings ON bookings', 'ALTER SEQUENCE fault_tries RESTART')

describe('bookings when the database fails', () => {
  faultRow('X-2', 'the session ends inside the transaction', world, async (recorder, seed) => {
    const call = await world.call()
    const point = gatePoints[seed % gatePoints.length] ?? 'after lock'
    const gate = await closeGate(world.databaseUrl(), point, call)
    const first = recorder.book(0, call)
    await gate.arrived()
    await gate.terminate()
    expect(await first).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect((await recorder.book(0, await world.call())).status).toBe(202)
    await gate.open()
    expect((await recorder.settle(call)).status).toBe(202)
  })

  faultRow(
    'X-14',
    '40 requests arrive while all 5 pool connections are in use',
    world,
    async (recorder) => {
      // A key has a third of the pool.
      const held = await Promise.all(Array.from({ length: 5 }, callOfAnotherKey))
      const gates = await Promise.all(
        held.map((call) => closeGate(world.databaseUrl(), 'after booking', call)),
      )
      const firsts = held.map((call) => recorder.book(0, call))
      await Promise.all(gates.map((gate) => gate.arrived()))
      const others = await Promise.all((await calls(40)).map((call) => recorder.book(0, call)))
      for (const { status, invokedMs, completedMs } of others) {
        expect([202, 503]).toContain(status)
        expect(completedMs - invokedMs).toBeLessThan(responseMaxMs)
      }
      expect((await fetch(`${world.replicas[0]?.url}/healthz`)).status).toBe(200)
      await Promise.all(gates.map((gate) => gate.open()))
      await Promise.all(firsts)
      expect((await recorder.book(0, await world.call())).status).toBe(202)
    },
  )

  faultRow('X-15', 'the database has too many connections', world, async (_, _seed, useInstead) => {
    const during = await world.call()
    const role = `crowd_${database()}`
    await sql(`CREATE ROLE ${role} LOGIN`, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`)
    await sql(`ALTER DATABASE ${database()} CONNECTION LIMIT 0`)
    // Superusers are exempt from the limit, so this replica connects as an ordinary user.
    const url = new URL(world.databaseUrl())
    url.username = role
    const replica = await world.startReplica({ databaseUrl: url.href })
    const replicas = [replica]
    const crowded = world.recorder(replicas)
    expect((await crowded.book(0, during)).status).toBe(503)
    await sql(`ALTER DATABASE ${database()} CONNECTION LIMIT -1`)
    expect((await crowded.settle(during)).status).toBe(202)
    await replica.kill()
    await sql(`DROP OWNED BY ${role} CASCADE`, `DROP ROLE ${role}`)
    replicas.splice(0, 1, ...world.replicas)
    useInstead(crowded)
  })

  faultRow('X-17', 'the database turns read-only', world, async (recorder) => {
    const [booked, call] = await Promise.all([world.call(), world.call()])
    const { bookingId } = await recorder.book(0, booked)
    await sql(`ALTER DATABASE ${database()} SET default_transaction_read_only = on`)
    world.databaseProxy.reset()
    expect((await recorder.book(0, call)).status).toBe(503)
    const read = await fetch(`${world.replicas[0]?.url}/api/v1/bookings/${bookingId}`, {
      headers: { authorization: `Bearer ${world.key.key}` },
    })
    expect(read.status).toBe(200)
    await sql(
      'SET default_transaction_read_only = off',
      `ALTER DATABASE ${database()} SET default_transaction_read_only = off`,
    )
    world.databaseProxy.reset()
    expect((await recorder.settle(call)).status).toBe(202)
  })

  faultRow('X-18', 'a migration locks the table', world, async (recorder) => {
    const pending = await calls(8)
    const client = await world.database.pool.connect()
    await client.query('BEGIN; LOCK TABLE bookings IN ACCESS EXCLUSIVE MODE')
    const blocked = await Promise.all(pending.map((call, n) => recorder.book(n, call)))
    for (const { status, invokedMs, completedMs } of blocked) {
      expect(status).toBe(503)
      expect(completedMs - invokedMs).toBeLessThan(responseMaxMs)
    }
    await client.query('ROLLBACK')
    client.release()
    for (const call of pending) expect((await recorder.settle(call)).status).toBe(202)
  })

  faultRow(
    'X-19a',
    'a serialization failure or deadlock occurs 3 times',
    world,
    async (recorder, seed) => {
      await failBookings(seed % 2 === 0 ? '40001' : '40P01', "nextval('fault_tries') <= 3")
      expect((await recorder.book(0, await world.call())).status).toBe(202)
      await stopFailing()
    },
  )

  faultRow('X-19b', 'a serialization failure occurs on every attempt', world, async (recorder) => {
    await failBookings('40001')
    const call = await world.call()
    expect((await recorder.book(0, call)).status).toBe(503)
    const tries = await world.database.pool.query('SELECT last_value FROM fault_tries')
    expect(Number(tries.rows[0]?.last_value)).toBeLessThanOrEqual(4)
    await stopFailing()
    expect((await recorder.settle(call)).status).toBe(202)
  })
})
