import { once } from 'node:events'
import { lstat, readdir, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunningEmbedded } from '../../src/embedded/postgres.ts'
import {
  type NewcomersServer,
  startAsNewcomer,
  stepsOf,
  stopAsNewcomer,
} from '../helpers/newcomer.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { remove, temporaryDirectory } from './installation.ts'

const patienceMs = 30_000
const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
let parent: string
let dataDir: string
let server: NewcomersServer

beforeAll(async () => {
  parent = await temporaryDirectory('open')
  dataDir = join(parent, 'data')
})
afterAll(() => remove(parent))

function useServer(): void {
  beforeAll(async () => {
    server = await startAsNewcomer(dataDir)
  })
  afterAll(() => stopAsNewcomer(server))
}

async function databaseOfServer(): Promise<string> {
  const running = await findRunningEmbedded(dataDir)
  if (running === undefined) throw new Error(`No database runs in ${dataDir}`)
  return running.url
}

const permissionsOf = async (path: string) => `0${((await stat(path)).mode & 0o777).toString(8)}`

describe('the embedded database of npm start', () => {
  useServer()

  it('writes to the disk before it says so: what was answered 202 survives a power cut', async () => {
    const client = new pg.Client({ connectionString: await databaseOfServer() })
    await client.connect()
    const { rows } = await client.query(
      `select name, setting from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    )
    await client.end()
    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
  })

  it('and the secrets beside it are for the eyes of their owner alone', async () => {
    const { port, searchParams } = new URL(await databaseOfServer())
    const host = searchParams.get('host') ?? ''
    const permissions = async (paths: readonly string[]) =>
      Object.fromEntries(
        await Promise.all(
          paths.map(async (path) => [path, await permissionsOf(join(dataDir, path))]),
        ),
      )
    expect(await permissions(['session-secret', 'demo.json', 'postgres'])).toEqual({
      'session-secret': '0600',
      'demo.json': '0600',
      postgres: '0700',
    })
    expect([
      await permissionsOf(host),
      await permissionsOf(join(host, `.s.PGSQL.${port}`)),
    ]).toEqual(['0700', '0700'])
    // Whoever may write here could put a secret of their own in the place of ours.
    expect((await stat(dataDir)).mode & 0o022).toBe(0)
    for (const name of await readdir(dataDir)) {
      const entry = await lstat(join(dataDir, name))
      if (entry.isFile()) expect([name, entry.mode & 0o077]).toEqual([name, 0])
    }
  })
})

/** Sends the head of a booking and waits until the server asks for its body. */
async function beginBooking(body: string): Promise<Socket> {
  const { api, headers } = stepsOf(server.banner)
  const { hostname, port, pathname } = new URL(`${api}/bookings`)
  const socket = connect(Number(port), hostname)
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    'Host: x',
    'Expect: 100-continue',
    'Idempotency-Key: begun-before-the-end',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [interim] = await once(socket.setEncoding('latin1'), 'data')
  expect(interim).toContain('100 Continue')
  return socket
}

interface LogLine {
  readonly level: number
  readonly phase?: string
  readonly outcome?: string
}

const takesNoMore = (api: string) =>
  fetch(`${api}/asset-groups`).then(
    () => false,
    () => true,
  )

describe('Ctrl-C while a booking is under way', () => {
  useServer()

  it('answers it 202 and ends everything in order, from the outside in', async () => {
    const { api, rental, headers } = stepsOf(server.banner)
    const quote = await fetch(`${api}/quotes`, { method: 'POST', headers, body: rental })
    const { data } = (await quote.json()) as { data: { quoteId: string } }
    const body = JSON.stringify({ quoteId: data.quoteId, customer })
    const socket = await beginBooking(body)
    const exited = once(server.child, 'close')
    server.child.kill('SIGINT')
    await waitFor(() => takesNoMore(api), patienceMs)
    // Only now does it need the database; and a slow caller needs a second to say so.
    for (const character of body.slice(0, 12)) {
      socket.write(character)
      await delay(100)
    }
    socket.write(body.slice(12))
    const [answer] = await once(socket, 'data')
    expect(answer).toMatch(/^HTTP\/1\.1 202 /)
    expect((await exited)[0]).toBe(0)

    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const logged = lines.map((line) => JSON.parse(line) as LogLine)
    // Each as soon as it can: none has to be cut short.
    const phases = logged.flatMap(({ phase, outcome }) => (phase ? `${phase}: ${outcome}` : []))
    expect(phases).toEqual([
      'drain: done',
      'finish requests: done',
      'cut off: done',
      'close connections: done',
      'stop database: done',
    ])
    // A database that ends before its connections is lost to them, which they would say.
    expect(logged.filter(({ level }) => level > 30)).toEqual([])
  })
})
