import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { smallFleet } from '../helpers/fleet.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
let slugs = 0
let fleet: ReturnType<typeof fleetWith>

const fleetWith = (slug: string) => {
  const file = smallFleet()
  const [group] = file.assetGroups
  const asset = (n: number) => ({ ...group?.assets[0], ref: `V-${n}` })
  const assetGroups = [{ ...group, assets: [1, 2, 3].map(asset) }]
  return { ...file, tenant: { ...file.tenant, slug }, assetGroups }
}
beforeEach(() => {
  fleet = fleetWith(`fleet-${slugs++}`)
})

const load = (file: unknown, args: string[] = [], reply?: boolean) =>
  commandLineOn(operator.url)(['fleet', 'import', '-', ...args], {
    stdin: Buffer.isBuffer(file) ? file : JSON.stringify(file),
    ...(reply !== undefined && { reply }),
  })
const without = (count: number) => ({
  ...fleet,
  assetGroups: fleet.assetGroups.map((group) => ({ ...group, assets: group.assets.slice(count) })),
})

describe('fleet file', () => {
  it('rejects a file that is not UTF-8 and names the line of the first invalid byte', async () => {
    const json = JSON.stringify(fleet, null, 1).replace(
      '"assetGroups"',
      '"æ": "Å-bil",\n"assetGroups"',
    )
    const latin = Buffer.from(json.replace('Å-bil', '@-bil'))
    latin[latin.indexOf('@-bil')] = 0xc5
    const line = json.slice(0, json.indexOf('Å')).split('\n').length
    const { exitCode, error } = await load(latin)
    expect([exitCode, error]).toEqual([
      1,
      'The fleet file is invalid. Nothing was changed.\n' +
        `  the file: is not UTF-8 in line ${line}. Save the file as UTF-8; in Excel: File, Save As, "CSV UTF-8 (Comma delimited)"\n`,
    ])
  })

  it.each([
    ['a missing file', 'none.json', 'there is no such file or directory'],
    ['a directory', '.', 'it is a directory'],
  ])('explains the failure to read %s', async (_, name, reason) => {
    const directory = await mkdtemp(join(tmpdir(), 'fleet-'))
    const path = join(directory, name)
    const { exitCode, error } = await operator.run('fleet', 'import', path)
    await rm(directory, { recursive: true })
    expect([exitCode, error]).toEqual([1, `Can't read ${path}: ${reason}.\n`])
  })
})

it('prints full names and the dates of a block in a dry run', async () => {
  await load(fleet)
  const [group] = fleet.assetGroups
  const blocks = [{ from: '2038-03-01T07:00:00Z', to: '2038-03-05T15:00:00Z', reason: 'repair' }]
  const assets = group?.assets.map((asset) => ({ ...asset, blocks }))
  const file = { ...fleet, assetGroups: [{ ...group, name: 'Small cars', assets }] }
  const run = commandLineOn(operator.url)
  const { out } = await run(['fleet', 'import', '-', '--dry-run'], {
    ...{ stdin: JSON.stringify(file), columns: 80 },
  })
  const name = 'economy / V-1 / 2038-03-01T07:00:00.000Z – 2038-03-05T15:00:00.000Z repair'
  expect(out).toContain(`created   block  ${name}\n`)
  expect(out).toMatch(/^CHANGE +KIND +NAME\n/)
  expect(out).toMatch(
    /\n\nCHANGE +KIND +NAME +FIELD +FROM +TO\nchanged +group +economy +name +Economy +Small cars\n/,
  )
})

describe('import that archives records', () => {
  const [_half, more] = [2, 3]

  it.each([
    ['more than half', () => without(more), '3 of the 4'],
    ['everything', () => ({ ...fleet, assetGroups: [] }), '4 of the 4'],
  ])('requires --yes to archive %s and otherwise changes nothing', async (_, file, many) => {
    await load(fleet)
    const { exitCode, error, out } = await load(file())
    expect([exitCode, out, error]).toEqual([
      1,
      '',
      `${many} groups and vehicles of "${fleet.tenant.slug}" are not in the file. ` +
        'Nothing was changed. To archive them, run the command again with --yes.\n',
    ])
    expect((await load(fleet)).out).toContain('Created 0, updated 0, archived 0.')
    expect((await load(file(), ['--yes'])).exitCode).toBe(0)
  })

  it('prompts on a terminal and archives only when the operator confirms', async () => {
    await load(fleet)
    expect((await load(without(more), [], false)).exitCode).toBe(1)
    const { exitCode, out } = await load(without(more), [], true)
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/archived [1-9]/)])
  })
})
