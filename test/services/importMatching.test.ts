import { describe, expect, it } from 'vitest'
import { blockAsset } from '../../src/services/blockAsset.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { useImports } from './useImports.ts'

const test = useImports()
const { load, rows } = test
const ids = `select id::text from assets where archived_at is null
  union select id::text from rates where archived_at is null
  union select id::text from extras where archived_at is null order by id`

/** Returns the fleet file with other groups, and with other extras if given. */
function fleetWith(groupOf: (group: Group) => object, extras: object[] = smallFleet().extras) {
  const { tenant, assetGroups } = smallFleet()
  return { tenant, assetGroups: assetGroups.map(groupOf), extras }
}
type Group = ReturnType<typeof smallFleet>['assetGroups'][number]

const renamed = <Row extends { ref: string }>(list: readonly Row[]) =>
  list.map((row) => ({ ...row, ref: ` ${row.ref.toLowerCase()}x`.trim() }))
const respelt = ({ assets }: Group) =>
  assets.map((asset) => ({ ...asset, ref: asset.ref.toLowerCase().replace(' ', '') }))

describe('an import that changes a ref', () => {
  it.each<[string, object]>([
    ['a vehicle', fleetWith((group) => ({ ...group, assets: respelt(group) }))],
    ['a rate', fleetWith((group) => ({ ...group, rates: renamed(group.rates) }))],
    ['an extra', fleetWith((group) => group, renamed(smallFleet().extras))],
  ])('keeps the id of %s, also of an archived one', async (_, file) => {
    await load(smallFleet())
    const before = await rows(ids)
    expect(await load(file)).toMatchObject({ created: 0, archived: 0 })
    expect(await rows(ids)).toEqual(before)
    await load(fleetWith((group) => ({ ...group, assets: [], rates: [] }), []))
    expect(await rows(ids)).toEqual([])
    expect(await load(smallFleet())).toMatchObject({ created: 0, archived: 0 })
    expect(await rows(ids)).toEqual(before)
  })

  it('creates a rate of the same name when the file still has the old ref', async () => {
    await load(smallFleet())
    const twice = fleetWith(({ rates, ...group }) => ({
      ...group,
      rates: [...rates, ...renamed(rates).map((rate) => ({ ...rate, validFrom: '2037-06-01' }))],
    }))
    expect(await load(twice)).toMatchObject({ created: 2, updated: 0, archived: 0 })
  })
})

describe('vehicles whose refs look alike', () => {
  const vehicles = `select id, ref from assets where archived_at is null order by ref`
  const withVehicles = (...refs: string[]) => {
    const [economy] = smallFleet().assetGroups
    const assets = refs.map((ref) => ({ ref }))
    return { ...smallFleet(), assetGroups: [{ ...economy, assets }] }
  }

  it.each([
    ['B MW 555', 'BM W 555'],
    ['A 123 BC', 'А 123 ВС'],
  ])('stores %s and %s as two, and keeps the id of each', async (first, second) => {
    await load(withVehicles(first))
    const [before] = await rows(vehicles)
    expect(await load(withVehicles(second, first))).toMatchObject({ created: 1, archived: 0 })
    expect(await rows(vehicles)).toContainEqual(before)
    expect(await load(withVehicles(second))).toMatchObject({ created: 0, updated: 0 })
    expect(await load(withVehicles(first, second))).toMatchObject({ created: 0, updated: 1 })
    expect(await rows(vehicles)).toContainEqual(before)
  })

  it('rejects one vehicle that is typed in two ways', async () => {
    await expect(load(withVehicles('M AB 101', 'm-ab101'))).rejects.toThrow(
      'assetGroups[0].assets[1].ref: "m-ab101" is already used at assetGroups[0].assets[0].ref',
    )
  })

  it('keeps two stored vehicles that are one by a later rule, by their exact refs', async () => {
    await load(withVehicles('M AB 101', 'M AB 102'))
    await rows(`update assets set ref = 'M-AB 101', folded_ref = 'm ab101' where ref like '%102'`)
    expect(await load(withVehicles('M AB 101', 'M-AB 101'))).toMatchObject({
      created: 0,
      updated: 0,
      archived: 0,
    })
  })
})

describe('an import that moves a vehicle to another group', () => {
  it('keeps its id and all its blocks', async () => {
    await load(smallFleet())
    await blockAsset(
      test.database,
      { ref: 'el12345' },
      { to: () => new Date('2038-02-02Z'), reason: undefined, blockedBy: 'kari' },
      new Date('2038-02-01Z'),
    )
    const blocks = `select b.id, a.id as asset, blocked_by, b.archived_at from asset_blocks b
      join assets a on a.id = b.asset_id order by blocked_by`
    const before = await rows(blocks)
    const fleet = smallFleet()
    const [economy, van] = fleet.assetGroups
    van?.assets.push(...(economy?.assets.splice(0, 1) ?? []))
    expect(await load(fleet)).toMatchObject({ created: 0, updated: 1, archived: 0 })
    expect(await rows(blocks)).toEqual(before)
    expect(before).toHaveLength(2)
    expect(
      await rows(`select g.ref from assets a join asset_groups g on g.id = a.asset_group_id
        where a.ref = 'EL 12345'`),
    ).toEqual([{ ref: 'van' }])
  })
})
