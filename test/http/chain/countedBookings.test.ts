import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Actor, aPage, aServer, aVisitor, customer } from '../../helpers/actors.ts'
import { type TestApp, useReplicas } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { runStatements } from '../../helpers/maintenance.ts'
import { expectData, expectError } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const poolMax = 2
const replicas = useReplicas(2, {
  HEADERS_TIMEOUT_SECONDS: '1',
  REQUEST_TIMEOUT_SECONDS: '2',
  DATABASE_POOL_MAX: String(poolMax),
})
const replica = (n: number) => replicas[n % replicas.length] as TestApp
const origin = 'https://shop.example'
const perDay = 3

let key: string
let groupId: string
let shop: Actor

beforeEach(async () => {
  const { database } = replica(0).deps
  const tenantId = await aTenant(database)
  groupId = await aGroup(database, tenantId)
  const limits = { bookingsPerDay: perDay }
  key = (await aKey(database, tenantId, { origins: [origin], limits })).key
  shop = aServer(replica(0), key)
})

async function aQuote(actor = shop): Promise<string> {
  const body = { assetGroupId: groupId, pickupDatetime: inDays(1), dropoffDatetime: inDays(2) }
  return expectData(await actor.post('/quotes', body), 201).quoteId
}

interface WithHeaders {
  readonly headers: Record<string, string>
}

/** Returns the remaining bookings of the day from the RateLimit header. */
const leftBy = ({ headers }: WithHeaders) =>
  Number(/"bookings-day";r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1])

/** Reads the remaining slots with an unlisted origin, because that request takes no slot. */
const left = async () =>
  leftBy(await aPage(replica(1), key, 'https://evil.example').post('/bookings', {}))

describe('bookings counted in the day', () => {
  it('counts each booking and rejects more bookings with 429', async () => {
    for (let n = 1; n <= perDay; n++) {
      const response = await aServer(replica(n), key).book({ quoteId: await aQuote(), customer })
      expectData(response, 202)
      expect(leftBy(response)).toBe(perDay - n)
    }
    const rejected = await shop.book({ quoteId: await aQuote(), customer })
    expectError(rejected, 429, 'RATE_LIMITED')
    expect(rejected.headers['x-ratelimit-limit']).toBe(String(perDay))
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(60)
    expect(await left()).toBe(0)
  })

  it('counts one booking for ten requests with the same Idempotency-Key', async () => {
    const [body, attempt] = [{ quoteId: await aQuote(), customer }, randomUUID()]
    for (let n = 0; n < 10; n++) {
      const response = await aServer(replica(n), key).book(body, attempt)
      expectData(response, 202)
      expect(response.headers['idempotent-replayed']).toBe(n === 0 ? undefined : 'true')
      expect(leftBy(response)).toBe(perDay - 1)
    }
  })

  it('limits the bookings of one visitor in a day and leaves the others of the key', async () => {
    const { database } = replica(0).deps
    const tenantId = await aTenant(database)
    groupId = await aGroup(database, tenantId)
    const limits = { bookingsPerDay: 200, visitorBookingsPerDay: 1 }
    const site = (await aKey(database, tenantId, { origins: [origin], limits })).key
    const visitor = await aVisitor(replica(0), site, origin)
    expectError(await visitor.book({ quoteId: randomUUID(), customer }), 404, 'QUOTE_NOT_FOUND')
    const booked = await visitor.book({ quoteId: await aQuote(visitor), customer })
    expectData(booked, 202)
    expect(booked.headers['ratelimit']).toMatch(/"bookings-day";r=199;.*"visitor-day";r=0;/)
    const rejected = await visitor.book({ quoteId: await aQuote(visitor), customer })
    expectError(rejected, 429, 'RATE_LIMITED')
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(60)
    const partner = aServer(replica(1), site)
    const other = await partner.book({ quoteId: await aQuote(partner), customer })
    expectData(other, 202)
    expect(leftBy(other)).toBe(198)
  })

  it('counts no booking for 200 requests that create none', async () => {
    const visitor = await aVisitor(replica(1), key, origin)
    const junk: ((n: number) => PromiseLike<{ status: number }>)[] = [
      () => shop.book({}),
      () => shop.book({ quoteId: randomUUID(), customer }),
      () => shop.post('/bookings', { quoteId: randomUUID(), customer }),
      () => aPage(replica(1), key, 'https://evil.example').book({}),
      () => aPage(replica(1), key, origin).book({}),
      () => visitor.book({}),
      () => aServer(replica(1), key).post('/bookings', undefined, { 'content-type': 'text/x' }),
    ]
    for (let n = 0; n < 200; n++) {
      expect((await junk[n % junk.length]?.(n))?.status).toBeLessThan(429)
    }
    expect(await left()).toBe(perDay)
    expectData(await shop.book({ quoteId: await aQuote(), customer }), 202)
  })
})

type Refused = (booked: { quoteId: string; attempt: string }) => PromiseLike<unknown>

describe('uncounted bookings', () => {
  it.each<[string, number, Refused]>([
    ['a missing session', 401, () => aPage(replica(0), key, origin).book({})],
    ['an invalid body', 400, () => shop.book({ quoteId: 'x' })],
    ['an unknown quote', 404, () => shop.book({ quoteId: randomUUID(), customer })],
    ['a used quote', 409, ({ quoteId }) => shop.book({ quoteId, customer })],
    [
      'a quote from another session',
      403,
      async () =>
        (await aVisitor(replica(0), key, origin)).book({ quoteId: await aQuote(), customer }),
    ],
    [
      'another body with the same Idempotency-Key',
      422,
      ({ quoteId, attempt }) => shop.book({ quoteId, customer, notes: 'changed' }, attempt),
    ],
    ['a replay', 202, ({ quoteId, attempt }) => shop.book({ quoteId, customer }, attempt)],
  ])('uncounts the booking and reports it after %s', async (_, status, sendRejected) => {
    const booked = { quoteId: await aQuote(), attempt: randomUUID() }
    const first = await shop.book({ quoteId: booked.quoteId, customer }, booked.attempt)
    expectData(first, 202)
    const response = (await sendRejected(booked)) as WithHeaders & { status: number }
    expect(response.status).toBe(status)
    expect(leftBy(response)).toBe(perDay - 1)
    expect(await left()).toBe(perDay - 1)
  })
})

describe('counted bookings after a database failure', () => {
  /** Runs `run` while another transaction locks the bookings table. */
  async function whileLocked<T>(run: () => Promise<T>): Promise<T> {
    const locker = new pg.Client({ connectionString: replica(0).databaseUrl })
    await locker.connect()
    try {
      await locker.query('BEGIN; LOCK TABLE bookings IN ACCESS EXCLUSIVE MODE')
      return await run()
    } finally {
      await locker.end()
    }
  }

  it('uncounts the booking and reports the window end when a booking fails with 503', async () => {
    const quoteId = await aQuote()
    const response = await whileLocked(async () => shop.book({ quoteId, customer }))
    expectError(response, 503, 'SERVICE_UNAVAILABLE')
    expect(leftBy(response)).toBe(perDay)
    // The tolerance covers the seconds spent waiting for the database.
    const { ratelimit = '', date = '', 'x-ratelimit-reset': reset } = response.headers
    const [, leftSeconds] = /"bookings-day";r=\d+;t=(\d+)/.exec(ratelimit) ?? []
    expect(Number(leftSeconds) - (Number(reset) - Date.parse(date) / 1_000)).toBeCloseTo(0, -1)
  })

  it('keeps the booking counted when the outcome is unknown, and counts the retry', async () => {
    const [body, attempt] = [{ quoteId: await aQuote(), customer }, randomUUID()]
    await runStatements(
      replica(0).databaseUrl,
      `CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60); RETURN NEW; END $$`,
      `CREATE TRIGGER end_session BEFORE INSERT ON bookings
       FOR EACH ROW EXECUTE FUNCTION end_session()`,
    )
    const response = await shop.book(body, attempt)
    await runStatements(replica(0).databaseUrl, 'DROP TRIGGER end_session ON bookings')
    expectError(response, 503, 'SERVICE_UNAVAILABLE')
    expect(leftBy(response)).toBe(perDay - 1)
    // PostgreSQL releases the locks of an ended session one by one, so a retry may get 409.
    const retried = await waitFor(async () => {
      const again = await shop.book(body, attempt)
      return again.status === 409 ? undefined : again
    })
    expectData(retried, 202)
    expect(leftBy(retried)).toBe(perDay - 2)
  })
})
