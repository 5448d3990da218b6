import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findRunningEmbedded } from '../../src/embedded/postgres.ts'
import { isServerOf } from '../../src/embedded/postmasterPid.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { installed, remove, startInChild } from './installation.ts'
import { query, serverPid, useEmbedded } from './useEmbedded.ts'

const { directory, usedDirectory, start } = useEmbedded()

let compiled: string
beforeAll(async () => {
  compiled = await installed()
})
afterAll(() => remove(compiled))

describe('the embedded database after a crash', () => {
  it('ends when its parent is killed, takes its socket along, and starts again', async () => {
    const data = await usedDirectory()
    const child = startInChild({ installation: compiled, directory: data })
    onTestFinished(() => child.kill())
    const { url } = await child.started()
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const pid = await serverPid(data)
    await child.kill()
    await waitFor(async () => !(await isServerOf(join(data, 'postgres'), pid)))
    const socketDirectory = new URL(url).searchParams.get('host') ?? ''
    await waitFor(() =>
      readdir(socketDirectory)
        .then(() => false)
        .catch(() => true),
    )

    const postgres = await start(data)
    expect(await query(postgres.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('says so when PostgreSQL itself is killed, and keeps what was committed', async () => {
    const data = await usedDirectory()
    const logged: string[] = []
    const log = (...said: unknown[]) => logged.push(JSON.stringify(said))
    const options = { settings: {} }
    const first = await start(data, { ...options, log })
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    // What was refused is the caller's to know: it may be about a person.
    await expect(query(first.url, "SELECT 'kari@example.com'::int")).rejects.toThrow('kari')
    process.kill(await serverPid(data), 'SIGKILL')
    const ended = await waitFor(() =>
      logged.find((line) => line.includes('the embedded database ended')),
    )
    expect(ended).toContain('ready to accept connections')
    expect(ended).not.toContain('kari')
    expect(await findRunningEmbedded(data)).toBeUndefined()

    const second = await start(data, options)
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('starts although the process id it left behind belongs to another program by now', async () => {
    const [data, elsewhere] = [await usedDirectory(), await usedDirectory()]
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
    expect(await readdir(data)).toEqual(['postgres'])
  })

  it('says what PostgreSQL said when the data is damaged', async () => {
    const data = await usedDirectory()
    await writeFile(join(data, 'postgres', 'global', 'pg_control'), 'damaged')
    await expect(start(data)).rejects.toThrow(/did not start\. Its output:\n(.*\n)*.*pg_control/)
  })

  // What is half made may be whole a moment later.
  it('starts after the very first start was interrupted, which leaves no data', {
    retry: 2,
  }, async () => {
    const data = await directory()
    const child = startInChild({ installation: compiled, directory: data })
    onTestFinished(() => child.kill())
    const halfMade = async () => (await readdir(data)).find((name) => name.includes('.init-'))
    const name = await waitFor(halfMade)
    await child.kill()
    // It is nobody's data: initdb takes its files away.
    await waitFor(async () => (await readdir(join(data, name))).length === 0)

    const postgres = await start(data)
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})
