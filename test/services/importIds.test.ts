import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { useImports } from './useImports.ts'

const test = useImports()
const { load, rows } = test

/** Returns the problems with which an import of `file` is rejected. */
async function problemsOf(file: unknown) {
  const error = await load(file).catch((caught: unknown) => caught)
  if (!(error instanceof FleetFileError)) throw new Error(`Not refused: ${JSON.stringify(error)}`)
  return error.problems
}

/** Returns a fleet with ids on its first group, that group's first rate, and its extra. */
function fleetWithIds(ids: { group?: string; rate?: string; extra?: string }, slug?: string) {
  const { tenant, assetGroups, extras } = smallFleet(slug)
  const [economy, van] = assetGroups
  const [standard, summer] = economy?.rates ?? []
  return {
    tenant,
    assetGroups: [
      { ...economy, id: ids.group, rates: [{ ...standard, id: ids.rate }, summer] },
      van,
    ],
    extras: extras.map((extra) => ({ ...extra, id: ids.extra })),
  }
}

describe('ids in a fleet file', () => {
  const ids = { group: randomUUID(), rate: randomUUID(), extra: randomUUID() }

  it('uses the ids of the file for new rows in either letter case', async () => {
    const result = await load(fleetWithIds({ ...ids, group: ids.group.toUpperCase() }))
    expect(result.assetGroups[0]?.id).toBe(ids.group)
    expect(result.assetGroups[0]?.rates[0]?.id).toBe(ids.rate)
    expect(result.extras[0]?.id).toBe(ids.extra)
    expect(await load(fleetWithIds(ids))).toMatchObject({ created: 0, updated: 0, archived: 0 })
    expect(await load(smallFleet())).toMatchObject({ created: 0, updated: 0, archived: 0 })
  })

  it('finds the stored rows of refs that are typed in another Unicode form or with other spaces', async () => {
    const fleetOf = (typed: (text: string) => string) => {
      const { tenant } = smallFleet()
      const [ref, name] = [typed('München 1'), typed('Möwe 1')]
      const rates = [{ ref, name, dailyRate: '499.00' }]
      const assets = [{ ref: typed('Ü 1') }]
      const extras = [{ ref, name, pricing: 'per_day', price: '50.00' }]
      return { tenant, assetGroups: [{ ref, name, category: 'car', rates, assets }], extras }
    }
    const first = await load(fleetOf((text) => text))
    const again = await load(
      fleetOf((text) => `\u3000${text.normalize('NFD').replace(' ', '\u00a0\t')}`),
    )
    expect(again).toEqual({ ...first, tenantCreated: false, created: 0, updated: 0, archived: 0 })
  })

  it('rejects an id when the ref already has another id', async () => {
    await load(smallFleet())
    expect((await problemsOf(fleetWithIds(ids))).map(({ path }) => path)).toEqual([
      'assetGroups[0].id',
      'assetGroups[0].rates[0].id',
      'extras[0].id',
    ])
  })

  it('rejects an id that belongs to another ref', async () => {
    await load(fleetWithIds(ids))
    const { tenant, assetGroups, extras } = fleetWithIds(ids)
    const [taken, ...others] = assetGroups
    const message = 'belongs to another ref of this tenant'
    const renamed = [{ ...taken, ref: 'new' }, ...others]
    // Problems of its rates are reported in the same run.
    expect(await problemsOf({ tenant, assetGroups: renamed, extras })).toEqual([
      { path: 'assetGroups[0].id', message },
      { path: 'assetGroups[0].rates[0].id', message },
    ])
  })

  it('rejects an id that belongs to another tenant without changes', async () => {
    await load(fleetWithIds(ids))
    const message = 'belongs to another tenant: leave the id out'
    expect(await problemsOf(fleetWithIds(ids, 'other'))).toEqual([
      { path: 'assetGroups[0].id', message },
      { path: 'assetGroups[0].rates[0].id', message },
      { path: 'extras[0].id', message },
    ])
    expect(await rows('select slug from tenants')).toEqual([{ slug: 'fjord-cars' }])
  })
})
