import { access } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSupervised } from '../../src/embedded/supervisedProcess.ts'
import { remove, temporaryDirectory } from './installation.ts'

const patienceMs = 30_000

/** Like PostgreSQL, it ends on SIGINT and has other uses for the others. It says who started it. */
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

describe('what guards a program', () => {
  // A terminal that is closed, a supervisor that ends a unit: both mean every process of it.
  it.each(['SIGHUP', 'SIGTERM'])(
    'outlives a %s to all of the group, and does its work at the end',
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

  it('clears up when Ctrl-C ended the program', async () => {
    const { server, guard, isThere } = await startGuarded()
    process.kill(-guard, 'SIGINT')
    await server.exited
    expect(await isThere()).toBe(false)
  })
})
