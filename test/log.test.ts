import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import { createLog, errorForLog } from '../src/log.ts'
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
])('of what %s could not read the log quotes nothing', (_, read) => {
  let thrown: unknown
  try {
    read()
  } catch (error) {
    thrown = error
  }
  expect(errorForLog(thrown).message).toBe('something could not be read')
})

it('of an error about several people the log names none', () => {
  const { message } = errorForLog(new Error('to kari@example.com, ola@example.com'))
  expect(message).toBe('to … …')
})

it('in a terminal the log is for people', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const settings = { DATABASE_URL: url, PORT: '0', SESSION_SECRETS: sessionSecret }
  const terminal = await openTerminal([process.execPath, await compiledServer()], settings)
  onTestFinished(terminal.close)
  await terminal.shows('INFO: Server listening at http://127.0.0.1:')
})

it.runIf(existsSync('/dev/full'))(
  'a full disk for the log is told, ends no server, and holds up no end',
  async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const [port, full] = [await freePort(), openSync('/dev/full', 'w')]
    const child = spawn(process.execPath, [await compiledServer()], {
      stdio: ['ignore', full, 'pipe'],
      env: { DATABASE_URL: url, PORT: String(port), SESSION_SECRETS: sessionSecret },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    closeSync(full)
    const exited = once(child, 'exit')
    const told = text(child.stderr as Readable)
    const answers = () => fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok)
    await waitFor(() => answers().catch(() => false))
    for (let n = 0; n < 3; n += 1) expect(await answers()).toBe(true)
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    expect(await told).toBe("Can't write the log: the disk is full.\n")
  },
)

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
