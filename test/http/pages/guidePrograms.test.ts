import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../../helpers/app.ts'
import { demoKey } from '../../helpers/demoKey.ts'
import { runGuide, runGuideCommands } from '../../helpers/guidePrograms.ts'
import { snippetsOf } from '../../helpers/snippets.ts'

const server = useTestApp()
let key: string
beforeAll(async () => {
  key = await demoKey(server.deps)
})
const at = () => ({
  address: `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`,
  key,
})
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0
/** `npm run test:generators` needs both languages, and fails without them. */
const languages = (['python', 'php'] as const).filter((language) =>
  isInstalled(language.replace('python', 'python3')),
)

const notCompared = ['breakdown', 'imageUrl', 'soldOut']

/** Returns the names of all fields of a value, without those of a breakdown or sold-out period. */
const fieldsOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(fieldsOf)
  if (typeof value !== 'object' || value === null) return typeof value
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    inner === null || notCompared.includes(name) ? 'any' : fieldsOf(inner),
  ])
  return Object.fromEntries(fields)
}

describe('programs of the guide', () => {
  it('books with the curl commands, whose responses have the fields shown', async () => {
    const responses = await runGuideCommands(at())
    expect(responses.at(-1)).toMatchObject({ data: { status: 'pending' } })
    const shown = (await snippetsOf('docs/integrate.md', 'json')).map((text) => JSON.parse(text))
    expect(responses.slice(0, shown.length).map(fieldsOf)).toEqual(shown.map(fieldsOf))
  })

  it.each(languages)('books with the %s program', async (language) => {
    expect(await runGuide(language, at())).toMatch(
      /^.+: .+\n\d+ available\n\d+\.\d\d NOK\n[\da-f-]{36}\npending\n$/,
    )
  })

  it.each(languages)(
    'prints the message of the API in %s when a request fails',
    async (language) => {
      const failing = runGuide(language, { ...at(), key: 'pk_live_cut' })
      const output = await failing.catch(({ stdout, stderr }) => stdout + stderr)
      expect(output).toContain('This API key is cut off or mistyped')
    },
  )
})
