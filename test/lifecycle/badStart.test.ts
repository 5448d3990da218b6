import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { ConfigError, parseConfig } from '../../src/config/environment.ts'
import { projectRoot } from '../../src/config/projectRoot.ts'
import { MigrationError } from '../../src/db/connection/operatorSession.ts'
import { EmbeddedPostgresError } from '../../src/embedded/errors.ts'
import { formatFatalError } from '../../src/lifecycle/formatFatalError.ts'
import { OperatorError } from '../../src/services/operatorError.ts'
import { remove, temporaryDirectory } from '../embedded/installation.ts'
import { sessionSecret } from '../helpers/app.ts'
import { compiledServer } from '../helpers/compiledServer.ts'
import { freePort } from '../helpers/freePort.ts'
import { databaseUrl } from '../helpers/maintenance.ts'

let compiled: string
let directory: string
let file: string
beforeAll(async () => {
  compiled = dirname(await compiledServer())
  directory = await temporaryDirectory('open')
  file = join(directory, 'file')
  await writeFile(file, '')
})
afterAll(() => remove(directory))

/** Runs the server or a command and returns its output and exit code. */
function start(env: NodeJS.ProcessEnv, ...argv: string[]) {
  const program = argv.length === 0 ? 'server.js' : 'cli.js'
  return new Promise<{ exitCode: unknown; error: string; out: string }>((done) => {
    const options = { env: { PATH: process.env['PATH'], PORT: '0', DEMO: 'off', ...env } }
    const child = execFile(
      process.execPath,
      [join(compiled, program), ...argv],
      { ...options, timeout: 120_000 },
      (failure, out, error) => done({ exitCode: failure?.code ?? child.exitCode, error, out }),
    )
  })
}

const noDatabase = () => databaseUrl(inject('postgresUrl'), 'not_there')
const noTls = () => {
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}
const noRole = () => {
  const url = new URL(inject('postgresUrl'))
  url.username = 'nobody-there'
  return url.href
}

it.concurrent.each([
  ['no server', async () => `postgres://a:b@127.0.0.1:${await freePort()}/x`, 'ECONNREFUSED'],
  ['no socket directory', () => file, 'ENOTDIR'],
  ['an unknown host', () => 'postgres://a:b@nowhere.invalid/x', 'nowhere.invalid'],
  ['an unknown database', noDatabase, 'database "not_there" does not exist'],
  ['an unknown role', noRole, 'nobody-there'],
  ['no TLS', noTls, 'does not support SSL'],
])(
  'the server reports a DATABASE_URL with %s in one line and exits with 1',
  async (_, url, reason) => {
    const { exitCode, error } = await start({ DATABASE_URL: await url() })
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: expect.stringMatching(/^The database is unavailable: [^\n]+\n$/),
    })
    expect(error).toContain(reason)
  },
)

it.concurrent.each([
  ['a server', []],
  ['a command', ['tenants', 'list']],
])('%s exits with 1 and reports in one line that DATA_DIR is a file', async (_, argv) => {
  for (const path of [file, join(file, 'within')]) {
    const { exitCode, error } = await start({ DATA_DIR: path }, ...argv)
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: expect.stringMatching(/^(DATA_DIR: can't use|There is no database in) [^\n]+\n$/),
    })
    expect(error).toContain(path)
  }
})

it.concurrent('the server and a command name host and port when the URL leads to another service', async () => {
  const other = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const url = `postgres://a:secret@127.0.0.1:${port}/x`
  const pooler = 'postgres://a@127.0.0.1:1/x'
  const started = [
    await start({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: url }),
    await start({ DATABASE_URL: url }, 'tenants', 'list'),
  ]
  for (const { error } of started) {
    expect(error).toMatch(/^The database is unavailable: [^\n]+\n$/)
    expect(error).toContain(`127.0.0.1:${port}`)
    expect(error).not.toContain('secret')
  }
  other.close()
})

it.each<[string, number[], RegExp]>([
  ['does not respond', [], /timeout expired\. Is PostgreSQL at 127\.0\.0\.1:\d{2,}\?$/],
  // The two steps of a SCRAM handshake.
  ['requires a password', [0x0a, 0x0b], /: a password is required, and the URL has none$/],
])('formatFatalError reports a database that %s as unavailable', async (_, steps, expected) => {
  const waiting = [...steps]
  const other = createServer((socket) => {
    socket.on('data', () => {
      const step = waiting.shift()
      const text = step === 0x0a ? 'SCRAM-SHA-256\0\0' : 'r=x,s=x,i=1'
      const head = Buffer.from([0x52, 0, 0, 0, 8 + text.length, 0, 0, 0, step ?? 0])
      if (step !== undefined) socket.write(Buffer.concat([head, Buffer.from(text)]))
    })
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const DATABASE_DIRECT_URL = `postgres://a@127.0.0.1:${port}/x`
  const connectionTimeoutMillis = steps.length === 0 ? 500 : 60_000
  const client = new pg.Client({ connectionString: DATABASE_DIRECT_URL, connectionTimeoutMillis })
  const error = await client.connect().catch((failure: unknown) => failure)
  const message = formatFatalError(error, () =>
    parseConfig({ DATABASE_URL: 'postgres://a@127.0.0.1:1/x', DATABASE_DIRECT_URL }),
  )
  expect(message).toMatch(/^The database is unavailable: [^\n]+$/)
  expect(message).toMatch(expected)
  await client.end()
  other.close()
})

it.each([EmbeddedPostgresError, MigrationError, ConfigError, OperatorError])(
  'formatFatalError returns only the message of %o',
  (Told) => {
    expect(formatFatalError(new Told('Do this.'), () => parseConfig({}))).toBe('Do this.')
  },
)

it.concurrent('the server reports only the port when PORT and DEMO_PORT are in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const directory = join(await temporaryDirectory('open'), 'data')
  const env = { DATA_DIR: directory, DEMO: 'on', PORT: String(port), DEMO_PORT: String(port) }
  const { exitCode, error, out } = await start(env)
  other.close()
  await remove(dirname(directory))
  expect({ exitCode, error }).toEqual({
    exitCode: 1,
    error: expect.stringMatching(
      new RegExp(
        `^Can't listen on port ${port} of 127.0.0.1: .*already in use[^\\n]+ PORT [^\\n]+\\n$`,
      ),
    ),
  })
  expect(out).not.toContain('DEMO_PORT')
})

it.each([
  ['a bug', () => JSON.parse('{'), 'SyntaxError: '],
  ['a missing file', () => readFileSync(join(directory, 'missing')), 'Error: ENOENT'],
])('formatFatalError reports %s with its stack, not as an unavailable database', (...row) => {
  const [, fail, expected] = row
  let message = ''
  try {
    fail()
  } catch (error) {
    message = formatFatalError(error, () => parseConfig({}))
  }
  expect(message).toMatch(new RegExp(`^Unexpected error: ${expected}.*\n +at `, 's'))
})

it.concurrent('the server exits with 1 and names the reason when it cannot prepare the demo', async () => {
  const [DATABASE_URL, REDIS_URL] = [inject('postgresUrl'), inject('redisUrl')]
  const production = { NODE_ENV: 'production', SESSION_SECRETS: sessionSecret }
  const started = await start({
    ...production,
    DATABASE_URL,
    REDIS_URL,
    DEMO: 'on',
    DEMO_PORT: '0',
  })
  expect(started).toMatchObject({ exitCode: 1, error: expect.stringContaining('does not exist') })
})

it('says that building needs development packages when they are not installed', async () => {
  await copyFile(join(projectRoot, 'build.mjs'), join(directory, 'build.mjs'))
  const outcome = await new Promise((done) =>
    execFile(process.execPath, [join(directory, 'build.mjs')], (failure, _, error) =>
      done([failure?.code, error]),
    ),
  )
  expect(outcome).toEqual([1, expect.stringMatching(/^Building needs .* `npm ci --include=dev`/)])
})
