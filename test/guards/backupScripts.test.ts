import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { daySeconds, nowSeconds, read, useBackups } from './scriptRoom.ts'

const { at, put, programs, told, env, backup, calling } = useBackups()

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
    expect(statSync(at('status/dump.prom')).mode & 0o777).toBe(0o644)
    const [, made] = / (\d+)\n/.exec(readFileSync(at('status/dump.prom'), 'utf8')) ?? []
    expect(Math.abs(Number(made) - nowSeconds())).toBeLessThan(60)
  })

  it.each(['dump', 'base'])('that could not be written fails, and is not reported: %s', (kind) => {
    const fails = 'echo it began > dumps/.new; exit 1'
    programs({ pg_dump: fails, pg_basebackup: fails })
    expect(backup(kind).status).toBe(1)
    const kept = ['status', 'dumps', 'base'].flatMap((name) => readdirSync(at(name)))
    expect(kept.filter((name) => /^[^.]/.test(name) && name !== 'said')).toEqual([])
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

  /** The base backups, by their age in days, that are left of some of which `clean` was told. */
  function keptOf(ages: readonly number[]): number[] {
    const now = nowSeconds()
    for (const age of ages) put(`base/${now - age * daySeconds}/start`)
    expect(backup('clean').status).toBe(0)
    return readdirSync(at('base')).map((name) => (now - Number(name)) / daySeconds)
  }

  it('of two weeks is kept, however many were made since', () => {
    expect(keptOf([22, 15, 8, 1, 0.5, 0.25, 0]).sort((a, b) => b - a)).toEqual([
      15, 8, 1, 0.5, 0.25, 0,
    ])
  })

  it('that is the newest of the older ones is kept', () => {
    expect(keptOf([30, 20])).toEqual([20])
  })

  it('says why it could not be made, and how it is asked for', () => {
    programs({ pg_basebackup: 'echo the disk is full >&2; exit 1' })
    expect(backup('base')).toMatchObject({ status: 1, stderr: 'the disk is full\n' })
    expect(backup('everything')).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining('backup.sh keep') },
    })
  })
})
