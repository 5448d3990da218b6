import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, unlinkSync, utimesSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import { read, useBackups } from './scriptRoom.ts'

const { at, put, programs, told, backup } = useBackups()

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
    // Its roles are not those of who restores it.
    expect(restored).toContain(' --no-owner --no-privileges ')
    expect(readdirSync(at('status')).sort()).toEqual(['restore.prom', 'restored'])
  })

  it.each(['psql', 'pg_restore'])(
    'has failed where %s does, and tells nobody to look',
    (failing) => {
      put('status/restored')
      programs({ psql: '', pg_restore: '', [failing]: 'exit 1' })
      expect(backup('check').status).not.toBe(0)
      expect(readdirSync(at('status'))).toEqual([])
    },
  )
})

describe('the audit of a restored dump', () => {
  it('is made once at a time, and knows nothing of the next one before', async () => {
    // As one that takes longer than the pauses between two looks, and cannot ask.
    const slow = `#!/bin/sh
      cd '${at()}'
      echo "$DATABASE_URL" > asked
      mkdir auditing || echo beside >> began
      echo began >> began; sleep 0.05; rmdir auditing
      # As much as the audit of a large database says.
      [ "$(wc -l < began)" -lt 6 ] || printf '{"invariants":[{"name":"a rule","broken":1}]%1200000s}' ''
      exit 1`
    put('rental', slow)
    chmodSync(at('rental'), 0o700)
    put('url', 'postgres://rental_backup:secret@postgres:5432/rental')
    put('restored', '')
    for (const kind of ['dump', 'wal']) put(`${kind}.prom`, `${kind} 1\n`)
    const script = read('docker/backup/audit.mjs')
      .replace('/backups/status', at())
      .replace('/run/secrets/database_backup_url', at('url'))
      .replace('/usr/local/bin/rental', at('rental'))
      .replace('everyMs = 30_000', 'everyMs = 5')
      .replace('port = 9188', 'port = 0')
    const tellPort = "server.once('listening', () => say('info', 'port', server.address()))"
    const evaluated = ['--input-type=module', '--eval', `${script}\n${tellPort}`]
    const node = spawn(process.execPath, evaluated)
    const ended = once(node, 'exit')
    let said = ''
    node.stdout.setEncoding('utf8').on('data', (more: string) => {
      said += more
    })
    try {
      await waitFor(() => said.includes('the restored dump is '))
      expect(readFileSync(at('began'), 'utf8')).not.toContain('beside')
      const metrics = async () => {
        const [, port = ''] = /"port":(\d+)/.exec(said) ?? []
        const { status } = await fetch(`http://127.0.0.1:${port}/`)
        expect(status).toBe(404)
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
        // Without it Prometheus takes none of them.
        expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4')
        return answer.text()
      }
      expect(await metrics()).toBe('dump 1\nwal 1\nrental_backup_restored_sound 0\n')
      expect(readFileSync(at('asked'), 'utf8')).toMatch(/\/rental_restored\n$/)
      // Prometheus asks from another container.
      expect(said).toContain('"address":"0.0.0.0"')
      // Of the next dump nothing is known while nobody can ask.
      put('rental', '#!/bin/sh\necho away >&2; exit 1')
      utimesSync(at('restored'), 1, 1)
      await waitFor(() => said.includes('"error":"away\\n"'))
      expect(await metrics()).toBe('dump 1\nwal 1\n')
      // Of one in which all holds the exit code says nothing: staff may overbook.
      put('rental', `#!/bin/sh\necho '{"invariants":[{"name":"a rule","broken":0}]}'; exit 1`)
      await waitFor(() => said.includes('the restored dump is sound'))
      expect(await metrics()).toBe('dump 1\nwal 1\nrental_backup_restored_sound 1\n')
      // Nor of half a copy, which is there while the next is restored.
      unlinkSync(at('restored'))
      await waitFor(async () => (await metrics()) === 'dump 1\nwal 1\n')
      node.kill()
      expect(await ended).toEqual([0, null])
      expect(said).toContain('"the restored dump is not sound","broken":[{"name":"a rule"')
    } finally {
      node.kill('SIGKILL')
    }
  })
})
