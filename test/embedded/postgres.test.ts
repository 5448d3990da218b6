import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findRunningEmbedded } from '../../src/embedded/postgres.ts'
import { installed, remove } from './installation.ts'
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
