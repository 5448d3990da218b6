import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/config/environment.ts'
import { loadSessionSecrets } from '../../src/config/sessionSecrets.ts'
import { remove, temporaryDirectory } from '../embedded/installation.ts'

let parent: string
let dataDir: string
beforeEach(async () => {
  parent = await temporaryDirectory('open')
  dataDir = join(parent, 'data')
})
afterEach(() => remove(parent))

describe('generated session secret', () => {
  it('returns the same secret after a restart', async () => {
    const [first = '', ...more] = await loadSessionSecrets([], dataDir)
    // 32 bytes in base64url.
    expect(first).toMatch(/^[\w-]{43}$/)
    expect(more).toEqual([])
    for (const _ of [1, 2]) expect(await loadSessionSecrets([], dataDir)).toEqual([first])
  })

  it('returns one secret to concurrent starts and leaves one file', async () => {
    const starts = Array.from({ length: 30 }, () => loadSessionSecrets([], dataDir))
    const secrets = new Set((await Promise.all(starts)).flat())
    expect([...secrets]).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(await readdir(dataDir)).toEqual(['session-secret'])
  })

  it.each([
    ['shorter than 32 bytes', (path: string) => writeFile(path, `${'s'.repeat(31)}\n`)],
    ['empty', (path: string) => writeFile(path, '')],
    ['a directory', (path: string) => mkdir(path)],
  ])('rejects the secret file and names it when the file is %s', async (_, spoil) => {
    await mkdir(dataDir)
    const path = join(dataDir, 'session-secret')
    await spoil(path)
    const rejected = loadSessionSecrets([], dataDir)
    await expect(rejected).rejects.toBeInstanceOf(ConfigError)
    await expect(rejected).rejects.toThrow(path)
  })

  it('names DATA_DIR in the error when DATA_DIR is a file', async () => {
    await writeFile(dataDir, '')
    await expect(loadSessionSecrets([], dataDir)).rejects.toThrow(
      /can't be used: part of the path is a file\. .*DATA_DIR to another directory\.$/,
    )
  })

  it('creates no secret when the environment has secrets', async () => {
    for (const configured of [['a'.repeat(32)], ['a'.repeat(32), 'b'.repeat(32)]])
      expect(await loadSessionSecrets(configured, parent)).toEqual(configured)
    expect(await readdir(parent)).toEqual([])
  })
})
