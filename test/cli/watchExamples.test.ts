import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { compiledServer } from '../helpers/compiledServer.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { openRental } from '../helpers/rental.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
const examples = join(import.meta.dirname, '../../examples/watch')
let home: string
const running = new Set<ChildProcess>()

const program = async (name: string, ...lines: string[]) => {
  const path = join(home, name)
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'))
  await chmod(path, 0o755)
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'watch-'))
  const cli = join(dirname(await compiledServer()), 'cli.js')
  await program('rental', `exec '${process.execPath}' '${cli}' "$@"`)
  // A checkout has no `rental`, and runs it with npm.
  await mkdir(join(home, 'checkout'))
  const command = `while [ "$1" != -- ]; do shift; done; shift; exec '${process.execPath}' '${cli}' "$@"`
  await program('checkout/npm', command)
  await program('sleep', 'exit 0')
  // Stores the message from standard input.
  await program('sendmail', `cat >> '${home}/mails' && echo ---- >> '${home}/mails'`)
})
afterEach(() => [...running].map(kill))
afterAll(() => rm(home, { recursive: true }))

/** Starts an example in a process group of its own. */
const start = (script: string, ...args: string[]) => startIn(home, script, ...args)

async function startIn(programs: string, script: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(resolve(examples, script), args, {
    cwd: home,
    detached: true,
    env: { PATH: `${programs}:${process.env['PATH']}`, DATABASE_URL: operator.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let output = ''
  child.stderr?.on('data', (bytes) => {
    output += bytes
  })
  await waitFor(() => output.includes('Watching'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (!running.delete(child) || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

/** First names that are commands, mentions, links, pictures or headers elsewhere, and as chat.sh sends them. */
const hostileNames = [
  [
    '@channel [Confirm here](https://evil.example)',
    '@channel [Confirm here](https://evil.example)',
  ],
  ['![x](https://evil.example/t.png)', '![x](https://evil.example/t.png)'],
  ['<!channel> <https://evil.example|Pay> &', '‹!channel› ‹https://evil.example|Pay› &'],
  ['` @here ``` *x*', '’ @here ’’’ *x*'],
  ['"\'\\"; $(touch pwned) #', '"\'\\"; $(touch pwned) #'],
  ['%s%n\\n\\r\\0 -e', '%s%n\\n\\r\\0 -e'],
  ['Bcc: spy@evil.example', 'Bcc: spy@evil.example'],
  ['=?utf-8?q?Bcc:_x?= Þóra', '=?utf-8?q?Bcc:_x?= Þóra'],
  ['failed 3', 'failed 3'],
] as const

/** Creates a tenant whose feed no other test writes to. */
async function aSeparateRental(slug: string, terms: object = {}) {
  const { tenant, ...fleet } = fleetOf(1, slug)
  const rental = await openRental(operator.database, { ...fleet, tenant: { ...tenant, ...terms } })
  return (firstName = 'Kari') => {
    const customer = { firstName, lastName: 'Nordmann', email: 'kari@example.com' }
    return rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z', { customer })
  }
}

it('posts every booking with chat.sh after a failed request and a restart', async () => {
  const book = await aSeparateRental('chatty')
  const texts: string[] = []
  let failures = 1
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (failures-- > 0) {
      // curl does not retry 403 by itself.
      response.writeHead(403).end()
      return
    }
    texts.push(JSON.parse(Buffer.concat(chunks).toString()).text)
    response.end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  try {
    const first = await start('chat.sh', 'chatty', url)
    const ids = [await book()]
    const names: string[] = ['Kari']
    const cursor = join(home, 'cursor-chatty')
    await waitFor(() => texts.length === 1)
    const isThere = () =>
      readFile(cursor).then(
        () => true,
        () => false,
      )
    await waitFor(isThere)
    await kill(first)
    for (const [name, sent] of hostileNames) {
      ids.push(await book(name))
      names.push(sent)
    }
    await start('chat.sh', 'chatty', url)
    await waitFor(() => texts.length === ids.length)
    for (const [index, text] of texts.entries()) {
      expect(text).toContain(` booked ${ids[index]?.slice(0, 8)} ${names[index]} Nordmann, `)
      // One piece of code that nothing in it ends.
      expect(text).toMatch(/^`[^`<>\n]+`$/)
    }
  } finally {
    receiver.close()
  }
})

it('sends one mail per booking with mail.sh, and no text of customers in its headers', async () => {
  const book = await aSeparateRental('mailing', { address: 'Brygga 1\n5003 Bergen' })
  const names = hostileNames.map(([name]) => name)
  for (const name of names) await book(name)
  await start('mail.sh', 'mailing', 'office@example.com')
  const sent = () => readFile(join(home, 'mails'), 'utf8').catch(() => '')
  const mails = await waitFor(async () => {
    const all = (await sent()).split('----\n').slice(0, -1)
    return all.length === names.length && all
  })
  const headers = [
    'To: office@example.com',
    'Subject: Booking of mailing',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ].join('\n')
  for (const [index, mail] of mails.entries()) {
    const [head, body, ...others] = mail.split('\n\n')
    expect([head, others]).toEqual([headers, []])
    expect(body).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d booked \w{8} .*\nStation: Brygga 1, 5003 Bergen\n$/,
    )
    expect(body).toContain(` ${names[index]} Nordmann, `)
  }
  // The cursor file belongs to one tenant; sharing it would skip bookings.
  await waitFor(() => readFile(join(home, 'cursor-mailing')).catch(() => false))
})

it.each(['.', 'checkout'])(
  'confirms a new booking with sandbox.sh and rejects an overbooking, with the programs in %s',
  async (programs) => {
    const slug = programs === '.' ? 'trials' : 'trials-in-checkout'
    const book = await aSeparateRental(slug)
    await startIn(join(home, programs), 'sandbox.sh', slug)
    const names = hostileNames.map(([name]) => name).filter((name) => /\$|%s/.test(name))
    const ids: string[] = []
    for (const name of names) ids.push(await book(name))
    const statusOf = async (id: string) => (await operator.json('bookings', 'show', id)).status
    const statuses = await waitFor(async () => {
      const all = await Promise.all(ids.map(statusOf))
      return !all.includes('pending') && all
    })
    expect(statuses).toEqual(['confirmed', 'rejected'])
  },
)

it('runs no text of customers in any of the examples', async () => {
  expect(await readdir(home)).not.toContain('pwned')
})
