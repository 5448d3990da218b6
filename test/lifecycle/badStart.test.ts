import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { ConfigError, parseConfig } from '../../src/config/environment.ts'
import { MigrationRefused } from '../../src/db/migrations/migrate.ts'
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

/** What a program that should refuse its environment says on stderr, and its exit code. */
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

// Each starts a program of its own, and most of that is waiting.
it.concurrent.each([
  ['no server', async () => `postgres://a:b@127.0.0.1:${await freePort()}/x`, 'ECONNREFUSED'],
  ['no directory of sockets', () => file, 'ENOTDIR'],
  ['no host', () => 'postgres://a:b@nowhere.invalid/x', 'nowhere.invalid'],
  ['no database', noDatabase, 'database "not_there" does not exist'],
  ['no role', noRole, 'nobody-there'],
  ['no TLS', noTls, 'does not support SSL'],
])('a server whose DATABASE_URL has %s there says so in one sentence', async (_, url, reason) => {
  const { exitCode, error } = await start({ DATABASE_URL: await url() })
  expect({ exitCode, error }).toEqual({
    exitCode: 1,
    error: expect.stringMatching(/^The database is unavailable: [^\n]+\n$/),
  })
  expect(error).toContain(reason)
})

it.concurrent.each([
  ['a server', []],
  ['a command', ['tenants', 'list']],
])('%s whose DATA_DIR is a file says so in one sentence', async (_, argv) => {
  for (const path of [file, join(file, 'within')]) {
    const { exitCode, error } = await start({ DATA_DIR: path }, ...argv)
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: expect.stringMatching(/^(DATA_DIR: can't use|There is no database in) [^\n]+\n$/),
    })
    expect(error).toContain(path)
  }
})

it.concurrent('a server, which migrates past a pooler, and a command whose URL leads to something else name host and port', async () => {
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
  // Of two addresses, the one that was tried.
  ['says nothing', [], /timeout expired\. Is PostgreSQL at 127\.0\.0\.1:\d{2,}\?$/],
  // SCRAM begins, and goes on.
  ['wants a password', [0x0a, 0x0b], /: a password is required, and the URL has none$/],
])('a database that %s is one that is away', async (_, steps, said) => {
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
  const told = formatFatalError(error, () =>
    parseConfig({ DATABASE_URL: 'postgres://a@127.0.0.1:1/x', DATABASE_DIRECT_URL }),
  )
  expect(told).toMatch(/^The database is unavailable: [^\n]+$/)
  expect(told).toMatch(said)
  await client.end()
  other.close()
})

it.each([EmbeddedPostgresError, MigrationRefused, ConfigError, OperatorError])(
  'what %o says is for people',
  (Told) => {
    expect(formatFatalError(new Told('Do this.'), () => parseConfig({}))).toBe('Do this.')
  },
)

it.concurrent('a server whose port is taken says only that, also with a demo', async () => {
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
])('%s that ends a program is told with its place, not as a database that is away', (...row) => {
  const [, fail, said] = row
  let told = ''
  try {
    fail()
  } catch (error) {
    told = formatFatalError(error, () => parseConfig({}))
  }
  expect(told).toMatch(new RegExp(`^Unexpected error: ${said}.*\n +at `, 's'))
})

it.concurrent('a server that cannot make its demo ends, and says why', async () => {
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
