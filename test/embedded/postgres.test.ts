import { execFile } from 'node:child_process'
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningEmbedded,
  startEmbeddedPostgres,
} from '../../src/embedded/postgres.ts'
import { isAlive, readPostmasterPid } from '../../src/embedded/postmasterPid.ts'
import { waitFor } from '../helpers/waitFor.ts'
import {
  compile,
  installWithoutScripts,
  remove,
  startInChild,
  temporaryDirectory,
} from './installation.ts'

// Each start takes well below a second on an idle machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

const goneTimeoutMs = 10_000
const asRoot = process.getuid?.() === 0

let compiled: string
beforeAll(async () => {
  compiled = await compile()
})
afterAll(() => remove(compiled))

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function directory(access: 'open' | 'closed' = 'open'): Promise<string> {
  const made = await temporaryDirectory(access)
  cleanups.push(() => remove(made))
  return made
}

async function start(
  directory: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, durable: false, ...options })
  cleanups.push(() => postgres.stop())
  return postgres
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Of every program that runs: a bare Linux has no `ps`, and macOS no /proc. */
async function commandLines(): Promise<string[]> {
  if (process.platform !== 'linux') {
    return (await promisify(execFile)('ps', ['-axwwo', 'args='])).stdout.split('\n')
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // A program may have ended since the list was made.
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
}

async function serverPid(directory: string): Promise<number> {
  const found = await readPostmasterPid(join(directory, 'postgres'))
  if (!found) throw new Error(`No server runs in ${directory}`)
  return found.pid
}

describe('the embedded database', () => {
  it('starts on a directory that is not there yet and answers by either address', async () => {
    const postgres = await start(join(await directory(), 'a', 'b'), {
      durable: true,
      stateDirectory: await directory(),
    })
    const text = `SELECT current_setting('fsync') AS fsync, current_setting('TimeZone') AS zone,
      current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS listen`
    const expected = [{ fsync: 'on', zone: 'UTC', encoding: 'UTF8', listen: '' }]
    expect(await query(postgres.url, text)).toEqual(expected)

    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    expect((await client.query(text)).rows).toEqual(expected)
    await client.end()
  })

  it('keeps its data from one start to the next, and leaves no socket behind', async () => {
    const data = await directory()
    const temporary = join(await directory(), 'a,b')
    await mkdir(temporary)
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const first = await start(data)
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    await expect(readdir(new URL(first.url).searchParams.get('host') ?? '')).rejects.toThrow(
      'ENOENT',
    )

    const second = await start(data)
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('refuses a second start on the same directory and names the process that is in the way', async () => {
    const data = await directory()
    await start(data)
    await expect(start(data)).rejects.toThrow(
      new RegExp(`already in use by PostgreSQL process ${await serverPid(data)}.*DATA_DIR`),
    )
  })

  it('waits for a server that is about to stop, and begins when that has ended', async () => {
    const data = await directory()
    const first = await start(data)
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.announceStop()
    const logged: string[] = []
    const starting = start(data, { log: (message) => logged.push(message) })
    await waitFor(() => logged.some((message) => message.startsWith('waiting')), goneTimeoutMs)
    expect(await query(first.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await first.stop()
    expect(await query((await starting).url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    expect(await readdir(data)).toEqual(['postgres'])
  })

  it('waits for one that is ending unannounced, as after its parent was killed', async () => {
    const data = await directory()
    const first = await start(data)
    const client = new pg.Client({ connectionString: first.url })
    await client.connect()
    // So it ends, but only when its last client has left.
    process.kill(await serverPid(data), 'SIGTERM')
    const path = join(data, 'postgres')
    await waitFor(async () => (await readPostmasterPid(path))?.status === 'stopping', goneTimeoutMs)
    const logged: string[] = []
    const starting = start(data, { log: (message) => logged.push(message) })
    const outcome = starting.then(
      () => 'started',
      (error: Error) => error.message,
    )
    const waits = () => logged.some((message) => message.startsWith('waiting'))
    await Promise.race([outcome, waitFor(waits, goneTimeoutMs)])
    await client.end()
    expect(await outcome).toBe('started')
  })

  it('does not wait for one that took the place of what was killed while stopping', async () => {
    const data = await directory()
    const child = startInChild({ installation: compiled, directory: data })
    onTestFinished(() => child.kill())
    await child.started()
    await writeFile(join(data, 'postgres.stopping'), '')
    await child.kill()
    await start(data)
    await expect(start(data)).rejects.toThrow('already in use')
  })

  it('lets one of two simultaneous first starts win, and tells the other why it lost', async () => {
    const data = await directory()
    const outcomes = await Promise.allSettled([start(data), start(data)])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.map(({ reason }) => String(reason))).toEqual([
      expect.stringContaining('already in use'),
    ])
  })

  it('is found by another process while it runs, and only then', async () => {
    const data = await directory()
    expect(await findRunningEmbedded(data)).toBeUndefined()
    const postgres = await start(data)
    const found = await findRunningEmbedded(data)
    expect(found?.url).toBe(postgres.url)
    await found?.stop()
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
    expect(await findRunningEmbedded(data)).toBeUndefined()
  })

  it('of one command is not joined by another, which its end would cut off', async () => {
    const data = await directory()
    const brief = await start(data, { brief: true })
    const joining = findRunningEmbedded(data)
    await query(brief.url, 'SELECT 1')
    await brief.stop()
    expect(await joining).toBeUndefined()
  })

  it('that answers its last requests is not joined, either', async () => {
    const data = await directory()
    const ending = await start(data)
    await ending.announceStop()
    const joining = findRunningEmbedded(data)
    await query(ending.url, 'SELECT 1')
    await ending.stop()
    expect(await joining).toBeUndefined()
  })

  it('refuses data of another major version', async () => {
    const data = await directory()
    await mkdir(join(data, 'postgres'))
    await writeFile(join(data, 'postgres', 'PG_VERSION'), '9.6\n')
    await expect(start(data)).rejects.toThrow(
      /was written by PostgreSQL 9\.6, but PostgreSQL \d+ is/,
    )
  })

  it('refuses a directory that holds something else', async () => {
    const data = await directory()
    await mkdir(join(data, 'postgres'))
    await writeFile(join(data, 'postgres', 'holiday.jpg'), '')
    await expect(start(data)).rejects.toThrow('contains files that are not PostgreSQL data')
  })
})

describe('the embedded database after a crash', () => {
  it('ends when its parent is killed, takes its socket along, and starts again', async () => {
    const data = await directory()
    const child = startInChild({ installation: compiled, directory: data })
    onTestFinished(() => child.kill())
    const { url } = await child.started()
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const pid = await serverPid(data)
    await child.kill()
    await waitFor(() => !isAlive(pid), goneTimeoutMs)
    const socketDirectory = new URL(url).searchParams.get('host') ?? ''
    await waitFor(
      () =>
        readdir(socketDirectory)
          .then(() => false)
          .catch(() => true),
      goneTimeoutMs,
    )

    const postgres = await start(data)
    expect(await query(postgres.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('says so when PostgreSQL itself is killed, and keeps what was committed', async () => {
    const data = await directory()
    const logged: string[] = []
    const log = (...said: unknown[]) => logged.push(JSON.stringify(said))
    const options = { durable: true, stateDirectory: await directory() }
    const first = await start(data, { ...options, log })
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    // What was refused is the caller's to know: it may be about a person.
    await expect(query(first.url, "SELECT 'kari@example.com'::int")).rejects.toThrow('kari')
    process.kill(await serverPid(data), 'SIGKILL')
    const ended = await waitFor(
      () => logged.find((line) => line.includes('the embedded database ended')),
      goneTimeoutMs,
    )
    expect(ended).toContain('ready to accept connections')
    expect(ended).not.toContain('kari')
    expect(await findRunningEmbedded(data)).toBeUndefined()

    const second = await start(data, options)
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('starts although the process id it left behind belongs to another program by now', async () => {
    const [data, elsewhere] = [await directory(), await directory()]
    await (await start(data)).stop()
    // A program of the same user: PostgreSQL takes no other for a rival.
    await start(elsewhere)
    const pid = await serverPid(elsewhere)
    const path = join(data, 'postgres', 'postmaster.pid')
    // A rival that has just made the file, and is about to write its own.
    await writeFile(path, '')
    await expect(start(data)).rejects.toThrow('already in use')
    await writeFile(path, `${pid}\n${data}/postgres\n1700000000\n5432\n/tmp\n\n`)
    const postgres = await start(data)
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('says what PostgreSQL said when the data is damaged', async () => {
    const data = await directory()
    await (await start(data)).stop()
    await writeFile(join(data, 'postgres', 'global', 'pg_control'), 'damaged')
    await expect(start(data)).rejects.toThrow(/did not start\. Its output:\n(.*\n)*.*pg_control/)
  })

  it('has its first data on the disk before it is used: a power cut does not undo its making', async () => {
    const data = await directory()
    const isInitdb = (line: string) => line.includes('--pgdata=') && line.includes(basename(data))
    const initdb = async () => (await commandLines()).find(isInitdb)
    const [line] = await Promise.all([
      waitFor(initdb, goneTimeoutMs),
      start(data, { durable: true, stateDirectory: await directory() }),
    ])
    expect(line).not.toContain('--no-sync')
  })

  it('has its place in the directory above on the disk, too, where initdb does not reach', async () => {
    const data = await directory()
    const handle = await open(data)
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
    onTestFinished(() => sync.mockRestore())
    await handle.close()
    await start(data, { durable: true, stateDirectory: await directory() })
    expect(sync).toHaveBeenCalledOnce()
  })

  it('starts after the very first start was interrupted, and clears what that left', async () => {
    const data = await directory()
    const child = startInChild({ installation: compiled, directory: data })
    onTestFinished(() => child.kill())
    const halfMade = async () => (await readdir(data)).find((name) => name.includes('.init-'))
    const name = await waitFor(halfMade, goneTimeoutMs)
    await child.kill()
    expect(await readdir(data)).toEqual([name])

    const postgres = await start(data)
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await readdir(data)).toEqual(['postgres'])
  })
})

describe('the embedded database in a closed directory, installed without scripts', () => {
  let installation: string
  beforeAll(async () => {
    installation = await installWithoutScripts(compiled)
  })
  afterAll(() => remove(installation))

  it('runs in place for an ordinary user, and from a reachable copy for root', async () => {
    const stateDirectory = await directory('open')
    const data = join(installation, 'data')
    const child = startInChild({ installation, directory: data, durable: true, stateDirectory })
    onTestFinished(() => child.kill())

    const { url, logged } = await child.started()
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    const version = await readFile(join(data, 'postgres', 'PG_VERSION'), 'utf8')
    expect(Number(version)).toBeGreaterThan(0)
    await child.end()

    expect(logged.map(({ message }) => message)).toEqual(
      asRoot ? [expect.stringContaining('is elsewhere'), expect.stringContaining('copying')] : [],
    )
    const kept = await readdir(stateDirectory)
    expect(kept.sort()).toEqual(asRoot ? ['data', expect.stringMatching(/^postgres-\d/)] : [])
  })

  it('leaves nothing but data when it is not durable', async () => {
    const stateDirectory = await directory('open')
    const data = await directory('open')
    const child = startInChild({ installation, directory: data, stateDirectory })
    onTestFinished(() => child.kill())
    const { url } = await child.started()
    await child.end()
    await expect(readdir(new URL(url).searchParams.get('host') ?? '')).rejects.toThrow('ENOENT')
    expect(await readdir(stateDirectory)).toEqual([])
    expect(await readdir(data)).toEqual(['postgres'])
  })
})
