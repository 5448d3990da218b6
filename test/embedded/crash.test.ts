import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findRunningEmbedded } from '../../src/embedded/postgres.ts'
import { isServerOf } from '../../src/embedded/postmasterPid.ts'
import { compiledServer } from '../helpers/compiledServer.ts'
import { startFirstRun } from '../helpers/firstRun.ts'
import { rowsOf } from '../helpers/maintenance.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { installed, remove, startInChild } from './installation.ts'
import { serverPid, useEmbedded } from './useEmbedded.ts'

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
    await rowsOf(url, 'CREATE TABLE kept AS SELECT 42 AS answer')
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
    expect(await rowsOf(postgres.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('reports the end of PostgreSQL when it is killed, and keeps committed data', async () => {
    const data = await usedDirectory()
    let lost: Error | undefined
    const onLost = (error: Error) => {
      lost = error
    }
    const options = { settings: {} }
    const first = await start(data, { ...options, onLost })
    await rowsOf(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    // The log must not contain error details: they may contain personal data.
    await expect(rowsOf(first.url, "SELECT 'kari@example.com'::int")).rejects.toThrow('kari')
    process.kill(await serverPid(data), 'SIGKILL')
    const { message } = await waitFor(() => lost)
    expect(message).toMatch(/stopped unexpectedly \(exit code 137\).*ready to accept/s)
    expect(message).not.toContain('kari')
    expect(await findRunningEmbedded(data)).toBeUndefined()

    const second = await start(data, options)
    expect(await rowsOf(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('ends the server and commands with exit code 1 when PostgreSQL is killed', async () => {
    const data = await usedDirectory()
    const server = await startFirstRun(data)
    onTestFinished(() => void server.child.kill('SIGKILL'))
    const command = ['bookings', 'watch', '--tenant', 'fjord-cars']
    const watch = await startFirstRun(data, {
      command: [process.execPath, join(dirname(await compiledServer()), 'cli.js'), ...command],
      until: 'Watching',
    })
    onTestFinished(() => void watch.child.kill('SIGKILL'))
    const pid = await serverPid(data)
    process.kill(pid, 'SIGKILL')
    await waitFor(() => server.child.exitCode !== null && watch.child.exitCode !== null)
    expect([server.child.exitCode, watch.child.exitCode]).toEqual([1, 1])
    expect(server.output()).toMatch(/"level":60.*"message":"The embedded database stopped/)
    expect(watch.output()).toContain(`(process ${pid}) has ended.\n`)
  })

  it('reports the PostgreSQL output when the data is damaged', async () => {
    const data = await usedDirectory()
    await writeFile(join(data, 'postgres', 'global', 'pg_control'), 'damaged')
    await expect(start(data)).rejects.toThrow(/did not start\. Its output:\n(.*\n)*.*pg_control/)
  })
})
