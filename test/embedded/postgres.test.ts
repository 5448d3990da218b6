import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findRunningEmbedded, joinOrStartEmbedded } from '../../src/embedded/postgres.ts'
import { readPostmasterPid } from '../../src/embedded/postmasterPid.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { installed, remove, startInChild } from './installation.ts'
import { query, serverPid, useEmbedded } from './useEmbedded.ts'

const { directory, usedDirectory, start } = useEmbedded()

let compiled: string
beforeAll(async () => {
  compiled = await installed()
})
afterAll(() => remove(compiled))

describe('the embedded database', () => {
  it('starts on a directory that is not there yet and answers by either address', async () => {
    const postgres = await start(join(await directory(), 'a', 'b'), { settings: {} })
    const text = `SELECT current_setting('fsync') AS fsync, current_setting('TimeZone') AS zone,
      current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS listen,
      lower('ÅSE') AS lower, (SELECT array_agg(DISTINCT auth_method) FROM pg_hba_file_rules
        WHERE type <> 'local') AS "fromElsewhere"`
    const settings = { fsync: 'on', zone: 'UTC', encoding: 'UTF8', listen: '' }
    // Staff find "Åse" as "ÅSE", and whoever made the server listen would still be let in by nobody.
    const expected = [{ ...settings, lower: 'åse', fromElsewhere: ['reject'] }]
    expect(await query(postgres.url, text)).toEqual(expected)

    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    expect((await client.query(text)).rows).toEqual(expected)
    await client.end()
  })

  it('keeps its data from one start to the next, and leaves nothing else behind', async () => {
    const data = await usedDirectory()
    const temporary = join(await directory(), 'a,b')
    await mkdir(temporary)
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const first = await start(data)
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.announceStop()
    await first.stop()
    expect(await readdir(data)).toEqual(['postgres'])
    await expect(readdir(new URL(first.url).searchParams.get('host') ?? '')).rejects.toThrow(
      'ENOENT',
    )

    const second = await start(data)
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('refuses a second start on the same directory and names the process that is in the way', async () => {
    const data = await usedDirectory()
    await start(data)
    await expect(start(data)).rejects.toThrow(
      new RegExp(`already in use by PostgreSQL process ${await serverPid(data)}.*DATA_DIR`),
    )
  })

  it('waits for a server that is about to stop, and begins when that has ended', async () => {
    const data = await usedDirectory()
    const first = await start(data)
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.announceStop()
    const logged: string[] = []
    const starting = start(data, { log: (message) => logged.push(message) })
    await waitFor(() => logged.some((message) => message.startsWith('waiting')))
    expect(await query(first.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await first.stop()
    expect(await query((await starting).url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    expect(await readdir(data)).toEqual(['postgres'])
  })

  it('waits for one that is ending unannounced, as after its parent was killed', async () => {
    const data = await usedDirectory()
    const first = await start(data)
    const client = new pg.Client({ connectionString: first.url })
    await client.connect()
    // So it ends, but only when its last client has left.
    process.kill(await serverPid(data), 'SIGTERM')
    const path = join(data, 'postgres')
    await waitFor(async () => (await readPostmasterPid(path))?.status === 'stopping')
    const logged: string[] = []
    const starting = start(data, { log: (message) => logged.push(message) })
    const outcome = starting.then(
      () => 'started',
      (error: Error) => error.message,
    )
    const waits = () => logged.some((message) => message.startsWith('waiting'))
    await Promise.race([outcome, waitFor(waits)])
    await client.end()
    expect(await outcome).toBe('started')
  })

  it('does not wait for one that took the place of what was killed while stopping', async () => {
    const data = await usedDirectory()
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
    const data = await usedDirectory()
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
    const data = await usedDirectory()
    const brief = await joinOrStartEmbedded(data)
    onTestFinished(brief.stop)
    const joining = findRunningEmbedded(data)
    await query(brief.url, 'SELECT 1')
    await brief.stop()
    expect(await joining).toBeUndefined()
  })

  it('that answers its last requests is not joined, either', async () => {
    const data = await usedDirectory()
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
