import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunningEmbedded } from '../../src/embedded/postgres.ts'
import { type FirstRunServer, startFirstRun, stopFirstRun } from '../helpers/firstRun.ts'
import { remove, temporaryDirectory } from './installation.ts'

let parent: string
let dataDir: string
let server: FirstRunServer

beforeAll(async () => {
  parent = await temporaryDirectory('open')
  dataDir = join(parent, 'data')
})
afterAll(() => remove(parent))

function useServer(): void {
  beforeAll(async () => {
    server = await startFirstRun(dataDir)
  })
  afterAll(() => stopFirstRun(server))
}

async function databaseOfServer(): Promise<string> {
  const running = await findRunningEmbedded(dataDir)
  if (running === undefined) throw new Error(`No database runs in ${dataDir}`)
  return running.url
}

const permissionsOf = async (path: string) => `0${((await stat(path)).mode & 0o777).toString(8)}`

describe('the embedded database of npm start', () => {
  useServer()

  it('restricts database files and secrets to their owner', async () => {
    const { port, searchParams } = new URL(await databaseOfServer())
    const host = searchParams.get('host') ?? ''
    const permissions = async (paths: readonly string[]) =>
      Object.fromEntries(
        await Promise.all(
          paths.map(async (path) => [path, await permissionsOf(join(dataDir, path))]),
        ),
      )
    expect(await permissions(['session-secret', 'demo.json', 'postgres'])).toEqual({
      'session-secret': '0600',
      'demo.json': '0600',
      postgres: '0700',
    })
    expect([
      await permissionsOf(host),
      await permissionsOf(join(host, `.s.PGSQL.${port}`)),
    ]).toEqual(['0700', '0700'])
    // Another user with write access could replace the secrets.
    expect((await stat(dataDir)).mode & 0o022).toBe(0)
    for (const name of await readdir(dataDir)) {
      const entry = await lstat(join(dataDir, name))
      if (entry.isFile()) expect([name, entry.mode & 0o077]).toEqual([name, 0])
    }
  })
})
