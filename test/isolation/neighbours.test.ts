import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertQuotes } from '../faults/insertQuotes.ts'
import { useWorld } from '../faults/world.ts'
import { customer } from '../helpers/actors.ts'
import { aGroup, aKey, aTenant, type SeededKey } from '../helpers/seed.ts'
import { seedBookings } from '../helpers/seedBookings.ts'

const world = useWorld({ replicas: 1, proxied: false })
const yearFrom = '2038-01-01T00:00:00Z'
const yearTo = '2038-12-31T00:00:00Z'

interface Caller {
  readonly tenantId: string
  readonly key: SeededKey
  readonly groupId: string
}

interface Outcome {
  readonly status: number
  readonly ms: number
  readonly headers: Headers
}

async function openCaller(assets: number): Promise<Caller> {
  const { database } = world
  const tenantId = await aTenant(database)
  const key = await aKey(database, tenantId)
  return { tenantId, key, groupId: await aGroup(database, tenantId, { assets }) }
}

async function send({ key }: Caller, path: string, body?: object): Promise<Outcome> {
  const startedMs = performance.now()
  const response = await fetch(`${world.replicas[0]?.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key.key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  const { status, headers } = response
  return { status, headers, ms: performance.now() - startedMs }
}

const quotesOf = ({ tenantId, key, groupId }: Caller, count: number) =>
  insertQuotes(world.database, { tenantId, keyId: key.id, groupId, count, expiresInMs: 1_800_000 })

/** Returns the neighbour's requests, each of which looks up, counts or stores something. */
async function requestsOf(caller: Caller) {
  const { tenantId, key, groupId } = caller
  const owner = { tenantId, apiKeyId: key.id, assetGroupId: groupId }
  const [pickupDatetime, dropoffDatetime] = ['2038-03-01T10:00:00Z', '2038-03-08T10:00:00Z']
  const week = { pickupAt: new Date(pickupDatetime), dropoffAt: new Date(dropoffDatetime) }
  const [bookingId] = await seedBookings(world.database, owner, [{ ...week, status: 'pending' }])
  const quotes = await quotesOf(caller, 400)
  return {
    status: () => send(caller, `/bookings/${bookingId}`),
    availability: () =>
      send(
        caller,
        `/asset-groups/${groupId}/availability?from=${pickupDatetime}&to=${dropoffDatetime}`,
      ),
    quote: () =>
      send(caller, '/quotes', { assetGroupId: groupId, pickupDatetime, dropoffDatetime }),
    booking: () => send(caller, '/bookings', { quoteId: quotes.pop(), customer }),
  }
}

type Requests = Awaited<ReturnType<typeof requestsOf>>

/** Sends the requests one after the other while `until` is pending, but each 20 times at least. */
async function measure(requests: Requests, until: Promise<unknown>) {
  const outcomes: Record<string, Outcome[]> = {}
  let isOver = false
  const over = until.then(() => {
    isOver = true
  })
  for (let round = 0; (round < 20 || !isOver) && round < 100; round += 1) {
    for (const [name, request] of Object.entries(requests)) {
      outcomes[name] = (outcomes[name] ?? []).concat(await request())
    }
  }
  await over
  return outcomes
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const msOf = (outcomes: readonly Outcome[] = []) => outcomes.map(({ ms }) => ms)

/** Fills the caller's group with confirmed bookings over a year. */
async function fillYear({ tenantId, key, groupId }: Caller, count: number): Promise<void> {
  await world.database.pool.query(
    `insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at,
       total_minor, currency, inputs, breakdown, expires_at, used_at)
     select $1, gen_random_uuid(), $2, $3, at, at + interval '3 days', 0, 'NOK', '{}', '{}', now(),
       now()
     from (select $5::timestamptz + make_interval(mins => 15 * (n * 7919 % 35000)) as at
       from generate_series(1, $4::int) n) pickups`,
    [tenantId, key.id, groupId, count, yearFrom],
  )
  await world.database.pool.query(
    `insert into bookings (tenant_id, api_key_id, quote_id, asset_group_id, status, pickup_at,
       dropoff_at, total_minor, currency, customer_first_name, customer_last_name, customer_email)
     select tenant_id, api_key_id, id, asset_group_id, 'confirmed', pickup_at, dropoff_at, 0, 'NOK',
       'Kari', 'Nordmann', 'kari@example.com'
     from quotes where tenant_id = $1 and asset_group_id = $2`,
    [tenantId, groupId],
  )
}

/** Sends `count` requests, `inFlight` at a time, and returns their outcomes. */
async function sendMany(count: number, inFlight: number, request: () => Promise<Outcome>) {
  const outcomes: Outcome[] = []
  let left = count
  const one = async () => {
    while (left > 0) {
      left -= 1
      outcomes.push(await request())
    }
  }
  await Promise.all(Array.from({ length: inFlight }, one))
  return outcomes
}

describe('a tenant whose neighbour', () => {
  it('asks for 280 year-long availabilities of 50,000 bookings is served, in a fraction of their time', async () => {
    const heavy = await openCaller(500)
    await fillYear(heavy, 50_000)
    const requests = await requestsOf(await openCaller(20))
    const quiet = await measure(requests, Promise.resolve())
    const path = `/asset-groups/${heavy.groupId}/availability?from=${yearFrom}&to=${yearTo}`
    expect(await send(heavy, path)).toMatchObject({ status: 200 })
    const load = sendMany(280, 40, () => send(heavy, path))
    const beside = await measure(requests, load)
    const ofHeavy = await load
    const heavyMs = median(msOf(ofHeavy))
    for (const [name, outcomes] of Object.entries(beside)) {
      const [before, during] = [median(msOf(quiet[name])), median(msOf(outcomes))]
      const slowest = Math.max(...msOf(outcomes))
      const figures = [before, during, slowest, heavyMs].map((ms) => ms.toFixed(0))
      process.stdout.write(
        `${name}: ${figures.join(', ')} ms (quiet, beside, slowest, heavy key)\n`,
      )
      expect(outcomes.filter(({ status }) => status >= 300)).toEqual([])
      expect(during).toBeLessThan(heavyMs / 4)
      expect(slowest).toBeLessThan(Math.max(...msOf(ofHeavy)))
    }
    for (const { status, headers } of ofHeavy) {
      expect([200, 503]).toContain(status)
      expect(headers.has('retry-after')).toBe(status === 503)
      expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0)
    }
  })

  it('has locked rows is served while the bookings and quotes of that neighbour wait for the locks', async () => {
    const locked = await openCaller(1)
    const quotes = await quotesOf(locked, 40)
    const requests = await requestsOf(await openCaller(20))
    const client = await world.database.pool.connect()
    await client.query('begin')
    await client.query('select from quotes where tenant_id = $1 for update', [locked.tenantId])
    await client.query('select from api_keys where tenant_id = $1 for update', [locked.tenantId])
    const rental = { pickupDatetime: yearFrom, dropoffDatetime: yearTo }
    const quote = () => send(locked, '/quotes', { assetGroupId: locked.groupId, ...rental })
    const booking = () => send(locked, '/bookings', { quoteId: quotes.pop(), customer })
    const load = Promise.all([sendMany(40, 40, booking), sendMany(40, 40, quote)]).then((both) =>
      both.flat(),
    )
    const beside = await measure(requests, load)
    const fastest = Math.min(...msOf(await load))
    await client.query('rollback')
    client.release()
    expect(new Set((await load).map(({ status }) => status))).toEqual(new Set([503]))
    for (const outcomes of Object.values(beside)) {
      expect(outcomes.filter(({ status }) => status >= 300)).toEqual([])
      expect(Math.max(...msOf(outcomes))).toBeLessThan(fastest)
    }
  })
})
