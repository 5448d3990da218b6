import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { attack } from '../../attacks/attacks.ts'
import { insertQuotes } from '../../faults/insertQuotes.ts'
import { aServer, customer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { scrape } from '../../helpers/metrics.ts'
import { expectData, expectError } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const inProgressMax = 3
/** A key may hold 20 of these slots. */
const sharedMax = 30
const slotsPerKey = 20
const patienceMs = 30_000
const server = useTestApp({ REQUESTS_IN_PROGRESS_MAX: String(inProgressMax) })
const shared = useTestApp({ REQUESTS_IN_PROGRESS_MAX: String(sharedMax) })
let key: string
let quoteIds: string[]

beforeAll(async () => {
  const { database } = server.deps
  const tenantId = await aTenant(database)
  key = (await aKey(database, tenantId)).key
  const assetGroupId = await aGroup(database, tenantId)
  const period = { assetGroupId, pickupDatetime: inDays(3), dropoffDatetime: inDays(4) }
  quoteIds = []
  for (let index = 0; index < inProgressMax; index += 1) {
    const { quoteId } = expectData(await aServer(server, key).post('/quotes', period), 201)
    quoteIds.push(quoteId)
  }
})

const inProgress = async (of = server) => (await scrape(of)).get('rental_http_requests_in_progress')

/** Blocks bookings until the returned client ends. */
async function lockBookings({ databaseUrl } = server): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table bookings in access exclusive mode')
  return holder
}

it('returns 503 beyond REQUESTS_IN_PROGRESS_MAX, serves probes and recovers', async () => {
  const partner = aServer(server, key)
  const holder = await lockBookings()
  const held = quoteIds.map((quoteId) => partner.book({ quoteId, customer }, quoteId).then())
  await waitFor(async () => (await inProgress()) === inProgressMax, patienceMs)
  const origin = 'https://shop.example'
  const [list, page, booking, ...probes] = await Promise.all([
    partner.get('/asset-groups', { origin }),
    server.http.get('/docs'),
    partner.book({ quoteId: quoteIds[0], customer }),
    ...['/healthz', '/readyz', '/metrics'].map((path) => server.http.get(path)),
  ])
  await holder.end()
  for (const rejected of [list, page, booking]) expectError(rejected, 503, 'SERVICE_UNAVAILABLE')
  expect(list.headers).toMatchObject({ 'retry-after': '2', 'access-control-allow-origin': origin })
  expect(probes.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await scrape(server)).get('rental_overload_refusals_total')).toBe(3)

  // A booking that waits too long for the lock returns 503; the retry books it.
  for (const { status } of await Promise.all(held)) expect([202, 503]).toContain(status)
  await waitFor(async () => (await inProgress()) === 0, patienceMs)
  for (const quoteId of quoteIds) {
    expectData(await partner.book({ quoteId, customer }, quoteId), 202)
  }
})

it('holds no slot while the body of a request is received', async () => {
  const allowed = async () => {
    const series = [...(await scrape(server))].filter(
      ([name]) => name.includes('"quotes"') && name.includes('"allowed"'),
    )
    return series.reduce((sum, [, count]) => sum + count, 0)
  }
  const before = await allowed()
  const address = new URL(server.http.get('/').url)
  const bytes = `POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nX-Api-Key: ${key}\r\n\r\n{`
  const slow = attack(address, { bytes, drip: ' ' }, { connections: 10, reopen: false })
  await waitFor(async () => (await allowed()) === before + 10, patienceMs)
  expectData(await aServer(server, key).get('/asset-groups'), 200)
  expect(slow.open()).toBe(10)
  slow.stop()
})

it('returns 503 to a key that holds its share of the slots, and serves other keys', async () => {
  const { database } = shared.deps
  const tenantId = await aTenant(database)
  const groupId = await aGroup(database, tenantId)
  const limits = { bookings: 1_000, bookingsPerDay: slotsPerKey + 5 }
  const [busy, other] = [await aKey(database, tenantId, { limits }), await aKey(database, tenantId)]
  const rows = { tenantId, keyId: busy.id, groupId, count: slotsPerKey + 1, expiresInMs: 1_800_000 }
  const quotes = await insertQuotes(database, rows)
  const partner = aServer(shared, busy.key)
  const holder = await lockBookings(shared)
  const held = quotes
    .slice(0, slotsPerKey)
    .map((quoteId) => partner.book({ quoteId, customer }, quoteId).then())
  await waitFor(async () => (await inProgress(shared)) === slotsPerKey, patienceMs)
  const rejected = await partner.book({ quoteId: quotes[slotsPerKey], customer })
  const served = await aServer(shared, other.key).get('/asset-groups')
  await holder.end()
  await Promise.all(held)

  expectError(rejected, 503, 'SERVICE_UNAVAILABLE')
  expect(rejected.headers['retry-after']).toBe('1')
  // The request counts in the minute window, and releases its slot of the day.
  expect(rejected.headers['ratelimit']).toMatch(/"bookings";r=979;.*"bookings-day";r=5;/)
  expectData(served, 200)
  expectData(await partner.get('/asset-groups'), 200)
})

it('calculates the remaining time of a limit window when the response is sent', async () => {
  const holder = await lockBookings()
  const sentSeconds = Math.floor(Date.now() / 1000)
  const response = await aServer(server, key).get(`/bookings/${randomUUID()}`)
  await holder.end()
  expectError(response, 503, 'SERVICE_UNAVAILABLE')
  const [, leftSeconds] = /;t=(\d+)$/.exec(response.headers['ratelimit'] ?? '') ?? []
  // The wait for the lock ends after a second and a half.
  const longestSeconds = Number(response.headers['x-ratelimit-reset']) - sentSeconds - 1
  expect(Number(leftSeconds)).toBeLessThanOrEqual(Math.max(1, longestSeconds))
})
