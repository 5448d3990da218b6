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

const load = (file: unknown, args: string[] = [], answer?: boolean) =>
  commandLineOn(operator.url)(['fleet', 'import', '-', ...args], {
    stdin: Buffer.isBuffer(file) ? file : JSON.stringify(file),
    ...(answer !== undefined && { answer }),
  })
const without = (count: number) => ({
  ...fleet,
  assetGroups: fleet.assetGroups.map((group) => ({ ...group, assets: group.assets.slice(count) })),
})

describe('a fleet file', () => {
  it('that is not UTF-8 is refused with the line of the first such byte', async () => {
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
        `  $: is not UTF-8 in line ${line}. Save the file as UTF-8\n`,
    ])
  })

  it('may hold U+FFFD where it is meant', async () => {
    const [group] = fleet.assetGroups
    const named = { ...fleet, assetGroups: [{ ...group, name: 'a \ufffd b' }] }
    expect((await load(named)).exitCode).toBe(0)
  })

  it.each([
    ['no such file', 'none.json', 'there is no such file or directory'],
    ['a directory', '.', 'it is a directory'],
  ])('that is %s is told in words', async (_, name, reason) => {
    const directory = await mkdtemp(join(tmpdir(), 'fleet-'))
    const path = join(directory, name)
    const { exitCode, error } = await operator.run('fleet', 'import', path)
    await rm(directory, { recursive: true })
    expect([exitCode, error]).toEqual([1, `Can't read ${path}: ${reason}.\n`])
  })

  it('with more mistakes than anybody reads is told the first thousand, and how many more', async () => {
    const { error } = await load({ ...fleet, assetGroups: Array(1_500).fill({}) })
    expect(error.split('\n').filter((line) => line.startsWith('  assetGroups'))).toHaveLength(1_000)
    expect(error).toMatch(/\n {2}and [\d,]+ more\n$/)
  })

  it('may spell its time zone in any case', async () => {
    const { slug } = fleet.tenant
    await load({ ...fleet, tenant: { ...fleet.tenant, timezone: 'europe/OSLO' } })
    const tenants: { slug: string; timezone: string }[] = await operator.json('tenants', 'list')
    expect(tenants.find((tenant) => tenant.slug === slug)?.timezone).toBe('Europe/Oslo')
    expect((await load(fleet)).out).toContain('Created 0, updated 0, archived 0.')
  })
})

it('a dry run names what comes and goes in full, a block with its dates', async () => {
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

describe('an import that archives', () => {
  const [half, more] = [2, 3]

  it('half of the fleet goes on, and so does a first import of nothing', async () => {
    expect((await load({ ...fleet, assetGroups: [] })).exitCode).toBe(0)
    const { out } = await load(fleet)
    expect(out).toContain(': 1 group, 3 vehicles, 1 extra.\n')
    expect((await load(without(half))).out).toMatch(/archived [1-9]/)
  })

  it.each([
    ['more than half', () => without(more), '3 of the 4'],
    ['everything', () => ({ ...fleet, assetGroups: [] }), '4 of the 4'],
  ])('%s is refused without --yes, and changes nothing', async (_, file, many) => {
    await load(fleet)
    const { exitCode, error, out } = await load(file())
    expect([exitCode, out, error]).toEqual([
      1,
      '',
      `${many} groups and vehicles of "${fleet.tenant.slug}" are not in the file. ` +
        'Nothing was changed. If that is meant, repeat it with --yes.\n',
    ])
    expect((await load(fleet)).out).toContain('Created 0, updated 0, archived 0.')
    expect((await load(file(), ['--yes'])).exitCode).toBe(0)
  })

  it('more than half of what is still in service is refused, too', async () => {
    await load(fleet)
    await load(without(half))
    expect((await load({ ...fleet, assetGroups: [] })).error).toMatch(/^2 of the 2 groups/)
    const { changes } = JSON.parse((await load(fleet, ['--dry-run', '--json'])).out)
    expect(changes).toContainEqual(expect.objectContaining({ change: 'restored', kind: 'vehicle' }))
  })

  it('more than half is told by --dry-run, too', async () => {
    await load(fleet)
    const dry = await load(without(more), ['--dry-run'])
    expect([dry.exitCode, dry.out]).toEqual([
      0,
      expect.stringMatching(
        /Nothing was changed\.\n3 of the 4 .+ The import will require --yes\.\n$/,
      ),
    ])
    const [much, little] = [without(more), without(half)]
    const asJson = async (file: object) =>
      JSON.parse((await load(file, ['--dry-run', '--json'])).out)
    expect(await asJson(much)).toMatchObject({ needsYes: true })
    expect(await asJson(little)).toMatchObject({ needsYes: false })
  })

  it('asks a person who is there, and does as they say', async () => {
    await load(fleet)
    expect((await load(without(more), [], false)).exitCode).toBe(1)
    const { exitCode, out } = await load(without(more), [], true)
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/archived [1-9]/)])
  })
})
