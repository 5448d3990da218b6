import { access } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSupervised } from '../../src/embedded/supervisedProcess.ts'
import { remove, temporaryDirectory } from './installation.ts'

const patienceMs = 30_000

/** Like PostgreSQL, exits on SIGINT and handles the other signals. */
const guarded = `
  for (const name of ['SIGHUP', 'SIGTERM']) process.on(name, () => console.log('received', name))
  process.on('SIGINT', () => process.exit(0))
  console.log('ready, child of', process.ppid)
  setInterval(() => {}, 60_000)`

async function startGuarded() {
  const directory = await temporaryDirectory('closed')
  const server = startSupervised({
    command: process.execPath,
    args: ['-e', guarded],
    env: { PATH: process.env['PATH'] ?? '' },
    removeOnExit: [directory],
  })
  onTestFinished(async () => {
    await server.stop()
    await remove(directory)
  })
  await server.line(/ready/, patienceMs)
  const [, guard = ''] = /child of (\d+)/.exec(server.recentLines().join('\n')) ?? []
  const directoryExists = () =>
    access(directory).then(
      () => true,
      () => false,
    )
  return { server, guard: Number(guard), directoryExists }
}

describe('the supervisor process', () => {
  // A closed terminal and a stopping unit signal the whole process group.
  it.each(['SIGHUP', 'SIGTERM'])(
    'keeps running after a %s to the process group and cleans up when the program exits',
    async (signal) => {
      const { server, guard, directoryExists } = await startGuarded()
      const received = server.line(new RegExp(`received ${signal}`), patienceMs)
      process.kill(-guard, signal)
      await received
      expect(await directoryExists()).toBe(true)
      await server.stop()
      expect(await server.exited).toBe(0)
      expect(await directoryExists()).toBe(false)
    },
  )

  it('cleans up when Ctrl-C ends the program', async () => {
    const { server, guard, directoryExists } = await startGuarded()
    process.kill(-guard, 'SIGINT')
    await server.exited
    expect(await directoryExists()).toBe(false)
  })
})
