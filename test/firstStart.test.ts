import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remove, temporaryDirectory } from './embedded/installation.ts'
import { compiledServer } from './helpers/compiledServer.ts'
import { waitFor } from './helpers/waitFor.ts'

const startTimeoutMs = 50_000

let compiled: string
let dataDir: string

beforeAll(async () => {
  compiled = dirname(await compiledServer())
  dataDir = await temporaryDirectory('open')
})
afterAll(async () => {
  await remove(dataDir)
})

const environment = () => ({ PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0' })

interface Started {
  readonly child: ChildProcess
  /** What it printed when it was ready. */
  readonly banner: string
}

async function start(): Promise<Started> {
  const child = spawn(process.execPath, [join(compiled, 'server.js')], { env: environment() })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await waitFor(
    () => output.includes('bookings confirm') || child.exitCode !== null,
    startTimeoutMs,
  )
  return { child, banner: output }
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGINT')
  await once(child, 'exit')
}

/** What a newcomer would paste, without the shell: the addresses, headers and bodies of the banner. */
function stepsOf(banner: string) {
  const [, api = ''] = /Rental Booking API: (\S+)/.exec(banner) ?? []
  const [, key = ''] = /key for servers +(\S+)/.exec(banner) ?? []
  const [, rental = ''] = /-d '(\{"assetGroupId".*?\})'/.exec(banner) ?? []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { api, key, rental, headers }
}

interface SiteConfig {
  readonly baseUrl: string
  readonly apiKey: string
  readonly extras: readonly object[]
}

const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }

/** Quotes, books and polls as the banner says; returns the booking's id. */
async function book(banner: string): Promise<string> {
  const { api, rental, headers } = stepsOf(banner)
  const quote = await fetch(`${api}/quotes`, { method: 'POST', headers, body: rental })
  expect(quote.status).toBe(201)
  const { quoteId } = await dataOf<{ quoteId: string }>(quote)
  const booking = await fetch(`${api}/bookings`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': `booking-${quoteId}` },
    body: JSON.stringify({ quoteId, customer }),
  })
  expect(booking.status).toBe(202)
  const { bookingId } = await dataOf<{ bookingId: string }>(booking)
  expect(await statusOf(banner, bookingId)).toBe('pending')
  return bookingId
}

async function statusOf(banner: string, bookingId: string): Promise<string> {
  const { api, headers } = stepsOf(banner)
  const answer = await fetch(`${api}/bookings/${bookingId}`, { headers })
  expect(answer.status).toBe(200)
  return (await dataOf<{ status: string }>(answer)).status
}

async function dataOf<T>(answer: Response): Promise<T> {
  return ((await answer.json()) as { data: T }).data
}

/** What the example website shows a browser first, and whether its page may use the API. */
async function visitWebsite(banner: string): Promise<void> {
  const [, url = ''] = /Example website: +(\S+)/.exec(banner) ?? []
  const page = await fetch(url)
  expect(page.status).toBe(200)
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? []
  expect((await fetch(url + script)).status).toBe(200)
  const config = (await (await fetch(`${url}/config.json`)).json()) as SiteConfig
  expect(config.extras).toContainEqual(expect.objectContaining({ name: 'Child seat' }))
  const session = await fetch(`${config.baseUrl}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.apiKey}`, origin: url },
  })
  expect(session.status).toBe(201)
}

const rental = (...argv: string[]) =>
  promisify(execFile)(process.execPath, [join(compiled, 'cli.js'), ...argv], {
    env: environment(),
  })

describe('npm start on a machine with only Node', () => {
  it('leads a newcomer to a confirmed booking, and still knows the demo the next time', async () => {
    const first = await start()
    await visitWebsite(first.banner)
    const bookingId = await book(first.banner)
    await rental('bookings', 'confirm', bookingId)
    expect(await statusOf(first.banner, bookingId)).toBe('confirmed')

    const second = await start()
    expect(second.child.exitCode).toBe(1)
    expect(second.banner).toContain('already')

    await stop(first)
    const { stdout } = await rental('bookings', 'list', '--tenant', 'fjord-cars', '--json')
    expect(stdout).toContain(bookingId)

    const again = await start()
    expect(stepsOf(again.banner).key).toBe(stepsOf(first.banner).key)
    expect(await statusOf(again.banner, bookingId)).toBe('confirmed')
    await book(again.banner)
    // On another port this time: its key has moved with it.
    await visitWebsite(again.banner)
    await stop(again)
  }, 60_000)
})
