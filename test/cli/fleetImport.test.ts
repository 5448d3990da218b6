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
  const { tenant, assetGroups, extras } = smallFleet(slug)
  const [economy, van] = assetGroups
  const asset = (n: number) => ({ ...economy?.assets[0], ref: `V-${n}` })
  const rates = economy?.rates ?? []
  return {
    tenant,
    assetGroups: [
      { ...economy, assets: [1, 2, 3].map(asset), rates },
      { ...van, assets: [asset(4)], rates },
    ],
    extras,
  }
}
beforeEach(() => {
  fleet = fleetWith(`fleet-${slugs++}`)
})

const load = (file: unknown, args: string[] = [], reply?: boolean) =>
  commandLineOn(operator.url)(['fleet', 'import', '-', ...args], {
    stdin: JSON.stringify(file),
    ...(reply !== undefined && { reply }),
  })

/** Returns the fleet with other fields in its groups, one object for each group that stays. */
const withGroups = (...changes: object[]) => ({
  ...fleet,
  assetGroups: changes.map((change, index) => ({ ...fleet.assetGroups[index], ...change })),
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

it('prints full names and the dates of a block in a dry run', async () => {
  await load(fleet)
  const [group, van] = fleet.assetGroups
  const blocks = [{ from: '2038-03-01T07:00:00Z', to: '2038-03-05T15:00:00Z', reason: 'repair' }]
  const assets = group?.assets.map((asset) => ({ ...asset, blocks }))
  const file = { ...fleet, assetGroups: [{ ...group, name: 'Small cars', assets }, van] }
  const run = commandLineOn(operator.url)
  const { out } = await run(['fleet', 'import', '-', '--dry-run'], {
    stdin: JSON.stringify(file),
    columns: 80,
  })
  const name = 'economy / V-1 / 2038-03-01T07:00:00.000Z – 2038-03-05T15:00:00.000Z repair'
  expect(out).toContain(`created   block  ${name}\n`)
  expect(out).toMatch(/^CHANGE +KIND +NAME\n/)
  expect(out).toMatch(
    /\n\nCHANGE +KIND +NAME +FIELD +FROM +TO\nchanged +group +economy +name +Economy +Small cars\n/,
  )
})

describe('import that archives records', () => {
  const noAssets = { assets: [] }
  const noRates = { rates: [] }
  it.each<[string, () => object, string]>([
    ['3 of 4 vehicles', () => withGroups(noAssets, {}), '3 of the 4 vehicles of %s. '],
    [
      'every group',
      () => withGroups(),
      '2 of the 2 groups, 4 of the 4 vehicles, 4 of the 4 rates of %s. ',
    ],
    ['the only extra', () => ({ ...fleet, extras: [] }), '1 of the 1 extras of %s. '],
    [
      'every rate',
      () => withGroups(noRates, noRates),
      '4 of the 4 rates of %s. No rates would be left in economy, van. ',
    ],
    ['every rate of a group', () => withGroups({}, noRates), 'No rates would be left in van. '],
  ])('requires --yes to archive %s and otherwise changes nothing', async (_, file, warning) => {
    await load(fleet)
    const { exitCode, error, out } = await load(file())
    const left = warning.replace('%s', `"${fleet.tenant.slug}" are not in the file`)
    const advice =
      'Nothing was changed. To import it nevertheless, run the command again with --yes.\n'
    expect([exitCode, out, error]).toEqual([1, '', left + advice])
    expect((await load(fleet)).out).toContain('Created 0, updated 0, archived 0.')
    expect((await load(file(), ['--yes'])).exitCode).toBe(0)
  })

  it('archives half of each list without --yes', async () => {
    await load(fleet)
    expect((await load(withGroups({}))).out).toMatch(/Created 0, updated 0, archived [1-9]/)
  })

  it('prompts on a terminal and archives only when the operator confirms', async () => {
    await load(fleet)
    expect((await load(withGroups(noAssets, {}), [], false)).exitCode).toBe(1)
    const { exitCode, out } = await load(withGroups(noAssets, {}), [], true)
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/archived [1-9]/)])
  })
})
