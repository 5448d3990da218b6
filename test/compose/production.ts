import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../src/config/projectRoot.ts'
import { freePort } from '../helpers/freePort.ts'
import { metricsIn } from '../helpers/promql.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { book, createKey, groupsOf, quote, under } from './load.ts'
import {
  baseUrl,
  compose,
  composeArgv,
  done,
  image,
  inReplica,
  psql,
  replace,
  root,
  run,
  secrets,
  secretsDirectory,
  serving,
  settings,
} from './stack.ts'

const timeoutMs = 60_000
const secret = (name: string) => readFileSync(join(secretsDirectory, name), 'utf8').trim()
const allSecrets = () => readdirSync(secretsDirectory).filter((name) => !name.startsWith('.'))
const passwordIn = (url: string) => /:([^:@/]+)@/.exec(url)?.[1] ?? ''
const imageBefore = 'rental-booking-api:path-before'
const imageAfter = 'rental-booking-api:path-after'

/** Makes the image of a later release, which has one more migration. */
async function makeImageAfter(): Promise<void> {
  const migrations = mkdtempSync(join(tmpdir(), 'rental-migrations-'))
  cpSync(join(root, 'migrations'), migrations, { recursive: true })
  chmodSync(migrations, 0o755)
  const path = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  const later = { ...journal.entries.at(-1), idx: 2, when: Date.now() + 1, tag: '0002_later' }
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.concat(later) }))
  writeFileSync(join(migrations, '0002_later.sql'), 'create table later (id int)')
  await done(run('docker', ['create', '--name', 'rental-path-after', image]))
  await done(run('docker', ['cp', `${migrations}/.`, 'rental-path-after:/app/migrations']))
  await done(run('docker', ['commit', 'rental-path-after', imageAfter]))
  await done(run('docker', ['rm', 'rental-path-after']))
}

let key = ''

afterAll(async () => {
  await compose('--profile * down --volumes --timeout 5')
  await run('docker', ['rmi', imageBefore, imageAfter])
})

it('docker/secrets.sh creates secrets, adopts those of an .env file and changes nothing on a second run', async () => {
  const env = [
    'POSTGRES_PASSWORD=former',
    "REDIS_PASSWORD='f@rmer'",
    `SESSION_SECRETS=${'s'.repeat(32)}`,
  ]
  writeFileSync(join(dirname(secretsDirectory), 'env'), `${env.join('\n')}\n`)
  await done(secrets())
  expect(secret('postgres_password')).toBe('former')
  expect(secret('redis_url')).toBe('redis://:f%40rmer@redis:6379')
  expect(secret('session_secrets')).toBe('s'.repeat(32))
  const before = allSecrets().map(secret)
  expect(await done(secrets())).toBe('')
  expect(allSecrets().map(secret)).toEqual(before)
})

it('compose build sets the version, revision and base image as labels, and a numeric user', async () => {
  const revision = (await run('git', ['rev-parse', 'HEAD'])).out.trim() || 'unknown'
  await done(compose('build', { REVISION: revision }))
  const [built] = JSON.parse(await done(run('docker', ['image', 'inspect', image])))
  expect(built.Config.User).toBe('1000:1000')
  expect(built.Config.Labels).toMatchObject({
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': revision,
    'org.opencontainers.image.base.name': expect.stringMatching(/node(:24|@sha256:)/),
  })
})

it('compose up --wait starts two ready replicas and publishes no internal paths', async () => {
  await done(compose('up -d --wait'))
  expect(await serving()).toBe(2)
  // Internal paths are not published.
  for (const path of ['/metrics', '/readyz', '/health'])
    expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 404])
})

it('a new tenant and key book through the proxy, and rental conform passes', async () => {
  await done(inReplica('rental', 'fleet', 'import', 'examples/fleet.json'))
  key = await createKey('fjord-cars')
  const [group = ''] = await groupsOf(key)
  expect(await book(key, await quote(key, group))).toMatch(/^[\da-f-]{36}$/)
  const conform = `rental conform --base-url http://proxy:8080 --key ${key} --origin https://www.example.com`
  expect(await done(inReplica(...conform.split(' ')))).toMatch(/(\d+) of \1 rules hold/)
})

it('the proxy serves again after a crash that follows the reload of a certificate', async () => {
  await done(composeArgv(['exec', '-T', 'proxy', 'bash', '-c', 'kill -USR2 1']))
  await waitFor(async () => (await serving()) === 2, timeoutMs)
  const id = (await done(compose('ps --quiet proxy'))).trim()
  const pid = await done(run('docker', ['inspect', '--format', '{{.State.Pid}}', id]))
  process.kill(Number(pid), 'SIGKILL')
  const restarts = () => done(run('docker', ['inspect', '--format', '{{.RestartCount}}', id]))
  await waitFor(async () => (await restarts()).trim() === '1', timeoutMs)
  await waitFor(async () => (await serving()) === 2, timeoutMs)
})

it('a frozen replica holds requests for at most 12 s, and the other replica serves', async () => {
  const replica = (action: string) => done(compose(`${action} api-1`))
  const { lost, slowestMs } = await under(key, async () => {
    await replica('pause')
    await waitFor(async () => (await serving('api-2')) === 1, timeoutMs)
  })
  await replica('unpause')
  const healthy = async () => (await compose('up -d --no-deps --wait api-1')).exitCode === 0
  await waitFor(healthy, timeoutMs)
  expect([...new Set(lost)].filter((failure) => failure !== '503 SERVICE_UNAVAILABLE')).toEqual([])
  expect(slowestMs).toBeLessThan(12_000)
  await waitFor(async () => (await serving()) === 2, timeoutMs)
})

it('docker/doctor.sh finds nothing wrong but missing backups, and then what is wrong', async () => {
  const doctor = () => run('./docker/doctor.sh', [], settings)
  expect((await doctor()).out.match(/^WRONG.*/gm)).toEqual([
    'WRONG: the backups (docs/operations.md#backup-and-restore)',
  ])
  await psql('postgres', `alter role rental_api_a password 'changed'`)
  await done(compose('stop redis'))
  const { exitCode, out } = await doctor()
  expect(exitCode).toBe(1)
  expect(out).toMatch(/WRONG: redis is exited/)
  expect(out).toMatch(/WRONG: the database rejects \S+database_url:/)
  expect(out).not.toMatch(/Redis rejects/)
  await done(compose('run --rm roles'))
  await done(compose('up -d --no-deps --wait redis'))
})

it('docker inspect, the process list and the logs contain no secret', async () => {
  const ids = (await done(compose('ps --all --quiet'))).trim().split('\n')
  const seen = [
    await done(run('docker', ['inspect', ...ids])),
    await done(compose('top')),
    await done(compose('logs --no-color')),
  ].join('\n')
  expect(seen).toContain('rental-path')
  const values = allSecrets().map(secret)
  for (const value of [...values, ...values.map(passwordIn)]) {
    if (value.length >= 16) expect(seen).not.toContain(value)
  }
})

it('the API role is denied DDL, temporary tables and server files', async () => {
  const statements = [
    'create table t (i int)',
    'create temporary table t (i int)',
    'create schema s',
    'create role r',
    'create database d',
    'drop table bookings',
    "copy tenants to program 'cat'",
    "select pg_read_file('/etc/passwd')",
    'alter table tenants disable trigger all',
  ]
  const script = `
    import pg from 'pg'
    import { readFileSync } from 'node:fs'
    const client = new pg.Client(readFileSync('/run/secrets/database_url', 'utf8').trim())
    await client.connect()
    for (const text of ${JSON.stringify(statements)})
      console.log(await client.query(text).then(() => 'done', ({ code }) => code))
    await client.end()`
  const out = await done(inReplica('node', '--input-type=module', '--eval', script))
  expect(out.trim().split('\n')).toEqual(statements.map(() => '42501'))
})

it('a backup neither needs the image of the release nor migrates', async () => {
  await done(compose('rm --force --stop migrate'))
  const status = await compose('--profile backup run --rm backup bash /docker/backup.sh status')
  expect(status.exitCode).toBe(1)
  expect(status.out).toContain('too old or missing: dump base wal restore copy times')
  const missing = { IMAGE: 'rental-booking-api:path-missing' }
  await done(compose('--profile backup run --rm backup bash /docker/backup.sh now dump', missing))
  expect(await done(compose('ps --all --services'))).not.toContain('migrate')
})

it('replacing a replica fails while migrations are pending, and the other replica serves', async () => {
  await makeImageAfter()
  const { lost } = await under(key, async () => {
    const replaced = await compose('up -d --no-deps --wait api-1', { IMAGE: imageAfter })
    expect(replaced.exitCode).not.toBe(0)
  })
  expect(lost).toEqual([])
  expect(await done(compose('logs --tail 1 api-1'))).toMatch(/pending: 0002_later/)
  await done(compose('up -d --no-deps --wait api-1'))
  await waitFor(async () => (await serving()) === 2, timeoutMs)
})

it('no request fails when both replicas are replaced', async () => {
  const { lost } = await under(key, () => replace({}, ' --force-recreate'))
  expect(lost).toEqual([])
})

it('a rollback runs the earlier image and fails no request; a missing image is not built', async () => {
  await done(run('docker', ['tag', image, imageBefore]))
  const { lost } = await under(key, () => replace({ IMAGE: imageBefore }))
  expect(lost).toEqual([])
  const running = await done(compose('ps --format {{.Image}} api-1 api-2', { IMAGE: imageBefore }))
  expect(running.trim().split('\n')).toEqual([imageBefore, imageBefore])
  const missing = 'rental-booking-api:path-missing'
  expect((await compose('up -d --no-deps --wait api-1', { IMAGE: missing })).exitCode).not.toBe(0)
  expect((await run('docker', ['image', 'inspect', missing])).exitCode).not.toBe(0)
  await replace()
})

it('the proxy adds and removes replicas when a service is scaled, and no request fails', async () => {
  const { lost } = await under(key, async () => {
    await done(compose('up -d --no-recreate --scale api-2=3 --wait'))
    await waitFor(async () => (await serving()) === 4, timeoutMs)
    await done(compose('up -d --no-recreate --scale api-2=1 --wait'))
    await waitFor(async () => (await serving()) === 2, timeoutMs)
  })
  expect(lost).toEqual([])
})

it('no request fails while Redis is stopped; requests fail only with 503 while PostgreSQL is stopped', async () => {
  const withoutRedis = await under(key, async () => {
    await done(compose('stop redis'))
    await done(compose('up -d --no-deps --wait redis'))
  })
  expect(withoutRedis.lost).toEqual([])
  const withoutDatabase = await under(key, async () => {
    await done(compose('stop postgres'))
    await done(compose('up -d --no-deps --wait postgres'))
  })
  expect(withoutDatabase.lost.length).toBeGreaterThan(0)
  expect([...new Set(withoutDatabase.lost)]).toEqual(['503 SERVICE_UNAVAILABLE'])
  await waitFor(async () => (await serving()) === 2, timeoutMs)
})

it('no request fails while every secret is rotated as documented, and the old login is rejected', async () => {
  const former = Object.fromEntries(allSecrets().map((name) => [name, secret(name)]))
  const recreate = ' --force-recreate'
  const { lost } = await under(key, async () => {
    // The second time changes nothing for the running replicas.
    for (const name of ['database', 'database', 'owner', 'backup', 'monitor', 'redis', 'sessions'])
      await done(secrets('rotate', name))
    await done(compose('run --rm roles'))
    await done(compose('up -d --no-deps --wait --force-recreate redis'))
    await replace({}, recreate)
    await done(secrets('promote', 'sessions'))
    await done(secrets('retire', 'redis'))
    await replace({}, recreate)
    await done(secrets('retire', 'sessions'))
    await done(compose('up -d --no-deps --wait --force-recreate redis'))
    await done(compose('run --rm roles bash /docker/roles.sh retire'))
    await replace({}, recreate)
  })
  expect(lost).toEqual([])
  for (const name of allSecrets().filter(
    (each) => !/^(postgres|grafana|alert|watchdog)_/.test(each),
  ))
    expect([name, secret(name)]).not.toEqual([name, former[name]])
  const tried = await inReplica(
    'rental',
    '--database-url',
    former['database_url'] ?? '',
    'tenants',
    'list',
  )
  expect(tried.exitCode).toBe(1)
})

it('the backup service creates a dump and a full backup, restores both and audits them', async () => {
  await done(compose('--profile backup up -d --wait'))
  const metrics = async () =>
    done(
      inReplica(
        'node',
        '--eval',
        `fetch('http://backup-audit:9188/metrics').then((a) => a.text()).then(console.log)`,
      ),
    )
  await waitFor(async () => (await metrics()).includes('rental_backup_restored_sound 1'), 300_000)
  for (const kind of ['dump', 'base', 'restore', 'wal'])
    await waitFor(
      async () =>
        (await metrics()).includes(`rental_backup_last_success_timestamp_seconds{kind="${kind}"}`),
      timeoutMs * 2,
    )
  const log = await done(compose('logs --no-color backup-audit'))
  for (const what of ['dump', 'base backup'])
    expect(log).toContain(`the restored ${what} is consistent`)
})

it('copies complete backups while bookings are made', async () => {
  const copies =
    'for n in 1 2 3; do bash /docker/backup.sh copy | tar -t > /tmp/copy || exit 1; done'
  const { lost } = await under(key, async () => {
    await done(composeArgv(['exec', '-T', 'backup', 'bash', '-o', 'pipefail', '-c', copies]))
    await done(compose('exec -T backup bash /docker/backup.sh copied'))
  })
  expect(lost).toEqual([])
  const names = await done(compose('exec -T backup cat /tmp/copy'))
  expect(names).toMatch(/^dumps\/\d+\.dump$/m)
  expect(names).toMatch(/^repo\/backup\/\d+\/backup\.info$/m)
  expect(names).toMatch(/^repo\/archive\/\d+\/17-1\/[\dA-F]{16}\/[\dA-F]{24}-\w+\.zst$/m)
})

it('a dump that is cut off restores nothing', async () => {
  const restore =
    'pg_restore -U rental -d cut --no-owner --no-privileges --exit-on-error --single-transaction'
  const dumpAndCut = `createdb -U rental cut && pg_dump -U rental -d rental -Fc > /tmp/dump; head -c $(($(stat -c %s /tmp/dump) / 2)) /tmp/dump | ${restore}`
  const inPostgres = (command: string) =>
    composeArgv(['exec', '-T', 'postgres', 'bash', '-c', command])
  expect((await inPostgres(dumpAndCut)).exitCode).not.toBe(0)
  const count = `psql -U rental -d cut -Atc "select count(*) from pg_tables where schemaname = 'public'"`
  expect((await done(inPostgres(count))).trim()).toBe('0')
  await psql('postgres', 'drop database cut')
})

it('the tunnel of docker/transfer.sh ends when the script is killed', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'rental-npm-'))
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 })
  const env = { ...process.env, ...settings, PATH: `${bin}:${process.env['PATH']}` }
  const script = spawn('bash', ['docker/transfer.sh'], {
    cwd: root,
    env: { ...env, TUNNEL_PORT: String(await freePort()) },
    stdio: 'ignore',
    detached: true,
  })
  const tunnel = async () =>
    done(run('docker', ['ps', '--all', '--quiet', '--filter', 'name=rental-path-tunnel']))
  await waitFor(
    async () =>
      (await done(run('docker', ['ps', '--quiet', '--filter', 'name=rental-path-tunnel']))) !== '',
    timeoutMs,
  )
  script.kill('SIGKILL')
  await waitFor(async () => (await tunnel()) === '', timeoutMs)
  process.kill(-(script.pid ?? 0), 'SIGKILL')
})

it('Prometheus returns data for every dashboard panel and every metric of the alerts', async () => {
  await done(
    compose(
      '--profile monitoring up -d prometheus postgres-exporter redis-exporter node-exporter blackbox-exporter alertmanager',
    ),
  )
  // One panel shows rejected requests.
  for (let n = 0; n < 70; n++) await fetch(`${baseUrl}/api/v1/asset-groups`)
  const dashboard = JSON.parse(
    readFileSync(join(root, 'docker/monitoring/grafana/rental.json'), 'utf8'),
  )
  const shown: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  )
  const { groups } = parse(readFileSync(join(root, 'examples/alerts.yml'), 'utf8'))
  const watched: string[] = groups[0].rules
    .flatMap(({ expr }: { expr: string }) => metricsIn(expr))
    // Only with an address in docker/monitoring/sites.yml, and only after log was lost.
    .filter((name: string) => !/^probe_|^rental_backup_log_gap_/.test(name))
  const expressions = [...shown, ...new Set(watched)]
  const script = `
    for (const expr of ${JSON.stringify(expressions)}) {
      const url = 'http://prometheus:9090/api/v1/query?query=' + encodeURIComponent(expr)
      const { data } = await (await fetch(url)).json()
      if (data.result.length === 0) console.log(expr)
    }`
  const findEmpty = () => inReplica('node', '--input-type=module', '--eval', script)
  await waitFor(async () => {
    const { exitCode, out } = await findEmpty()
    return exitCode === 0 && out === ''
  }, 180_000)
})

it('a command that writes exits with 1 when it connects as the backup role', async () => {
  const url = secret('database_backup_url')
  const revoked = inReplica(
    'rental',
    '--database-url',
    url,
    'tenants',
    'set',
    'fjord-cars',
    '--online-booking',
    'off',
  )
  expect((await revoked).exitCode).toBe(1)
})

it('a restore into the live volume is rejected, and the live server goes on', async () => {
  const again = { POSTGRES_VOLUME: 'restored', RESTORE_TO: 'latest' }
  await done(compose('--profile restore up -d --wait restored', { RESTORE_TO: 'latest' }))
  await done(compose('--profile restore rm --stop --force restored'))
  await done(compose('up -d --wait', again))
  expect((await compose('--profile restore up -d --wait restored', again)).exitCode).not.toBe(0)
  expect(await done(compose('logs --no-color restored'))).toContain('another server runs')
  await done(compose('--profile restore rm --stop --force restored'))
  const [group = ''] = await groupsOf(key)
  expect(await book(key, await quote(key, group))).toMatch(/^[\da-f-]{36}$/)
  await done(compose('up -d --wait'))
})

it('compose down removes every container, and a booking is returned after the next up', async () => {
  const [group = ''] = await groupsOf(key)
  const booking = await book(key, await quote(key, group))
  await done(compose('--profile * down'))
  expect(await done(compose('ps --all --quiet'))).toBe('')
  await done(compose('up -d --wait'))
  const response = await fetch(`${baseUrl}/api/v1/bookings/${booking}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(response.status).toBe(200)
  expect(existsSync(secretsDirectory)).toBe(true)
})
