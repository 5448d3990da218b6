import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunningEmbedded } from '../../src/embedded/postgres.ts'
import { rowsOf } from '../helpers/maintenance.ts'
import { installed, remove } from './installation.ts'
import { serverPid, useEmbedded } from './useEmbedded.ts'

const { directory, usedDirectory, start } = useEmbedded()

let compiled: string
beforeAll(async () => {
  compiled = await installed()
})
afterAll(() => remove(compiled))

describe('the embedded database', () => {
  it('starts PostgreSQL in a missing directory with the settings of production', async () => {
    const postgres = await start(join(await directory(), 'a', 'b'), { settings: {} })
    const text = `SELECT current_setting('fsync') AS fsync, current_setting('TimeZone') AS zone,
      current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS listen,
      lower('ÅSE') AS lower, (SELECT array_agg(DISTINCT auth_method) FROM pg_hba_file_rules
        WHERE type <> 'local') AS "fromElsewhere"`
    const settings = { fsync: 'on', zone: 'UTC', encoding: 'UTF8', listen: '' }
    // The search by name uses lower('ÅSE'). pg_hba.conf rejects TCP clients even if the server listens.
    const expected = [{ ...settings, lower: 'åse', fromElsewhere: ['reject'] }]
    expect(await rowsOf(postgres.url, text)).toEqual(expected)
  })

  it('keeps the data between starts and leaves no other files', async () => {
    const data = await usedDirectory()
    const first = await start(data)
    await rowsOf(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    expect(await readdir(data)).toEqual(['postgres'])
    await expect(readdir(new URL(first.url).searchParams.get('host') ?? '')).rejects.toThrow(
      'ENOENT',
    )

    const second = await start(data)
    expect(await rowsOf(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('rejects a second start in the same directory and names the running process', async () => {
    const data = await usedDirectory()
    await start(data)
    await expect(start(data)).rejects.toThrow(
      new RegExp(`already in use by PostgreSQL process ${await serverPid(data)}.*DATA_DIR`),
    )
  })

  it('starts one of two simultaneous first starts and rejects the other', async () => {
    const data = await directory()
    const outcomes = await Promise.allSettled([start(data), start(data)])
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(rejected.map(({ reason }) => String(reason))).toEqual([
      expect.stringContaining('already in use'),
    ])
  })

  it('reports the database through findRunningEmbedded only while it runs', async () => {
    const data = await usedDirectory()
    expect(await findRunningEmbedded(data)).toBeUndefined()
    const postgres = await start(data)
    const found = await findRunningEmbedded(data)
    expect(found?.url).toBe(postgres.url)
    await found?.stop()
    expect(await rowsOf(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
    expect(await findRunningEmbedded(data)).toBeUndefined()
  })

  it('rejects data of another major version', async () => {
    const data = await directory()
    await mkdir(join(data, 'postgres'))
    await writeFile(join(data, 'postgres', 'PG_VERSION'), '9.6\n')
    await expect(start(data)).rejects.toThrow(
      /was written by PostgreSQL 9\.6, but PostgreSQL \d+ is/,
    )
  })

  it('rejects a directory with files that are not PostgreSQL data', async () => {
    const data = await directory()
    await mkdir(join(data, 'postgres'))
    await writeFile(join(data, 'postgres', 'holiday.jpg'), '')
    await expect(start(data)).rejects.toThrow('contains files that are not PostgreSQL data')
  })
})
