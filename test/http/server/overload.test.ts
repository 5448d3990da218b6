import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { type Attackers, attack, slowBody } from '../../attacks/attacks.ts'
import { customer } from '../../helpers/actors.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { scrape } from '../../helpers/metrics.ts'
import { expectData, expectError } from '../../helpers/responses.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const inProgressMax = 3
const patienceMs = 30_000
const clients = useHttpClients({ REQUESTS_IN_PROGRESS_MAX: String(inProgressMax) })
const { server } = clients
let quoteIds: string[]

beforeAll(async () => {
  quoteIds = []
  for (let index = 0; index < inProgressMax; index += 1) quoteIds.push(await clients.aQuote())
})

const inProgress = async (of = server) => (await scrape(of)).get('rental_http_requests_in_progress')

/** Blocks bookings until the returned client ends. */
async function lockBookings(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table bookings in access exclusive mode')
  return holder
}

it('returns 503 beyond REQUESTS_IN_PROGRESS_MAX, serves probes and recovers', async () => {
  const partner = clients.partner
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
  const refusals = 'rental_overload_refusals_total{reason="request_slots"}'
  expect((await scrape(server)).get(refusals)).toBe(3)

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
  // One after another: more chains than slots at one moment would be rejected.
  const slow: Attackers[] = []
  for (let opened = 1; opened <= 10; opened += 1) {
    slow.push(attack(address, slowBody(clients.key), { connections: 1, reopen: false }))
    await waitFor(async () => (await allowed()) === before + opened, patienceMs)
  }
  expectData(await clients.partner.get('/asset-groups'), 200)
  expect(slow.map((one) => one.open())).toEqual(Array(10).fill(1))
  for (const one of slow) one.stop()
})
