import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('a script of docker/', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'rental-script-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  /** backup.sh with its volume and its secret in the directory. */
  function backupScript() {
    writeFileSync(join(directory, 'url'), 'postgres://rental_backup:secret@postgres:5432/rental')
    return read('docker/backup/backup.sh')
      .replace('/var/lib/postgresql', directory)
      .replace('/run/secrets/database_backup_url', join(directory, 'url'))
  }

  it.each(['dump', 'base'])('that could not write a %s fails, and reports none', (kind) => {
    for (const program of ['pg_dump', 'pg_basebackup']) {
      const fails = '#!/bin/sh\necho it began > dumps/.new\nexit 1'
      writeFileSync(join(directory, program), fails, { mode: 0o700 })
    }
    const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` }
    const { status } = spawnSync('bash', ['-c', backupScript(), 'backup.sh', kind], { env })
    expect(status).toBe(1)
    const kept = ['status', 'dumps', 'base'].map((name) => readdirSync(join(directory, name)))
    expect(kept.flat().filter((name) => /^[^.]/.test(name) && name !== 'said')).toEqual([])
  })

  it('deletes dumps that are old, and keeps the others', () => {
    writeFileSync(join(directory, 'pg_dump'), '#!/bin/sh\necho > dumps/.new', { mode: 0o700 })
    mkdirSync(join(directory, 'dumps'))
    for (const days of [13, 16]) {
      const path = join(directory, 'dumps', `${days}.dump`)
      writeFileSync(path, '')
      utimesSync(path, new Date(), new Date(Date.now() - days * 86_400_000))
    }
    const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` }
    execFileSync('bash', ['-c', backupScript(), 'backup.sh', 'dump'], { env })
    const kept = readdirSync(join(directory, 'dumps')).filter((name) => /^\d\d\.dump$/.test(name))
    expect(kept).toEqual(['13.dump'])
  })

  /** What functions of backup.sh print. */
  const inBackup = (calls: string) =>
    execFileSync(
      'bash',
      ['-c', `${backupScript().split('# One at a time, whoever')[0]}\n${calls}`],
      {
        encoding: 'utf8',
      },
    )

  it('knows how old the newest backup is, and whether the log is being received', () => {
    const old = 'mkdir -p dumps; touch "dumps/$(($(date +%s) - 500)).dump"'
    const asked = [400, 600].map((age) => `older_than dumps ${age} && echo older than ${age}; :`)
    const empty = 'older_than base 9 && echo no base'
    const receiving = (count: number) =>
      `psql() { echo ${count}; }; rm -f status/wal.prom; report_log; ls status`
    expect(inBackup([old, ...asked, empty, receiving(0), receiving(1)].join('\n'))).toBe(
      'older than 400\nno base\nwal.prom\n',
    )
  })

  it('restores the newest base backup that is older than the moment', () => {
    const base = join(directory, 'base')
    for (const at of [1_000, 2_000, 4_000]) {
      mkdirSync(join(base, String(at)), { recursive: true })
      writeFileSync(join(base, String(at), 'start'), '7 000000010000000000000001\n')
    }
    mkdirSync(join(directory, 'wal/7-1'), { recursive: true })
    writeFileSync(join(directory, 'wal/7-1/000000010000000000000002'), '')
    // One whose server wrote no more by then, and one of which nothing can be read.
    for (const at of [2_500, 2_600]) mkdirSync(join(base, String(at)))
    writeFileSync(join(base, '2500/start'), '8 000000010000000000000001\n')
    mkdirSync(join(directory, 'wal/8-1'))
    writeFileSync(join(directory, 'wal/8-1/000000010000000000000001'), '')
    utimesSync(join(directory, 'wal/8-1/000000010000000000000001'), 2_600, 2_600)
    const stubs = 'tar() { :; }; pg_controldata() { :; }; exec() { :; }\n'
    const script = stubs + read('docker/backup/restore.sh').replaceAll('/backups', directory)
    const env = { ...process.env, PGDATA: directory, RESTORE_TO: '1970-01-01T00:50:00Z' }
    expect(execFileSync('bash', ['-c', script], { env, encoding: 'utf8' })).toBe(
      'restoring the base backup of 1970-01-01T00:33:20Z to 1970-01-01T00:50:00Z\n',
    )
    // Of what another restore began later, nothing belongs to that moment.
    const settings = readFileSync(join(directory, 'postgresql.auto.conf'), 'utf8').split('\n')
    expect(settings.slice(1)).toEqual([
      "recovery_target_timeline = 'current'",
      "recovery_target_action = 'promote'",
      "recovery_target_time = '1970-01-01 00:50:00.000000+00'",
      '',
    ])
  })

  /** The base backups, by their age in days, that are left of some of which `clean` was told. */
  function keptOf(ages: readonly number[]): number[] {
    const daySeconds = 86_400
    const nowSeconds = Math.floor(Date.now() / 1000)
    const bases = join(directory, 'base')
    for (const age of ages) {
      mkdirSync(join(bases, String(nowSeconds - age * daySeconds)), { recursive: true })
      writeFileSync(join(bases, String(nowSeconds - age * daySeconds), 'start'), '')
    }
    execFileSync('bash', ['-c', backupScript(), 'backup.sh', 'clean'])
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

  it('keeps secrets from others, and Redis from what a replica need not do', () => {
    const env = { PATH: process.env['PATH'], SECRETS_DIRECTORY: join(directory, 'made') }
    execFileSync(join(root, 'docker/secrets.sh'), { env: { ...env, ENV_FILE: '/dev/null' } })
    expect(statSync(join(directory, 'made')).mode & 0o777).toBe(0o700)
    const [user] = readFileSync(join(directory, 'made/redis_acl'), 'utf8').split('\n')
    expect(user).toMatch(/^user default on resetpass #\S+ ~\* &\* \+@all -@admin -@dangerous /)
  })

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

  it('audits a restored dump once at a time, and knows nothing of the next one before', async () => {
    const at = (name: string) => join(directory, name)
    // As one that takes longer than the pauses between two looks, and cannot ask.
    const slow = `#!/bin/sh
      cd '${directory}'
      echo "$DATABASE_URL" > asked
      mkdir auditing || echo beside >> began
      echo began >> began; sleep 0.05; rmdir auditing
      # As much as the audit of a large database says.
      [ "$(wc -l < began)" -lt 6 ] || printf '{"invariants":[{"name":"a rule","broken":1}]%1200000s}' ''
      exit 1`
    writeFileSync(at('rental'), slow, { mode: 0o700 })
    writeFileSync(at('url'), 'postgres://rental_backup:secret@postgres:5432/rental')
    writeFileSync(at('restored'), '')
    for (const kind of ['dump', 'wal']) writeFileSync(at(`${kind}.prom`), `${kind} 1\n`)
    const script = read('docker/backup/audit.mjs')
      .replace('/backups/status', directory)
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
        return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      }
      expect(await metrics()).toBe('dump 1\nwal 1\nrental_backup_restored_sound 0\n')
      expect(readFileSync(at('asked'), 'utf8')).toMatch(/\/rental_restored\n$/)
      // Prometheus asks from another container.
      expect(said).toContain('"address":"0.0.0.0"')
      // Of the next dump nothing is known while nobody can ask.
      writeFileSync(at('rental'), '#!/bin/sh\necho away >&2; exit 1')
      utimesSync(at('restored'), 1, 1)
      await waitFor(() => said.includes('"error":"away\\n"'))
      expect(await metrics()).toBe('dump 1\nwal 1\n')
      node.kill()
      expect(await ended).toEqual([0, null])
      expect(said).toContain('"the restored dump is not sound","broken":[{"name":"a rule"')
    } finally {
      node.kill('SIGKILL')
    }
  })
})
