import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { errorForLog } from '../src/base/errorForLog.ts'
import { parseConfig } from '../src/config.ts'
import { createLog } from '../src/log.ts'
import { openDeps } from '../src/openDeps.ts'
import { sessionSecret } from './helpers/app.ts'
import { compiledServer } from './helpers/compiledServer.ts'
import { createTestDatabase } from './helpers/database.ts'
import { freePort } from './helpers/freePort.ts'
import { runStatements } from './helpers/maintenance.ts'
import { openTerminal } from './helpers/terminal.ts'
import { waitFor } from './helpers/waitFor.ts'

class DatabaseError extends Error {
  readonly code = '23505'
  readonly constraint = 'api_keys_pkey'
  readonly detail = 'Key (name)=(Kari) already exists.'
}

it('of an error the log has what happened, where, and what caused it', () => {
  const cause = new DatabaseError('duplicate key\n    at nowhere')
  const logged = errorForLog(new TypeError('no booking', { cause }))
  const frames = /^ +at .*log\.test\.ts.*(\n +at .*)+$/
  expect(logged).toEqual({
    type: 'TypeError',
    message: 'no booking',
    stack: expect.stringMatching(frames),
    cause: {
      type: 'DatabaseError',
      message: cause.message,
      code: '23505',
      constraint: 'api_keys_pkey',
      stack: expect.stringMatching(frames),
    },
  })
  expect(logged.cause?.stack).not.toContain('nowhere')
})

it('of an error that caused itself the log has six', () => {
  const error = new Error('once and again')
  error.cause = error
  expect(JSON.stringify(errorForLog(error)).match(/once and again/g)).toHaveLength(6)
})

it.each([
  ['22P02', 'a value was refused'],
  ['P0001', 'a value was refused'],
  ['42P01', 'no table Kari'],
])('of PostgreSQL’s error %s the log says: %s', (code, said) => {
  expect(errorForLog(Object.assign(new Error('no table Kari'), { code })).message).toBe(said)
})

it.each([
  ['JSON', () => JSON.parse('{"name":Kari}')],
  ['zod', () => z.literal('Ola').parse('Kari')],
  ['zod’s core', () => z.core.parse(z.literal('Ola'), 'Kari')],
  ['a number', () => BigInt('Kari')],
  ['a time zone', () => new Intl.DateTimeFormat('en', { timeZone: 'Kari' })],
])('of what %s could not read the log quotes nothing', (_, read) => {
  let thrown: unknown
  try {
    read()
  } catch (error) {
    thrown = error
  }
  expect(errorForLog(thrown).message).toBe('something could not be read')
})

it('of an error about people, keys and sessions the log names none, nor any part of them', () => {
  const people = 'kari@example.com, ola@example.com'
  const secrets = 'pk_live_a1B2_c3, eyJh-b_1.eyJz-d_2.s-I_g3, eyJhb.eyJzd.'
  const { message } = errorForLog(new Error(`to ${people} with ${secrets}`))
  expect(message).toBe('to … … with …, …, …')
})

/** A process that writes a log, with a terminal or without. */
async function logging(script: string): Promise<[string, ...string[]]> {
  const log = join(dirname(await compiledServer()), 'log.js')
  const head = `import { createLog } from ${JSON.stringify(log)}; const log = createLog('info');`
  return [process.execPath, '--input-type=module', '-e', head + script]
}

async function linesOf(script: string) {
  const [node, ...argv] = await logging(script)
  const { stdout } = await promisify(execFile)(node, argv)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

it('a burst of lines is written whole, though its reader is slower and the process ends', async () => {
  const told = await linesOf("for (let n = 0; n < 3_000; n += 1) log.info({ n }, 'answered')")
  expect(told.map(({ n }) => n)).toEqual(Array.from({ length: 3_000 }, (_, n) => n))
})

describe('what a database says of people', () => {
  const failure = "log.error({ err: Object.assign(new Error('duplicate'), { detail: 'Kari' }) });"

  it('is not in the lines of a process', async () => {
    const [line] = await linesOf(failure)
    expect(line.err).toEqual({
      type: 'Error',
      message: 'duplicate',
      stack: expect.not.stringContaining('Kari'),
    })
  })

  it('is not in a terminal either', async () => {
    const terminal = await openTerminal(
      await logging(`${failure} setInterval(() => {}, 60_000)`),
      {},
    )
    onTestFinished(terminal.close)
    await terminal.shows('duplicate')
    expect(await terminal.screen()).not.toContain('Kari')
  })
})

it('in a terminal the log is for people', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const settings = { DATABASE_URL: url, PORT: '0', SESSION_SECRETS: sessionSecret }
  const terminal = await openTerminal([process.execPath, await compiledServer()], settings)
  onTestFinished(terminal.close)
  await terminal.shows('INFO: Server listening at http://127.0.0.1:')
})

describe.runIf(existsSync('/dev/full'))('a full disk for the log', () => {
  const whatToExpect = "Can't write the log: the disk is full.\n"
  async function startOnFullDisk(env: Record<string, string>) {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [await compiledServer()], {
      stdio: ['ignore', full, 'pipe'],
      env: { DATABASE_URL: url, SESSION_SECRETS: sessionSecret, ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    closeSync(full)
    let told = ''
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      told += part
    })
    const closed = once(child, 'close')
    const ended = async () => {
      await waitFor(() => child.exitCode !== null)
      await closed
      return { code: child.exitCode, told }
    }
    return { child, told: () => told, ended }
  }

  it('is told once, ends no server, and holds up no end', async () => {
    const port = await freePort()
    const { child, told, ended } = await startOnFullDisk({ PORT: String(port) })
    const answers = () => fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok)
    await waitFor(() => answers().catch(() => false))
    // Lines are not held back for long: who watches them sees what happens.
    await waitFor(() => told() !== '', 18_000)
    expect(await answers()).toBe(true)
    child.kill('SIGINT')
    expect(await ended()).toEqual({ code: 0, told: whatToExpect })
  })

  it('leaves only the greeting of the demo out', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'demo-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const [port, demoPort] = [await freePort(), await freePort()]
    const demo = { DEMO: 'on', DEMO_PORT: String(demoPort), DATA_DIR: directory }
    const { child, ended } = await startOnFullDisk({ PORT: String(port), ...demo })
    // It is greeted when its website knows where the API is.
    const site = () => fetch(`http://127.0.0.1:${demoPort}/config.json`).then(({ ok }) => ok)
    await waitFor(() => child.exitCode !== null || site().catch(() => false))
    for (let n = 0; n < 3; n += 1) expect(await site()).toBe(true)
    child.kill('SIGINT')
    expect(await ended()).toEqual({ code: 0, told: whatToExpect })
  })

  it('holds up no start that fails with its first lines', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const redis = `redis://127.0.0.1:${await freePort()}`
    const { ended } = await startOnFullDisk({ PORT: String(port), REDIS_URL: redis })
    const { code, told } = await ended()
    expect([code, told]).toEqual([1, expect.stringContaining(whatToExpect)])
    expect(told).toContain(`Can't listen on port ${port}`)
  })
})

it('the log tells that a connection to the database was lost', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const config = parseConfig({ SESSION_SECRETS: sessionSecret })
  const { deps, close } = await openDeps(config, url, log)
  const { rows } = await deps.database.pool.query('select pg_backend_pid() as pid')
  await runStatements(url, `select pg_terminate_backend(${rows[0].pid})`)
  await waitFor(() => lines.some((line) => line.includes('database connection lost')))
  await close()
})
