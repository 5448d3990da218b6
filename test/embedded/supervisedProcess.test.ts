import { access } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSupervised } from '../../src/embedded/supervisedProcess.ts'
import { remove, temporaryDirectory } from './installation.ts'

const patienceMs = 30_000

/** Like PostgreSQL, exits on SIGINT and handles the other signals. */
const guarded = `
  for (const name of ['SIGHUP', 'SIGTERM']) process.on(name, () => console.log('heard', name))
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
  const isThere = () =>
    access(directory).then(
      () => true,
      () => false,
    )
  return { server, guard: Number(guard), isThere }
}

describe('the supervisor process', () => {
  // A closed terminal and a stopping unit signal the whole process group.
  it.each(['SIGHUP', 'SIGTERM'])(
    'keeps running after a %s to the process group and cleans up when the program exits',
    async (signal) => {
      const { server, guard, isThere } = await startGuarded()
      const heard = server.line(new RegExp(`heard ${signal}`), patienceMs)
      process.kill(-guard, signal)
      await heard
      expect(await isThere()).toBe(true)
      await server.stop()
      expect(await server.exited).toBe(0)
      expect(await isThere()).toBe(false)
    },
  )

  it('cleans up when Ctrl-C ends the program', async () => {
    const { server, guard, isThere } = await startGuarded()
    process.kill(-guard, 'SIGINT')
    await server.exited
    expect(await isThere()).toBe(false)
  })
})
