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

describe('the session secret that a server makes itself', () => {
  it('is the same after a restart, so that visitors keep their sessions', async () => {
    const [first = '', ...more] = await loadSessionSecrets([], dataDir)
    // 32 bytes in base64url.
    expect(first).toMatch(/^[\w-]{43}$/)
    expect(more).toEqual([])
    for (const _ of [1, 2]) expect(await loadSessionSecrets([], dataDir)).toEqual([first])
  })

  it('is the same for servers that start at once, and all that is left', async () => {
    const starts = Array.from({ length: 30 }, () => loadSessionSecrets([], dataDir))
    const secrets = new Set((await Promise.all(starts)).flat())
    expect([...secrets]).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(await readdir(dataDir)).toEqual(['session-secret'])
  })

  it.each([
    ['shorter than 32 bytes', (path: string) => writeFile(path, `${'s'.repeat(31)}\n`)],
    ['empty', (path: string) => writeFile(path, '')],
    ['no file', (path: string) => mkdir(path)],
  ])('is refused by the name of its file when it is %s', async (_, spoil) => {
    await mkdir(dataDir)
    const path = join(dataDir, 'session-secret')
    await spoil(path)
    const refused = loadSessionSecrets([], dataDir)
    await expect(refused).rejects.toBeInstanceOf(ConfigError)
    await expect(refused).rejects.toThrow(path)
  })

  it('is refused in words, naming the variable, where DATA_DIR is a file', async () => {
    await writeFile(dataDir, '')
    await expect(loadSessionSecrets([], dataDir)).rejects.toThrow(
      /can't be used: part of the path is a file\. .*DATA_DIR to another directory\.$/,
    )
  })

  it('is not made where the environment has some', async () => {
    for (const configured of [['a'.repeat(32)], ['a'.repeat(32), 'b'.repeat(32)]])
      expect(await loadSessionSecrets(configured, parent)).toEqual(configured)
    expect(await readdir(parent)).toEqual([])
  })
})
