import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findRunningEmbedded } from '../../src/embedded/postgres.ts'
import { isServerOf } from '../../src/embedded/postmasterPid.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { installed, remove, startInChild } from './installation.ts'
import { query, serverPid, useEmbedded } from './useEmbedded.ts'

const { usedDirectory, start } = useEmbedded()

let compiled: string
beforeAll(async () => {
  compiled = await installed()
})
afterAll(() => remove(compiled))

describe('the embedded database after a crash', () => {
  it('stops PostgreSQL and removes the socket when the parent process is killed, then starts again', async () => {
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

  it('logs the end of PostgreSQL when it is killed, and keeps committed data', async () => {
    const data = await usedDirectory()
    const logged: string[] = []
    const log = (...args: unknown[]) => logged.push(JSON.stringify(args))
    const options = { settings: {} }
    const first = await start(data, { ...options, log })
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    // The log must not contain error details: they may contain personal data.
    await expect(query(first.url, "SELECT 'kari@example.com'::int")).rejects.toThrow('kari')
    process.kill(await serverPid(data), 'SIGKILL')
    const ended = await waitFor(() =>
      logged.find((line) => line.includes('the embedded database stopped unexpectedly')),
    )
    expect(ended).toContain('ready to accept connections')
    expect(ended).not.toContain('kari')
    expect(await findRunningEmbedded(data)).toBeUndefined()

    const second = await start(data, options)
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('reports the PostgreSQL output when the data is damaged', async () => {
    const data = await usedDirectory()
    await writeFile(join(data, 'postgres', 'global', 'pg_control'), 'damaged')
    await expect(start(data)).rejects.toThrow(/did not start\. Its output:\n(.*\n)*.*pg_control/)
  })
})
