import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { remove, temporaryDirectory } from './embedded/installation.ts'
import { compiledServer } from './helpers/compiledServer.ts'
import { freePort } from './helpers/freePort.ts'
import { databaseUrl } from './helpers/maintenance.ts'

let compiled: string
let directory: string
let file: string
beforeAll(async () => {
  compiled = dirname(await compiledServer())
  directory = await temporaryDirectory('open')
  file = join(directory, 'file')
  await writeFile(file, '')
}, 60_000)
afterAll(() => remove(directory))

/** What a program that should refuse its environment says on stderr, and its exit code. */
function start(env: NodeJS.ProcessEnv, ...argv: string[]) {
  const program = argv.length === 0 ? 'server.js' : 'cli.js'
  return new Promise<{ exitCode: unknown; error: string }>((done) => {
    const options = { env: { PATH: process.env['PATH'], PORT: '0', DEMO: 'off', ...env } }
    const child = execFile(
      process.execPath,
      [join(compiled, program), ...argv],
      { ...options, timeout: 20_000 },
      (failure, _, error) => done({ exitCode: failure?.code ?? child.exitCode, error }),
    )
  })
}

const noDatabase = () => databaseUrl(inject('postgresUrl'), 'not_there')
const noTls = () => {
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('sslmode', 'require')
  return url.href
}
const noRole = () => {
  const url = new URL(inject('postgresUrl'))
  url.username = 'nobody-there'
  return url.href
}

it.each([
  ['no server', async () => `postgres://a:b@127.0.0.1:${await freePort()}/x`, 'ECONNREFUSED'],
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

it.each([
  ['a server', []],
  ['a command', ['tenants', 'list']],
])('%s whose DATA_DIR is a file says so in one sentence', async (_, argv) => {
  for (const path of [file, join(file, 'within')]) {
    const { exitCode, error } = await start({ DATA_DIR: path }, ...argv)
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: expect.stringMatching(/^(DATA_DIR: can't use|There is no directory) [^\n]+\n$/),
    })
    expect(error).toContain(path)
  }
})

it('a server that may not make its DATA_DIR says so in one sentence', async () => {
  expect(await start({ DATA_DIR: '/sys/rental/data' })).toEqual({
    exitCode: 1,
    error: expect.stringMatching(/^DATA_DIR: can't use \/sys\/rental\/data: [^\n]+\.\n$/),
  })
})

it('a server whose HOST is no address of the machine says so in one sentence', async () => {
  const env = { DATABASE_URL: inject('postgresUrl'), NODE_ENV: 'production', HOST: '192.0.2.1' }
  const needed = { REDIS_URL: 'redis://127.0.0.1:1', SESSION_SECRETS: 's'.repeat(32) }
  expect(await start({ ...env, ...needed })).toEqual({
    exitCode: 1,
    error: expect.stringMatching(/^HOST: this machine has no address 192\.0\.2\.1\. [^\n]+\n$/),
  })
})
