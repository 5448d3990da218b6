import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, useScriptRoom } from './scriptRoom.ts'

const { at, put, env } = useScriptRoom()

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
    // Else the server begins with the base backup, and the log since then is lost.
    expect(readdirSync(at('data')).sort()).toEqual(['postgresql.auto.conf', 'recovery.signal'])
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

  it('is from the newest base backup that is older than the moment', () => {
    for (const made of [1_000, 2_000, 4_000])
      put(`base/${made}/start`, '7 000000010000000000000001\n')
    put('wal/7-1/000000010000000000000002')
    // One whose server wrote no more by then, and one of which nothing can be read.
    put('base/2500/start', '8 000000010000000000000001\n')
    mkdirSync(at('base/2600'))
    put('wal/8-1/000000010000000000000001')
    utimesSync(at('wal/8-1/000000010000000000000001'), 2_600, 2_600)
    const stubs = 'tar() { :; }; pg_controldata() { :; }; exec() { :; }\n'
    const script = stubs + read('docker/backup/restore.sh').replaceAll('/backups', at())
    const given = { ...env(), PGDATA: at(), RESTORE_TO: '1970-01-01T00:50:00Z' }
    expect(execFileSync('bash', ['-c', script], { env: given, encoding: 'utf8' })).toBe(
      'restoring the base backup of 1970-01-01T00:33:20Z to 1970-01-01T00:50:00Z\n',
    )
    // Of what another restore began later, nothing belongs to that moment.
    const settings = readFileSync(at('postgresql.auto.conf'), 'utf8').split('\n')
    expect(settings.slice(1)).toEqual([
      "recovery_target_timeline = 'current'",
      "recovery_target_action = 'promote'",
      "recovery_target_time = '1970-01-01 00:50:00.000000+00'",
      '',
    ])
  })

  it.each([
    ['a database that served', ''],
    ['what another restore left', "recovery_target_time = '2030-01-01 00:00:00.000000+00'\n"],
  ])('is not made into a volume with %s', (_, settings) => {
    put('PG_VERSION', '17')
    put('postgresql.auto.conf', settings)
    const given = { ...env(), PGDATA: at(), RESTORE_TO: '2030-01-02T00:00:00Z' }
    const argv = [join(root, 'docker/backup/restore.sh')]
    const { status, stderr } = spawnSync('bash', argv, { env: given, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining('does not hold what was at 2030')])
  })
})
