import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const daySeconds = 86_400
const nowSeconds = () => Math.floor(Date.now() / 1_000)
const marker = '# One at a time, whoever'

let directory: string
const at = (...path: string[]) => join(directory, ...path)
/** A file, and the directories that it is in. */
function put(path: string, text = '', ageDays = 0): void {
  mkdirSync(at(path, '..'), { recursive: true })
  writeFileSync(at(path), text)
  const then = nowSeconds() - ageDays * daySeconds
  utimesSync(at(path), then, then)
}
/** Programs in place of others; all that they are told is noted. */
function programs(scripts: Readonly<Record<string, string>>): void {
  mkdirSync(at('bin'), { recursive: true })
  for (const [name, script] of Object.entries(scripts)) {
    const text = `#!/bin/sh\necho "${name} $*" >> '${at('told')}'\n${script}\n`
    writeFileSync(at('bin', name), text, { mode: 0o700 })
  }
}
const told = () => (existsSync(at('told')) ? readFileSync(at('told'), 'utf8').split('\n') : [])
const env = () => ({
  PATH: `${at('bin')}:${process.env['PATH']}`,
  TZ: 'Asia/Tokyo',
  // Else bash takes a socket on its standard input for somebody's login, and reads their settings.
  SHLVL: '1',
})

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rental-backup-'))
  put('url', 'postgres://rental_backup:secret@postgres:5432/rental')
  const script = read('docker/backup/backup.sh')
    .replace('/var/lib/postgresql', directory)
    .replace('/run/secrets/database_backup_url', at('url'))
  put('backup.sh', script)
})
afterEach(() => rmSync(directory, { recursive: true }))

const backup = (command: string) =>
  spawnSync('bash', [at('backup.sh'), command], { env: env(), encoding: 'utf8' })
/** Calls functions of the script. */
function calling(calls: string): string {
  const [functions = ''] = readFileSync(at('backup.sh'), 'utf8').split(marker)
  const argv = ['-c', `${functions}\n${calls}`, at('backup.sh')]
  return execFileSync('bash', argv, { env: env(), encoding: 'utf8', stdio: 'pipe' })
}

describe('a backup', () => {
  it('is of everything, for nobody else to read, and tells when it was made', () => {
    programs({ pg_dump: 'echo > dumps/.new' })
    expect(backup('dump').status).toBe(0)
    expect(told()[0]).not.toMatch(/-only|exclude|--table|--schema/)
    const [dump = ''] = readdirSync(at('dumps'))
    expect(statSync(at('dumps', dump)).mode & 0o077).toBe(0)
    const [, made] = / (\d+)\n/.exec(readFileSync(at('status/dump.prom'), 'utf8')) ?? []
    expect(Math.abs(Number(made) - nowSeconds())).toBeLessThan(60)
  })

  it('that fails in the loop ends there, and is not reported', () => {
    programs({ pg_dump: 'exit 1', sleep: '' })
    put('dumps/.new')
    expect(calling('attempt dump || true')).toContain('dump failed')
    expect(readdirSync(at('status'))).toEqual([])
  })

  it('waits for another that is being made', async () => {
    programs({
      pg_dump: 'mkdir busy || echo beside >> told; sleep 0.1; rmdir busy; echo > dumps/.new',
    })
    const both = [1, 2].map(() => spawn('bash', [at('backup.sh'), 'dump'], { env: env() }))
    for (const ended of both.map((child) => once(child, 'exit')))
      expect(await ended).toEqual([0, null])
    expect(told().filter((line) => line.startsWith('pg_dump'))).toHaveLength(2)
    expect(told()).not.toContain('beside')
  })

  it('is made each day, a base backup each week, and each week one is checked', () => {
    const [, loop = ''] =
      /\n {4}while :; do\n(.*?) +sleep 60 &/s.exec(read('docker/backup/backup.sh')) ?? []
    const due = (days: number) => {
      const then = nowSeconds() - days * daySeconds
      for (const name of ['dumps', 'base']) rmSync(at(name), { recursive: true, force: true })
      put(`dumps/${then}.dump`)
      put(`base/${then}/start`)
      put('status/restored', '', days)
      return calling(`attempt() { echo "$1"; }\n${loop}`).split('\n').filter(Boolean)
    }
    expect(due(0.9)).toEqual([])
    expect(due(1.1)).toEqual(['dump', 'clean'])
    expect(due(7.1)).toEqual(['dump', 'clean', 'base', 'clean', 'check'])
  })

  it('keeps the log from the oldest base backup of its server on, by whatever timeline', () => {
    programs({ pg_archivecleanup: '' })
    put('base/100/start', '7 000000020000000000000005\n')
    put('base/200/start', '7 000000010000000000000009\n')
    put('base/300/start', '8 000000010000000000000001\n')
    put('wal/7-2/file')
    calling('clean_log wal/7-2')
    expect(told()[0]).toBe('pg_archivecleanup wal/7-2 000000020000000000000005')
  })

  it('has its log kept by the server until it was received', () => {
    programs({ psql: 'echo "7|1|0/0|"', pg_receivewal: '', sleep: 'kill $PPID' })
    expect(() => calling('receive_log')).toThrow()
    const received = told().filter((line) => line.startsWith('pg_receivewal'))
    expect(received).toHaveLength(2)
    for (const line of received) expect(line).toMatch(/--directory=wal\/7-1 --slot=backup /)
  })
})

describe('the check of a backup', () => {
  beforeEach(() => {
    put('dumps/100.dump')
    put('dumps/900.dump')
  })

  it('restores the newest whole, into a database of its own, whoever uses that', () => {
    programs({ psql: '', pg_restore: '' })
    expect(backup('check').status).toBe(0)
    const [made = '', restored = ''] = told()
    expect(made).toMatch(
      /drop database if exists rental_restored with \(force\) .*create database rental_restored/,
    )
    expect(restored).toMatch(/ --dbname=rental_restored .*--exit-on-error .*dumps\/900\.dump$/)
    expect(restored).not.toContain('--clean')
    expect(readdirSync(at('status')).sort()).toEqual(['restore.prom', 'restored'])
  })

  it.each(['psql', 'pg_restore'])(
    'has failed where %s does, and tells nobody to look',
    (failing) => {
      programs({ psql: '', pg_restore: '', [failing]: 'exit 1' })
      expect(backup('check').status).not.toBe(0)
      expect(readdirSync(at('status'))).toEqual([])
    },
  )
})

describe('restoring', () => {
  /** Up to the start of the server, which is told. */
  function restore(stubs: string) {
    put('base/1000/start', '7 000000010000000000000001\n')
    put('wal/7-1/000000010000000000000002')
    mkdirSync(at('data'))
    chmodSync(at('data'), 0o755)
    const script = `${stubs}\nexec() { echo "exec $*"; }\n${read('docker/backup/restore.sh').replaceAll('/backups', directory)}`
    const given = { ...env(), PGDATA: at('data'), RESTORE_TO: '2030-01-02T00:00:00Z' }
    const then = new Date('2031-01-01')
    utimesSync(at('wal/7-1/000000010000000000000002'), then, then)
    return spawnSync('bash', ['-c', script], { env: given, encoding: 'utf8' })
  }

  it('is to the moment as the server reads it, for its owner alone, with our rules of who comes in', () => {
    const { stdout } = restore('tar() { :; }; pg_controldata() { :; }')
    const settings = readFileSync(at('data/postgresql.auto.conf'), 'utf8')
    expect(settings).toContain("recovery_target_time = '2030-01-02 00:00:00.000000+00'")
    expect(statSync(at('data')).mode & 0o777).toBe(0o700)
    const [, hba = ''] = /exec postgres -c hba_file=\/(\S+)/.exec(stdout) ?? []
    expect(read(hba)).toContain('reject')
  })

  it('ends where the base backup cannot be read', () => {
    const { status, stdout } = restore('tar() { return 1; }; pg_controldata() { :; }')
    expect([status, stdout]).toEqual([1, ''])
  })
})

describe('the secrets', () => {
  const secrets = (...argv: string[]) => {
    const given = { ...env(), SECRETS_DIRECTORY: at('secrets'), ENV_FILE: '/dev/null' }
    execFileSync(join(root, 'docker/secrets.sh'), argv, { env: given })
    return (name: string) => readFileSync(at('secrets', name), 'utf8').trim()
  }

  it('can’t be guessed, are read by every user of a container, and let nobody do more than look', () => {
    const made = secrets()
    for (const name of readdirSync(at('secrets')).filter((each) => /^[a-z]/.test(each))) {
      expect([name, statSync(at('secrets', name)).mode & 0o777]).toEqual([name, 0o444])
      expect([name, made(name)]).toEqual([name, expect.stringMatching(/[\da-f]{64}/)])
    }
    for (const line of made('redis_acl').split('\n').slice(1))
      expect(line).toMatch(/^user \w+ on >\w+ -@all \+ping(?! .*(~|&|\+@|\+eval|\+config( |$)))/)
  })

  it('of the database take turns, and none that signs is retired before another does', () => {
    const login = (...argv: string[]) => /\/(\w+):/.exec(secrets(...argv)('database_url'))?.[1]
    const first = login()
    const second = login('rotate', 'database')
    expect([first, second].sort()).toEqual(['rental_api_a', 'rental_api_b'])
    expect(login('rotate', 'database')).toBe(first)
    const signing = secrets()('session_secrets')
    secrets('rotate', 'sessions')
    expect(secrets('retire', 'sessions')('session_secrets')).toBe(signing)
  })

  it('reach the roles of the database whole, as no argument, and stop at the first error', () => {
    const made = secrets()
    programs({ psql: `cat > '${at('said')}'` })
    const script = read('docker/postgres/roles.sh')
      .replaceAll('/run/secrets', at('secrets'))
      .replace('$(dirname "$0")', join(root, 'docker/postgres'))
    execFileSync('bash', ['-c', script], { env: env() })
    expect(told()[0]).toMatch(/ --set ON_ERROR_STOP=1$/)
    for (const [role, name] of [
      ['api', 'database_url'],
      ['owner', 'database_owner_url'],
      ['backup', 'database_backup_url'],
    ] as const) {
      const [, user, password] = /\/(\w+):(\w+)@/.exec(made(name)) ?? []
      expect(readFileSync(at('said'), 'utf8')).toContain(
        `\\set ${role}_user '${user}'\n\\set ${role}_password '${password}'\n`,
      )
      expect(told()[0]).not.toContain(password)
    }
    expect(readFileSync(at('said'), 'utf8')).toContain('\\set retire false\n')
  })
})
