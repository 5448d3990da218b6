import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../src/projectRoot.ts'
import { waitFor } from '../helpers/waitFor.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Service {
  readonly image: string
  readonly build?: { readonly args: Readonly<Record<string, string>> }
  readonly environment?: Readonly<Record<string, unknown>>
  readonly mem_limit?: string
  readonly cpus?: number
  readonly pids_limit?: number
}
const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>
}

describe('the image', () => {
  it('has the version of package.json wherever it is named', () => {
    const tag = `rental-booking-api:${version}`
    expect(services['image']?.image).toBe(tag)
    expect(services['image']?.build?.args['VERSION']).toBe(version)
    expect(services['api-1']?.image).toBe(`\${IMAGE:-${tag}}`)
    expect(read('Dockerfile')).toContain(`ARG VERSION=${version}\n`)
    for (const client of ['typescript', 'widget'])
      expect(JSON.parse(read(`clients/${client}/package.json`)).version).toBe(version)
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`)
  })

  it('is built by one service, and by none that runs', () => {
    const building = Object.entries(services).filter(([, { build }]) => build !== undefined)
    expect(building.map(([name]) => name)).toEqual(['image'])
  })
})

it('every service has a limit of memory, processors and processes', () => {
  for (const [name, service] of Object.entries(services))
    if (name !== 'image')
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          mem_limit: expect.anything(),
          cpus: expect.anything(),
          pids_limit: expect.anything(),
        }),
      ])
})

it('with the journal every service that runs logs there', () => {
  const kept = parse(read('docker-compose.journald.yml'), { merge: true }).services
  const running = Object.keys(services).filter((name) => name !== 'image')
  const journal = { logging: { driver: 'journald' } }
  expect(kept).toEqual(Object.fromEntries(running.map((name) => [name, journal])))
})

it('the page of configuration names every setting of the compose file', () => {
  const [, page = ''] = read('docs/configuration.md').split('\n## Docker Compose\n')
  const asked = read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)
  for (const [, name] of asked) expect(page).toContain(`\`${name}\``)
})

it('every variable that the page of configuration names reaches the replicas', () => {
  // Where the address, the secrets and the demo's data are is settled by the containers.
  const settled = /^(NODE_ENV|HOST|PORT|DATA_DIR|DATABASE_DIRECT_URL|DEMO|DEMO_PORT)$/
  const [page = ''] = read('docs/configuration.md').split('\n## Docker Compose\n')
  const named = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name)
  const passed = Object.keys(services['api-1']?.environment ?? {})
  const missing = named.filter(
    (name) => !settled.test(name) && !passed.includes(name) && !passed.includes(`${name}_FILE`),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(missing).toEqual([])
})

describe('a script of docker/', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'rental-script-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  /** The base backups, by their age in days, that are left of some of which `clean` was told. */
  function keptOf(ages: readonly number[]): number[] {
    const daySeconds = 86_400
    const nowSeconds = Math.floor(Date.now() / 1000)
    const bases = join(directory, 'base')
    for (const age of ages) {
      mkdirSync(join(bases, String(nowSeconds - age * daySeconds)), { recursive: true })
      writeFileSync(join(bases, String(nowSeconds - age * daySeconds), 'start'), '')
    }
    writeFileSync(join(directory, 'url'), 'postgres://rental_backup:secret@postgres:5432/rental')
    const script = read('docker/backup/backup.sh')
      .replace('/var/lib/postgresql', directory)
      .replace('/run/secrets/database_backup_url', join(directory, 'url'))
    execFileSync('bash', ['-c', script, 'backup.sh', 'clean'])
    return readdirSync(bases).map((name) => (nowSeconds - Number(name)) / daySeconds)
  }

  it('keeps the base backups of two weeks, however many were made since', () => {
    expect(keptOf([22, 15, 8, 1, 0.5, 0.25, 0]).sort((a, b) => b - a)).toEqual([
      15, 8, 1, 0.5, 0.25, 0,
    ])
  })

  it('keeps the newest of the base backups that are older', () => {
    expect(keptOf([30, 20])).toEqual([20])
  })

  it('starts no second server on a data directory, and one again when the first has ended', async () => {
    const env = { ...process.env, PGDATA: directory }
    const argv = [join(root, 'docker/postgres/alone.sh'), 'sh', '-c', 'echo serves; cat']
    const first = spawn('bash', argv, { env })
    const ended = once(first, 'exit')
    const again = () => spawnSync('bash', argv, { env, encoding: 'utf8', input: '' })
    await once(first.stdout, 'data')
    expect(again()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'another server runs on this volume\n',
    })
    first.stdin.end()
    await ended
    expect(again()).toMatchObject({ status: 0, stdout: 'serves\n' })
  })

  it.each([
    ['a database that served', ''],
    ['what another restore left', "recovery_target_time = '2030-01-01 00:00:00.000000+00'\n"],
  ])('restores nothing into a volume with %s', (_, settings) => {
    writeFileSync(join(directory, 'PG_VERSION'), '17')
    writeFileSync(join(directory, 'postgresql.auto.conf'), settings)
    const env = { ...process.env, PGDATA: directory, RESTORE_TO: '2030-01-02T00:00:00Z' }
    const argv = [join(root, 'docker/backup/restore.sh')]
    const { status, stderr } = spawnSync('bash', argv, { env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining('does not hold what was at 2030')])
  })

  it('deletes files of the log that a full disk cut off while they were made, and no other', () => {
    const sizes = { 'made.partial': 16_777_216, 'begun.partial': 0, 'cut.partial': 8192, whole: 5 }
    for (const [name, size] of Object.entries(sizes)) {
      writeFileSync(join(directory, name), '')
      truncateSync(join(directory, name), size)
    }
    const [line = ''] = /^drop_unfinished\(\).*$/m.exec(read('docker/backup/backup.sh')) ?? []
    execFileSync('bash', ['-c', `${line}\ndrop_unfinished "$0"`, directory])
    expect(readdirSync(directory).sort()).toEqual(['begun.partial', 'made.partial', 'whole'])
  })

  const secrets = (argv: readonly string[], file: string) => {
    const env = { PATH: process.env['PATH'], SECRETS_DIRECTORY: directory, ENV_FILE: '/dev/null' }
    execFileSync(join(root, 'docker/secrets.sh'), argv, { env })
    return readFileSync(join(directory, file), 'utf8').trim()
  }

  it('has Redis accept every password that a replica may still have, until they are retired', () => {
    const accepted = (...argv: string[]) => secrets(argv, 'redis_acl').match(/#[0-9a-f]{64}/g)
    const [first] = accepted() ?? []
    const [, second] = accepted('rotate', 'redis') ?? []
    const both = [first, second]
    expect(accepted('rotate', 'redis')).toEqual([
      ...both,
      expect.not.stringMatching(both.join('|')),
    ])
    expect(accepted('retire', 'redis')).toEqual([expect.not.stringMatching(both.join('|'))])
  })

  it('changes the session secrets by each step once, and again by none', () => {
    const run = (...argv: string[]) => secrets(argv, 'session_secrets').split(',')
    const [former = ''] = run()
    const [, next = ''] = run('rotate', 'sessions')
    expect(run()).toEqual([former, next])
    for (const _ of [1, 2]) {
      const [signing, ...others] = run('promote', 'sessions')
      expect([signing, others]).toEqual([next, expect.arrayContaining([former])])
    }
    for (const _ of [1, 2]) expect(run('retire', 'sessions')).toEqual([next])
    expect(run('promote', 'sessions')).toEqual([next])
  })

  it('audits a restored dump once at a time, however long that takes', async () => {
    const at = (name: string) => join(directory, name)
    // As one that takes longer than the pauses between two looks, and cannot ask.
    const slow = `#!/bin/sh
      cd '${directory}'
      mkdir auditing || echo beside >> began
      echo began >> began; sleep 0.05; rmdir auditing; exit 1`
    writeFileSync(at('rental'), slow, { mode: 0o700 })
    writeFileSync(at('url'), 'postgres://rental_backup:secret@postgres:5432/rental')
    writeFileSync(at('restored'), '')
    const script = read('docker/backup/audit.mjs')
      .replace('/backups/status', directory)
      .replace('/run/secrets/database_backup_url', at('url'))
      .replace('/usr/local/bin/rental', at('rental'))
      .replace('everyMs = 30_000', 'everyMs = 5')
      .replace('port = 9188', 'port = 0')
    const node = spawn(process.execPath, ['--input-type=module', '--eval', script])
    const ended = once(node, 'exit')
    const began = () => (existsSync(at('began')) ? readFileSync(at('began'), 'utf8') : '')
    try {
      await waitFor(() => began().length > 5 * 'began\n'.length)
      expect(began()).not.toContain('beside')
      node.kill()
      expect(await ended).toEqual([0, null])
    } finally {
      node.kill('SIGKILL')
    }
  })
})
