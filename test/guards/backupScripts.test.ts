import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'

import { daySeconds, nowSeconds, read, useScriptRoom } from './scriptRoom.ts'

const marker = '# One at a time, whoever'
const { at, put, programs, told, env } = useScriptRoom()

beforeEach(() => {
  put('url', 'postgres://rental_backup:secret@postgres:5432/rental')
  const script = read('docker/backup/backup.sh')
    .replace('/var/lib/postgresql', at())
    .replace('/run/secrets/database_backup_url', at('url'))
  put('backup.sh', script)
})

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
    // While it is written it has another name.
    expect(dump).toMatch(/^\d+\.dump$/)
    expect(statSync(at('dumps', dump)).mode & 0o077).toBe(0)
    // The audit, another user, reads and serves what is told.
    expect(statSync(at('status')).mode & 0o777).toBe(0o755)
    const [, made] = / (\d+)\n/.exec(readFileSync(at('status/dump.prom'), 'utf8')) ?? []
    expect(Math.abs(Number(made) - nowSeconds())).toBeLessThan(60)
  })

  it('that fails in the loop ends there, and is not reported', () => {
    programs({ pg_dump: 'exit 1', sleep: '' })
    put('dumps/.new')
    expect(calling('attempt dump || true')).toContain('dump failed')
    // And is not begun again at once.
    expect(told()).toContain('sleep 300')
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
    const due = (days: number, logDays = days + 1) => {
      const then = nowSeconds() - days * daySeconds
      for (const name of ['dumps', 'base']) rmSync(at(name), { recursive: true, force: true })
      put(`dumps/${then}.dump`)
      put(`base/${then}/start`)
      put('status/restored', '', days)
      put('wal/7-2.since', `${nowSeconds() - logDays * daySeconds}\n`)
      return calling(`attempt() { echo "$1"; }\n${loop}`).split('\n').filter(Boolean)
    }
    expect(due(0.9)).toEqual([])
    // Of a log that began later, nothing before can be restored.
    expect(due(0.9, 0.8)).toEqual(['base', 'clean'])
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

  it('that cannot be read keeps nobody’s log, and is no end to cleaning', () => {
    const label =
      'echo > base/.read/backup_label; mkdir -p base/.read/global; echo > base/.read/global/pg_control'
    for (const [tar, controldata] of [
      ['exit 1', 'echo "Database system identifier: 7"'],
      [label, 'echo "Database system identifier: 7"'],
      [label, ':'],
    ] as const) {
      programs({ tar, pg_controldata: controldata, pg_archivecleanup: '' })
      put(`base/${nowSeconds() - 60}/base.tar.gz`)
      put(`base/${nowSeconds() - 120}/start`, '7 000000010000000000000005\n')
      put('wal/7-1/file')
      expect(backup('clean').status).toBe(0)
      expect(told()).toContain('pg_archivecleanup wal/7-1 000000010000000000000005')
      rmSync(at('told'))
    }
  })

  it('of a server that has none any more goes with what is said of it, once it is old', () => {
    for (const [part, days] of [
      ['wal/8-1', 15],
      ['wal/9-1', 13],
    ] as const) {
      put(`${part}.since`, '1\n')
      put(`${part}/file`)
      const then = nowSeconds() - days * daySeconds
      utimesSync(at(part), then, then)
      calling(`clean_log ${part}`)
    }
    expect(readdirSync(at('wal')).sort()).toEqual(['9-1', '9-1.since'])
  })

  it('says why it could not be made, and how it is asked for', () => {
    programs({ pg_basebackup: 'echo the disk is full >&2; exit 1' })
    expect(backup('base')).toMatchObject({ status: 1, stderr: 'the disk is full\n' })
    expect(backup('everything')).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining('backup.sh keep') },
    })
  })

  it('has its log kept by the server until it was received', () => {
    programs({ psql: 'echo "7|1|0/0|"', pg_receivewal: '', sleep: 'kill $PPID' })
    expect(() => calling('receive_log')).toThrow()
    const received = told().filter((line) => line.startsWith('pg_receivewal'))
    expect(received).toHaveLength(2)
    for (const line of received) expect(line).toMatch(/--directory=wal\/7-1 --slot=backup /)
    // The server drops what it was told is kept: by then it is on the disk.
    expect(received[1]).toMatch(/ --synchronous --no-loop$/)
    put('wal/7-1.since', '5\n')
    calling('open_log')
    expect(readFileSync(at('wal/7-1.since'), 'utf8')).toBe('5\n')
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
    const script = `${stubs}\nexec() { echo "exec $*"; }\n${read('docker/backup/restore.sh').replaceAll('/backups', at())}`
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

  it('takes each part of the log whole where it is, else as far as it was received', () => {
    const parts = { '0A': 'whole', '0A.partial': 'half', '0B.partial': 'last' }
    for (const [name, text] of Object.entries(parts)) put(`wal/7-1/${name}`, text)
    restore('tar() { :; }; pg_controldata() { echo "Database system identifier: 7"; }')
    const settings = readFileSync(at('data/postgresql.auto.conf'), 'utf8')
    const [, command = ''] = /^restore_command = '(.*)'$/m.exec(settings) ?? []
    const fetched = ['0A', '0B', '0C'].map((file) => {
      const asked = command.replaceAll('%f', file).replace('%p', at('fetched'))
      rmSync(at('fetched'), { force: true })
      return spawnSync('sh', ['-c', asked]).status === 0
        ? readFileSync(at('fetched'), 'utf8')
        : undefined
    })
    expect(fetched).toEqual(['whole', 'last', undefined])
  })

  it('ends where the base backup cannot be read', () => {
    const { status, stdout } = restore('tar() { return 1; }; pg_controldata() { :; }')
    expect([status, stdout]).toEqual([1, ''])
  })
})
