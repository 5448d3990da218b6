import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { useImports } from './useImports.ts'

const test = useImports()
const { load, rows } = test

/** What an import of `file` is refused with. */
async function problemsOf(file: unknown) {
  const error = await load(file).catch((caught: unknown) => caught)
  if (!(error instanceof FleetFileError)) throw new Error(`Not refused: ${JSON.stringify(error)}`)
  return error.problems
}

/** A fleet with an id at its first group, at that group's first rate, and at its extra. */
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

describe('ids in the file', () => {
  const ids = { group: randomUUID(), rate: randomUUID(), extra: randomUUID() }

  it('are used for new rows, whatever their case', async () => {
    const result = await load(fleetWithIds({ ...ids, group: ids.group.toUpperCase() }))
    expect(result.assetGroups[0]?.id).toBe(ids.group)
    expect(result.assetGroups[0]?.rates[0]?.id).toBe(ids.rate)
    expect(result.extras[0]?.id).toBe(ids.extra)
    expect(await load(fleetWithIds(ids))).toMatchObject({ created: 0, updated: 0, archived: 0 })
    expect(await load(smallFleet())).toMatchObject({ created: 0, updated: 0, archived: 0 })
  })

  it('are refused when the ref has another id already', async () => {
    await load(smallFleet())
    expect((await problemsOf(fleetWithIds(ids))).map(({ path }) => path)).toEqual([
      'assetGroups[0].id',
      'assetGroups[0].rates[0].id',
      'extras[0].id',
    ])
  })

  it('are refused when another ref has them', async () => {
    await load(fleetWithIds(ids))
    const { tenant, assetGroups, extras } = fleetWithIds(ids)
    const [taken, ...others] = assetGroups
    const message = 'belongs to another ref of this tenant'
    const renamed = [{ ...taken, ref: 'new' }, ...others]
    // Its rates are told with it, not once its own id is mended.
    expect(await problemsOf({ tenant, assetGroups: renamed, extras })).toEqual([
      { path: 'assetGroups[0].id', message },
      { path: 'assetGroups[0].rates[0].id', message },
    ])
  })

  it('are refused when another tenant has them, and nothing is changed', async () => {
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
