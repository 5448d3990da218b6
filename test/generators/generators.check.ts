import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { demoKey } from '../helpers/demoKey.ts'
import { runGuide, runGuideCommands } from '../helpers/guidePrograms.ts'
import { startLosingProxy } from '../helpers/losingProxy.ts'
import { generate, needGenerator, needProgram } from './generate.ts'
import { programs } from './programs.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const server = useTestApp()
let folder: string
let later: Awaited<ReturnType<typeof startLosingProxy>>
let address: string
let key: string

beforeAll(async () => {
  await needGenerator()
  folder = await mkdtemp(join(tmpdir(), 'generated-'))
  key = await demoKey(server.deps)
  address = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  later = await startLosingProxy(address, grown)
}, 300_000)
afterAll(async () => {
  await later.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Adds a field to each object of a response, as a later release may. */
function grown(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(grown)
  if (typeof json !== 'object' || json === null) return json
  const fields = Object.entries(json).map(([name, value]) => [name, grown(value)])
  return { ...Object.fromEntries(fields), addedLater: { since: '1.9' } }
}

const environment = () => ({ ...process.env, ADDRESS: later.address, KEY: key })
const minutes = 180_000

describe('openapi-generator', () => {
  it.each(['java', 'python', 'php', 'go', 'typescript-fetch'])(
    'generates a client in %s without a warning about the OpenAPI document',
    async (language) => expect(await generate(language, join(folder, language))).toEqual([]),
    minutes,
  )

  it.each(programs)(
    'generates a client in $language that books, polls and reads an error, also of a later release',
    async ({ language, needs, file, program, command }) => {
      for (const [name, ...words] of needs) await needProgram(name, ...words)
      const cwd = join(folder, language)
      await mkdir(dirname(join(cwd, file)), { recursive: true })
      await writeFile(join(cwd, file), program)
      const { stdout } = await run('sh', ['-c', command], { cwd, env: environment() }).catch(
        ({ stdout, stderr }) => {
          throw new Error(stdout + stderr)
        },
      )
      expect(stdout).toBe('pending\nQUOTE_NOT_FOUND\n')
    },
    minutes,
  )
})

describe('the documented booking steps', () => {
  it(
    'passes the steps of public/arazzo.yaml in Redocly',
    async () => {
      const redocly = join(root, 'node_modules/.bin/redocly')
      // Both are served in one directory, but are in two in the repository.
      for (const path of ['public/arazzo.yaml', 'openapi.yaml'])
        await copyFile(join(root, path), join(folder, basename(path)))
      const words = ['respect', 'arazzo.yaml', '-i', `apiKey=${key}`, '-S', `api=${address}/api/v1`]
      const { stdout, stderr } = await run(redocly, words, { cwd: folder }).catch((error) => {
        throw new Error(error.stdout + error.stderr)
      })
      expect(stdout + stderr).toMatch(/1 passed, 1 total/)
    },
    minutes,
  )

  it(
    'books with the curl, Python and PHP programs of docs/integrate.md',
    async () => {
      await needProgram('curl', '--version')
      await needProgram('php', '-v')
      const responses = await runGuideCommands({ address, key })
      expect(responses.at(-1)).toMatchObject({ data: { status: 'pending' } })
      for (const language of ['python', 'php'] as const) {
        expect(await runGuide(language, { address, key })).toMatch(/\npending\n$/)
      }
    },
    minutes,
  )
})
