import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import { daySeconds, nowSeconds, read, useBackups } from './scriptRoom.ts'

const { at, put, programs, told, env, backup, calling } = useBackups()

describe('a backup', () => {
  it('is of everything, for nobody else to read, and tells when it was made', () => {
    programs({ pg_dump: `env | grep ^PG > '${at('asked')}'; truncate -s 4321 dumps/.new` })
    expect(backup('dump').status).toBe(0)
    expect(told()[0]).not.toMatch(/-only|exclude|--table|--schema/)
    // As `pg_restore` reads it, of the database that serves.
    expect(told()[0]).toContain(' --format=custom ')
    expect(readFileSync(at('asked'), 'utf8').trim().split('\n').sort()).toEqual([
      'PGDATABASE=rental',
      'PGHOST=postgres',
      'PGPASSWORD=secret',
      'PGUSER=rental_backup',
    ])
    const [dump = ''] = readdirSync(at('dumps'))
    // While it is written it has another name.
    expect(dump).toMatch(/^\d+\.dump$/)
    expect(statSync(at('dumps', dump)).mode & 0o077).toBe(0)
    // The audit, another user, reads and serves what is told.
    expect(statSync(at('status')).mode & 0o777).toBe(0o755)
    expect(statSync(at('status/dump.prom')).mode & 0o777).toBe(0o644)
    const [made, seconds, bytes] = figuresOf('dump')
    expect(Math.abs(Number(made) - nowSeconds())).toBeLessThan(60)
    expect([Number(seconds) < 60, bytes]).toEqual([true, '4321'])
  })

  /** What Prometheus is told of one: when it was made, how long it took, how large it is. */
  const figuresOf = (kind: string) =>
    ['last_success_timestamp_seconds', 'duration_seconds', 'bytes'].map((name) => {
      const told = readFileSync(at(`status/${kind}.prom`), 'utf8')
      return new RegExp(`^rental_backup_${name}\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(told)?.[1]
    })

  it('of the files is known by its server, and by the log from which it goes on', () => {
    const label = 'START WAL LOCATION: 0/9000028 (file 000000020000000000000009)'
    programs({
      pg_dump: 'echo > dumps/.new',
      pg_basebackup: 'mkdir -p base/.new; echo > base/.new/base.tar.gz',
      tar: `mkdir -p base/.read; echo '${label}' > base/.read/backup_label`,
      pg_controldata: 'echo "Database system identifier:           7"',
    })
    // As before an upgrade: both, and no more of the old than is kept.
    put(`base/${nowSeconds() - 30 * daySeconds}/start`)
    put(`base/${nowSeconds() - 20 * daySeconds}/start`)
    expect(backup('now').status).toBe(0)
    expect(readdirSync(at('dumps'))).toHaveLength(1)
    expect(readdirSync(at('base')).filter((each) => /^\d+$/.test(each))).toHaveLength(2)
    // Whole, as `restore.sh` takes it apart; its log is received by itself.
    expect(told()[1]).toMatch(/^pg_basebackup .*--format=tar --gzip --wal-method=none /)
    const name = readdirSync(at('base')).sort().at(-1) ?? ''
    expect(readdirSync(at('base', name)).sort()).toEqual(['base.tar.gz', 'start'])
    expect(readFileSync(at('base', name, 'start'), 'utf8')).toBe('7 000000020000000000000009\n')
    const [made, seconds, bytes] = figuresOf('base')
    expect([made, Number(seconds) < 60, Number(bytes) > 0]).toEqual([name, true, true])
  })

  it('is made by whoever keeps them while the log is received, and is checked the first time', async () => {
    const now = nowSeconds()
    put(`base/${now}/start`, '7 000000010000000000000001\n')
    // Made once the log is being received, for as long as that takes; and then its server goes away.
    programs({
      psql: 'case "$*" in *IDENTIFY*) echo "7|1|0/0|" ;; *) echo 1 ;; esac',
      pg_receivewal: 'case "$*" in *--synchronous*) touch receiving; exec /bin/sleep 0.1 ;; esac',
      pg_dump:
        'until [ -e receiving ] && [ -e status/wal.prom ]; do /bin/sleep 0.05; done; echo > dumps/.new',
      pg_restore: '',
      sleep: 'exec /bin/sleep 0.05',
    })
    const keeping = spawn('bash', [at('backup.sh'), 'keep'], { env: env() })
    const ended = once(keeping, 'exit')
    try {
      await waitFor(() => existsSync(at('status/restored')))
      // While it is written a file has another name.
      const written = readdirSync(at('status')).filter((name) => !name.startsWith('.'))
      expect(written.sort()).toEqual(['dump.prom', 'restore.prom', 'restored', 'wal.prom'])
      // Whatever ends it, it is received again.
      const received = () => told().filter((line) => line.includes('--synchronous')).length
      await waitFor(() => received() > 2)
      keeping.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      keeping.kill('SIGKILL')
    }
  })

  it.each(['dump', 'base'])('that could not be written fails, and is not reported: %s', (kind) => {
    const fails = 'echo it began > dumps/.new; exit 1'
    programs({ pg_dump: fails, pg_basebackup: fails })
    expect(backup(kind).status).toBe(1)
    const kept = ['status', 'dumps', 'base'].flatMap((name) => readdirSync(at(name)))
    expect(kept.filter((name) => /^[^.]/.test(name) && name !== 'said')).toEqual([])
  })

  it('is made each day, a base backup each week, and each week one is checked', () => {
    const [, loop = ''] =
      /\n {4}while :; do\n(.*?) +sleep 60\n/s.exec(read('docker/backup/backup.sh')) ?? []
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

  it('is known by its age, and that its log is being received', () => {
    const old = 'mkdir -p dumps; touch "dumps/$(($(date +%s) - 500)).dump"'
    const asked = [400, 600].map((age) => `older_than dumps ${age} && echo older than ${age}; :`)
    const empty = 'older_than base 9 && echo no base'
    const receiving = (count: number) =>
      `psql() { echo ${count}; }; rm -f status/wal.prom; report_log; ls status`
    expect(calling([old, ...asked, empty, receiving(0), receiving(1)].join('\n'))).toBe(
      'older than 400\nno base\nwal.prom\n',
    )
  })

  it('that is old is deleted, and no other', () => {
    programs({ pg_dump: 'echo > dumps/.new' })
    for (const days of [13, 16]) put(`dumps/${days}.dump`, '', days)
    expect(backup('dump').status).toBe(0)
    expect(readdirSync(at('dumps')).filter((name) => /^\d\d\.dump$/.test(name))).toEqual([
      '13.dump',
    ])
  })

  it('says why it could not be made, and how it is asked for', () => {
    programs({ pg_basebackup: 'echo the disk is full >&2; exit 1' })
    expect(backup('base')).toMatchObject({ status: 1, stderr: 'the disk is full\n' })
    expect(backup('everything')).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining('backup.sh keep') },
    })
  })
})
