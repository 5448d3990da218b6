import { afterAll, beforeEach, expect, it } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import { book, createKey, groupsOf, quote } from './load.ts'
import { compose, composeArgv, done, inReplica, run, secrets, settings } from './stack.ts'

const timeoutMs = 120_000
/** The lines that the runbook appends to .env. */
let env: Record<string, string> = {}
let key = ''
let group = ''
let restores = 0
let days = 0

const dc = (argv: string, more: Readonly<Record<string, string>> = {}) =>
  done(compose(argv, { ...env, ...more }))
const inService = (service: string, script: string, more: Readonly<Record<string, string>> = {}) =>
  done(composeArgv(['exec', '-T', service, 'bash', '-c', script], { ...env, ...more }))
const query = (service: string, text: string) =>
  inService(service, `psql -U rental -d rental -qXAtc "${text}"`).then((out) => out.trim())
/** Backs up. Times from the next second on can be restored. */
async function backup(...argv: string[]) {
  await dc(`--profile backup run --rm -T backup bash /docker/backup.sh ${argv.join(' ')}`)
  const endMs = Date.now()
  await waitFor(() => Date.now() > endMs + 1000, timeoutMs)
}
const volumes = async () =>
  (await done(run('docker', ['volume', 'ls', '--quiet', '--filter', 'name=rental-path_'])))
    .split('\n')
    .filter((name) => name !== '')
async function removeAll() {
  await compose('--profile * down --volumes --timeout 5', env)
  for (const volume of await volumes()) await run('docker', ['volume', 'rm', '--force', volume])
}

/** Books once and returns the ID. */
const bookOnce = async () => book(key, await quote(key, group, 1 + (days++ % 300)))
/** Returns a time between the transactions before and after the call. */
async function moment(): Promise<string> {
  const at = new Date(Date.now() + 50)
  await waitFor(() => Date.now() > at.getTime() + 50, timeoutMs)
  return at.toISOString()
}
const bookingsIn = async (service: string) =>
  (await query(service, 'select id from bookings order by created_at')).split('\n')

const checkIndexes = (service: string) =>
  inService(service, 'pg_amcheck -U rental --install-missing --heapallindexed rental')

/** Expects exactly these bookings in a server, and sound rows and indexes. */
async function expectSound(service: string, bookings: readonly string[]) {
  expect(await bookingsIn(service)).toEqual(bookings)
  await checkIndexes(service)
  const url = `$(sed s/@postgres:/@${service}:/ /run/secrets/database_url)`
  await inService('api-1', `DATABASE_URL_FILE= rental --database-url "${url}" audit`)
}

/** Restores, by default into a new volume, and returns the name of the volume. */
async function restore(
  to: string,
  bookings: readonly string[],
  RESTORE_VOLUME = `restored-${restores++}`,
): Promise<string> {
  const started = await compose('--profile restore up -d --wait restored', {
    ...env,
    RESTORE_TO: to,
    RESTORE_VOLUME,
  })
  expect(started.exitCode, await dc('logs --no-log-prefix restored')).toBe(0)
  await expectSound('restored', bookings)
  return RESTORE_VOLUME
}
const removeRestored = () => dc('--profile restore rm --stop --force restored')
/** Restores, and removes the second server again. */
async function expectRestored(to: string, bookings: readonly string[]) {
  const volume = await restore(to, bookings)
  await removeRestored()
  return volume
}
/** Returns the last log line of a restore that must fail. */
async function failRestore(to: string): Promise<string> {
  const more = { RESTORE_TO: to, RESTORE_VOLUME: `restored-${restores++}` }
  const { exitCode } = await compose('--profile restore up -d --wait restored', { ...env, ...more })
  expect(exitCode).not.toBe(0)
  const log = await dc('logs --no-log-prefix restored')
  await removeRestored()
  return log
}
/** Makes a volume the live one, as in docs/operations.md#restoring-to-a-point-in-time. */
async function goLive(changed: Readonly<Record<string, string>>) {
  await dc('stop api-1 api-2')
  await removeRestored()
  env = { ...env, ...changed }
  await dc('up -d --wait')
}

beforeEach(async () => {
  env = {}
  await removeAll()
  await done(secrets())
  await done(compose('build'))
  await dc('up -d --wait')
  await done(inReplica('rental', 'fleet', 'import', 'examples/fleet.json'))
  key = await createKey('fjord-cars')
  ;[group = ''] = await groupsOf(key)
  await backup('now', 'full')
})
afterAll(removeAll)

it('restores any time of three lives, two from the same parent, and latest of the live one', async () => {
  const a1 = await bookOnce()
  const early = await moment()
  const a2 = await bookOnce()
  const late = await moment()
  const a3 = await bookOnce()
  await expectRestored('latest', [a1, a2, a3])

  await goLive({ POSTGRES_VOLUME: await restore(late, [a1, a2]) })
  await expectRestored('latest', [a1, a2])
  const b1 = await bookOnce()
  const inSecond = await moment()
  await expectRestored('latest', [a1, a2, b1])

  await goLive({ POSTGRES_VOLUME: await restore(early, [a1]) })
  const c1 = await bookOnce()
  const inThird = await moment()
  await expectRestored('latest', [a1, c1])
  const c2 = await bookOnce()
  // Beyond the positions that the abandoned lives have reached.
  for (let n = 0; n < 8; n++)
    await query('postgres', 'select pg_current_xact_id(), pg_switch_wal()')
  await expectRestored('latest', [a1, c1, c2])
  await backup('now', 'full')
  const c3 = await bookOnce()
  await expectRestored('latest', [a1, c1, c2, c3])
  await expectRestored(late, [a1, a2])
  await expectRestored(inSecond, [a1, a2, b1])
  await expectRestored(inThird, [a1, c1])
})

it('restores latest and times after going back to a former volume, and forward again', async () => {
  const a1 = await bookOnce()
  const inFirst = await moment()
  const a2 = await bookOnce()
  const second = await restore(inFirst, [a1])
  await goLive({ POSTGRES_VOLUME: second })
  const b1 = await bookOnce()
  const inSecond = await moment()
  await backup('now', 'full')

  await goLive({ POSTGRES_VOLUME: 'postgres' })
  await expectRestored('latest', [a1, a2])
  const a3 = await bookOnce()
  const back = await moment()
  await backup('now', 'full')
  await expectRestored('latest', [a1, a2, a3])
  await expectRestored(inSecond, [a1, b1])

  await goLive({ POSTGRES_VOLUME: second })
  const b2 = await bookOnce()
  await expectRestored('latest', [a1, b1, b2])
  await expectRestored(back, [a1, a2, a3])
  await backup('now', 'full')
  await expectRestored('latest', [a1, b1, b2])
})

it('a restored server that was only examined changes no history, and can become live later', async () => {
  const a1 = await bookOnce()
  const time = await moment()
  const a2 = await bookOnce()
  const first = await expectRestored(time, [a1])
  // A restore that was cut off has the second file instead of the first.
  const files =
    '/var/lib/postgresql/data/global/pg_control /var/lib/postgresql/data/backup.manifest'
  const cutOff = `--profile restore run --rm -T --entrypoint mv restored ${files}`
  await dc(cutOff, { RESTORE_VOLUME: first })
  await restore(time, [a1], first)
  await removeRestored()
  const second = await expectRestored('latest', [a1, a2])
  const a3 = await bookOnce()
  const beforeLive = await moment()
  await expectRestored('latest', [a1, a2, a3])
  await goLive({ POSTGRES_VOLUME: second })
  const b1 = await bookOnce()
  await expectRestored('latest', [a1, a2, b1])
  await goLive({ POSTGRES_VOLUME: first })
  const c1 = await bookOnce()
  await expectRestored('latest', [a1, c1])
  await expectRestored(beforeLive, [a1, a2, a3])
})

it('restores from the off-site copy on another machine, whose own backups then run', async () => {
  const a1 = await bookOnce()
  const time = await moment()
  const a2 = await bookOnce()
  await backup('now', 'dump')
  const switched = await query('postgres', 'select pg_walfile_name(pg_switch_wal())')
  const archived = `select last_archived_wal >= '${switched}' from pg_stat_archiver`
  await waitFor(async () => (await query('postgres', archived)) === 't', timeoutMs)
  await done(
    run(
      'bash',
      [
        '-c',
        'docker compose --profile backup run --rm -T backup bash /docker/backup.sh copy > "$COPY"',
      ],
      { ...settings, COPY: '/tmp/rental-path.tar' },
    ),
  )
  await removeAll()
  await run('rm', ['-rf', settings.SECRETS_DIRECTORY])
  await done(secrets())
  const extract =
    'docker compose --profile backup run --rm -T --no-deps backup tar -x -C /backups < /tmp/rental-path.tar'
  await done(run('bash', ['-c', extract], settings))
  const restoreTo = async (to: string, bookings: readonly string[]) => {
    const RESTORE_VOLUME = `restored-${restores++}`
    await dc('--profile restore up -d --wait restored', { RESTORE_TO: to, RESTORE_VOLUME })
    expect(await bookingsIn('restored')).toEqual(bookings)
    await checkIndexes('restored')
    expect(await dc('logs restored')).not.toContain('archive command failed')
    await removeRestored()
    return RESTORE_VOLUME
  }
  await restoreTo(time, [a1])
  env = { POSTGRES_VOLUME: await restoreTo('latest', [a1, a2]) }
  await dc('up -d --wait')
  await expectSound('postgres', [a1, a2])
  const b1 = await bookOnce()
  await dc('--profile backup up -d --wait')
  const metrics = () => inService('backup', 'cat /backups/status/*.prom || true')
  await waitFor(async () => (await metrics()).includes('restored_sound 1'), timeoutMs)
  for (const kind of ['dump', 'base', 'wal', 'restore'])
    await waitFor(async () => (await metrics()).includes(`seconds{kind="${kind}"}`), timeoutMs)
  await expectRestored('latest', [a1, a2, b1])
})

it('restores after an upgrade to PostgreSQL 18, and after going back', async () => {
  const a1 = await bookOnce()
  const time = await moment()
  const a2 = await bookOnce()
  await dc('stop api-1 api-2')
  await backup('now', 'dump')
  await dc('--profile * stop')
  const former = env
  env = { POSTGRES_VERSION: '18', POSTGRES_VOLUME: 'postgres18' }
  await dc('build postgres-image')
  await dc('up -d --wait postgres')
  await inService(
    'postgres',
    'pg_restore -U rental -d rental --no-owner --no-privileges --exit-on-error --single-transaction "$(ls /backups/dumps/*.dump | tail -n 1)"',
  )
  await dc('up -d --wait')
  const b1 = await bookOnce()
  await backup('now', 'full')
  await expectRestored('latest', [a1, a2, b1])
  expect(await failRestore(time)).toContain('POSTGRES_VERSION=17')

  await dc('stop api-1 api-2')
  env = former
  await dc('up -d --wait')
  await expectRestored('latest', [a1, a2])
  const c1 = await bookOnce()
  await expectRestored('latest', [a1, a2, c1])
  await expectRestored(time, [a1])
  await backup('now', 'full')
  await expectRestored('latest', [a1, a2, c1])
})

/** Writes more log files than are kept for the archive. */
async function overflowLog() {
  await inService(
    'postgres',
    `for n in {1..140}; do psql -U rental -d rental -qXAtc 'select pg_current_xact_id()' -c 'select pg_switch_wal()' > /dev/null; done`,
  )
  await waitFor(async () => (await dc('logs postgres')).includes('lost pg_wal/'), timeoutMs)
}
/** Expects that lost log makes a new full backup, and that no restore ignores the gap. */
async function expectNewSeries(bookings: readonly string[]) {
  const inGap = await moment()
  const later = await bookOnce()
  expect(await failRestore('latest')).toMatch(/log was lost|cannot archive/)
  await dc('--profile backup up -d --wait')
  const metrics = () => inService('backup', 'cat /backups/status/*.prom || true')
  await waitFor(async () => (await metrics()).includes('log_gap'), timeoutMs)
  await waitFor(
    async () => (await dc('logs --no-log-prefix backup')).includes('full backup written'),
    timeoutMs,
  )
  await expectRestored('latest', [...bookings, later])
  expect(await failRestore(inGap)).toContain('was lost')
}

it('begins a new series of log after the backup was stopped for more than a week', async () => {
  const a1 = await bookOnce()
  const time = await moment()
  const a2 = await bookOnce()
  await query('postgres', 'select pg_switch_wal()')
  await dc(`--profile backup run --rm -T backup touch -d -8days /backups/status`)
  await overflowLog()
  await expectNewSeries([a1, a2])
  await expectRestored(time, [a1])
})

it('serves while the backup volume is full, and begins a new series of log afterwards', async () => {
  await removeAll()
  const size = ['--opt', 'type=tmpfs', '--opt', 'device=tmpfs', '--opt', 'o=size=192m,mode=1777']
  await done(run('docker', ['volume', 'create', ...size, 'rental-path_backups']))
  // A tmpfs volume loses its files when no container uses it.
  await done(
    run('docker', [
      'run',
      '-d',
      '--rm',
      '--name',
      'rental-path-hold',
      '-v',
      'rental-path_backups:/backups',
      'redis:7',
      'sleep',
      '3600',
    ]),
  )
  try {
    await dc('up -d --wait')
    await done(inReplica('rental', 'fleet', 'import', 'examples/fleet.json'))
    key = await createKey('fjord-cars')
    ;[group = ''] = await groupsOf(key)
    await backup('now', 'full')
    const a1 = await bookOnce()
    const time = await moment()
    const a2 = await bookOnce()
    await query('postgres', 'select pg_switch_wal()')
    await inService('postgres', 'sleep 1; cat /dev/zero > /backups/filler || true')
    await overflowLog()
    const a3 = await bookOnce()
    await inService('postgres', 'rm /backups/filler')
    await expectNewSeries([a1, a2, a3])
    await expectRestored(time, [a1])
  } finally {
    await run('docker', ['rm', '--force', 'rental-path-hold'])
  }
})

it('makes no backup of a volume that is not the live one', async () => {
  const a1 = await bookOnce()
  await dc('--profile backup up -d --wait')
  await goLive({ POSTGRES_VOLUME: await restore('latest', [a1]) })
  const { exitCode, out } = await composeArgv(
    ['exec', '-T', 'backup', 'bash', '/docker/backup.sh', 'now', 'full'],
    env,
  )
  expect(exitCode).not.toBe(0)
  expect(out).toContain('recreate it')
  await dc('--profile backup up -d --wait')
  await waitFor(
    async () => (await dc('logs --no-log-prefix backup')).includes('full backup written'),
    timeoutMs,
  )
  await expectRestored('latest', [a1])
})
