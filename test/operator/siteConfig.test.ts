import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RentalConfig } from '../../clients/widget/rental-booking.d.ts'
import { siteConfig } from '../../src/services/siteConfig.ts'
import { compiledServer } from '../helpers/compiledServer.ts'
import { proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { importFile, smallFleet } from '../helpers/fleet.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
let program: string
let directory: string
let seatId: string | undefined

const load = (fleet: object) => importFile(operator.database, fleet)

beforeAll(async () => {
  program = join(dirname(await compiledServer()), 'cli.js')
  directory = await mkdtemp(join(tmpdir(), 'site-'))
  const { extras } = await load(smallFleet('south'))
  seatId = extras.find(({ ref }) => ref === 'child-seat')?.id
})
afterAll(() => rm(directory, { recursive: true }))

const configOf = (slug: string) => ['site', 'config', '--tenant', slug]
const config = configOf('south')

/** Runs the program until it is told to end, with files that nobody else may read by default. */
function watch(databaseUrl: string, slug: string, file: string) {
  const line = 'umask 077; exec "$@"'
  const argv = [process.execPath, program, ...configOf(slug), '--out', file, '--watch']
  const child = spawn('/bin/sh', ['-c', line, 'sh', ...argv], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  let written = ''
  child.stdout.on('data', (bytes) => {
    written += bytes
  })
  child.stderr.on('data', (bytes) => {
    said += bytes
  })
  const read = async (): Promise<RentalConfig> => JSON.parse(await readFile(file, 'utf8'))
  return {
    written: () => written,
    says: (text: string) => waitFor(() => said.includes(text)),
    /** Resolves when the file says so. */
    until: (isTrue: (written: RentalConfig) => boolean) =>
      waitFor(() => read().then(isTrue, () => false)),
    async end(signal: NodeJS.Signals) {
      const ended = once(child, 'exit')
      child.kill(signal)
      return (await ended)[0]
    },
    /** Sends a signal again and again; what ended it. */
    async endAtLast(signal: NodeJS.Signals) {
      const ended = once(child, 'exit')
      await waitFor(() => !child.kill(signal) || child.signalCode !== null)
      return (await ended)[1]
    },
  }
}

/** When the program last asked the database for something. */
async function lastAsked(): Promise<number> {
  const { rows } = await operator.database.pool.query<{ at: Date }>(
    `select max(query_start) as at from pg_stat_activity
     where datname = current_database() and query like '%from "extras"%' and pid <> pg_backend_pid()`,
  )
  return Number(rows[0]?.at)
}

describe('rental site config', () => {
  it("prints the widget's config: terms, and extras with their ids and prices", async () => {
    const known: RentalConfig = await siteConfig(operator.database, 'south')
    const seat = { id: seatId, name: 'Child seat', pricing: 'per_day', currency: 'NOK' }
    expect(known).toEqual({
      ...{ name: 'Fjord Cars', timeZone: 'Europe/Oslo', currency: 'NOK', taxPercent: '25' },
      ...{ pricesIncludeTax: false, gracePeriodMinutes: 29, seasons: 'per_day' },
      extras: [{ ...seat, price: '50.00', maxPrice: '300.00' }],
    })
    const { out, error } = await operator.run(...config)
    expect([JSON.parse(out), error]).toEqual([known, ''])
    expect(await operator.json(...config)).toEqual(known)
  })

  it('writes the price of an extra in its own currency’s decimals, whatever the tenant’s are', async () => {
    const fleet = smallFleet('abroad')
    const extras = fleet.extras.map((extra) => ({ ...extra, currency: 'JPY', maxPrice: '300' }))
    await load({ ...fleet, extras })
    const [extra] = (await siteConfig(operator.database, 'abroad')).extras
    expect(extra).toMatchObject({ currency: 'JPY', price: '50', maxPrice: '300' })
  })

  it('writes the same to a file, which it replaces as a whole', async () => {
    const file = join(directory, 'once.json')
    await writeFile(file, 'what was there before, and longer than what comes'.repeat(50))
    const { out } = await operator.run(...config, '--out', file)
    expect(out).toBe(`Wrote ${file}.\n`)
    expect(await readFile(file, 'utf8')).toBe((await operator.run(...config)).out)
  })

  it('replaces what a link leads to, and nothing but files', async () => {
    const file = join(directory, 'target.json')
    const link = join(directory, 'link.json')
    await writeFile(file, '')
    await symlink(file, link)
    await operator.run(...config, '--out', link)
    expect(await readFile(file, 'utf8')).toBe((await operator.run(...config)).out)
    const socket = join(directory, 'socket')
    const listener = createServer().listen(socket)
    await once(listener, 'listening')
    expect(await operator.run(...config, '--out', socket)).toMatchObject({
      ...{ exitCode: 1, out: '' },
      error: `Can't write ${socket}: it is not a file.\n`,
    })
    listener.close()
  })

  it('refuses an unknown tenant and a file that cannot be written; --watch wants a file', async () => {
    expect(await operator.run('site', 'config', '--tenant', 'nobody')).toMatchObject({
      ...{ exitCode: 1, out: '' },
      error: expect.stringContaining('There is no tenant "nobody"'),
    })
    const nowhere = join(directory, 'nowhere', 'site.json')
    expect(await operator.run(...config, '--out', nowhere)).toMatchObject({
      ...{ exitCode: 1, out: '' },
      error: `Can't write ${nowhere}: there is no such file or directory.\n`,
    })
    expect(await operator.run(...config, '--watch')).toMatchObject({
      ...{ exitCode: 2, out: '' },
      error: expect.stringContaining('--watch needs --out'),
    })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'keeps the file true while the database comes and goes, until %s',
    async (signal) => {
      const slug = signal.toLowerCase()
      const fleet = smallFleet(slug)
      await load(fleet)
      const proxy = await startFaultProxy(upstreamOf(operator.url))
      onTestFinished(() => proxy.stop())
      const file = join(directory, `${slug}.json`)
      const watching = watch(proxiedUrl(operator.url, proxy), slug, file)
      await watching.until(({ extras }) => extras?.[0]?.price === '50.00')
      expect((await stat(file)).mode & 0o777).toBe(0o644)
      const written = await lastAsked()
      await waitFor(async () => (await lastAsked()) > written)
      proxy.down()
      await watching.says('The database is unavailable.')
      await load({ ...fleet, extras: fleet.extras.map((extra) => ({ ...extra, price: '60' })) })
      proxy.heal()
      await watching.until(({ extras }) => extras?.[0]?.price === '60.00')
      await operator.run('tenants', 'set', slug, '--seasons', 'pickup')
      await watching.until(({ seasons }) => seasons === 'pickup')
      expect(await watching.end(signal)).toBe(0)
      // What is true already is not written again.
      expect(watching.written()).toBe(`Wrote ${file}.\n`.repeat(3))
      const left = (await readdir(directory)).filter((name) => name.startsWith(slug))
      expect(left).toEqual([`${slug}.json`])
    },
  )

  it('is ended by a second Ctrl-C when the database keeps it waiting', async () => {
    const proxy = await startFaultProxy(upstreamOf(operator.url))
    onTestFinished(() => proxy.stop())
    const file = join(directory, 'waiting.json')
    const watching = watch(proxiedUrl(operator.url, proxy), 'south', file)
    await watching.until(({ extras }) => extras !== undefined)
    const locker = await operator.database.pool.connect()
    await locker.query('begin; lock table tenants')
    const waiting = `select from pg_locks where not granted and database =
      (select oid from pg_database where datname = current_database())`
    await waitFor(async () => (await locker.query(waiting)).rowCount === 1)
    // It has asked, and never hears the answer.
    proxy.blackhole()
    await locker.query('rollback')
    locker.release()
    expect(await watching.endAtLast('SIGINT')).toBe('SIGINT')
  })
})
