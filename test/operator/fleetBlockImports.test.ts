import { describe, expect, it } from 'vitest'
import { twoDays, unchanged, useFleets } from './fleets.ts'

const fleets = useFleets()
const { operator, whole, loaded, exported, blocksOf, block, unblock } = fleets

describe('a vehicle that staff block, and the files that are imported meanwhile', () => {
  /** Groups that have one vehicle each, all of one ref. */
  const oneOfEach = (...groups: string[]) => ({
    ...whole(),
    assetGroups: groups.map((group) => ({
      ...{ ref: group, name: group, category: 'car', assets: [{ ref: `${fleets.slug} 2` }] },
    })),
  })

  it('stays blocked, once, whatever files are imported meanwhile', async () => {
    await loaded(whole())
    await block(...twoDays)
    await block(...twoDays)
    expect(await loaded(whole())).toMatchObject(unchanged)
    expect(await loaded(await exported())).toMatchObject(unchanged)
    expect(await loaded(whole())).toMatchObject(unchanged)
    expect(await blocksOf(`${fleets.slug} 2`)).toHaveLength(1)
  })

  it('stays blocked when a block that covers it leaves the file, be it the same', async () => {
    const withBlocks = (...blocks: object[]) => {
      const [economy, ...others] = whole().assetGroups
      const assets = [{ ref: `${fleets.slug} 1` }, { ref: `${fleets.slug} 2`, blocks }]
      return { ...whole(), assetGroups: [{ ...economy, assets }, ...others] }
    }
    const reason = 'axle'
    const longer = { from: '2030-02-01T08:00:00Z', to: '2030-04-01T08:00:00Z', reason }
    const same = { from: '2030-03-01T07:00:00Z', to: '2030-03-02T23:00:00Z', reason }
    const [earlier, later] = [
      { ...same, from: longer.from },
      { ...same, to: longer.to },
    ]
    for (const ofFile of [longer, earlier, later, same]) {
      await loaded(withBlocks(ofFile))
      await block(...twoDays)
      expect(await blocksOf(`${fleets.slug} 2`)).toHaveLength(ofFile === same ? 1 : 2)
      expect(await loaded(await exported())).toMatchObject(unchanged)
      await loaded(withBlocks())
      expect(await blocksOf(`${fleets.slug} 2`)).toMatchObject([{ reason }])
      await unblock()
    }
  })

  it('stays blocked under another group, be it the same one under another ref', async () => {
    const ref = `${fleets.slug} 2`
    const inGroups = (...groups: string[]) => ({
      ...whole(),
      assetGroups: groups.map((group, index) => ({
        ...{ ref: group, name: group, category: 'car' },
        assets: [{ ref: index === 0 ? ref : `${ref} ${index}` }],
      })),
    })
    await loaded(inGroups('small', 'large'))
    const { id } = await block(...twoDays, '--as', 'Kari')
    await block('--from', '2031-01-01', '--to', '2031-01-02', '--reason', 'paint', '--as', 'Kari')
    const dry = await loaded(inGroups('middle', 'large'), '--dry-run')
    expect(dry).toMatchObject({ created: 2, updated: 2, archived: 2 })
    expect(dry.changes).toContainEqual({
      ...{ change: 'changed', kind: 'block', field: 'vehicle' },
      name: `middle / ${ref} / 2030-03-01T07:00:00.000Z – 2030-03-02T23:00:00.000Z axle`,
      ...{ from: `small / ${ref}`, to: `middle / ${ref}` },
    })
    const both = ['axle', 'paint'].map((reason) =>
      expect.objectContaining({ reason, blockedBy: 'Kari' }),
    )
    // Away for one import, and back where it was.
    for (const file of [inGroups('middle', 'large'), inGroups('large'), inGroups('small')]) {
      await loaded(file, '--yes')
      expect(await blocksOf(ref)).toEqual(both)
      expect(await loaded(file)).toMatchObject(unchanged)
    }
    await loaded({ ...whole(), assetGroups: [] }, '--yes')
    await loaded(inGroups('middle', 'large'))
    const first = ['--from', '2030-03-01 08:00']
    expect(await unblock(...first)).toMatchObject({ id, assetGroup: 'middle' })
  })

  it('is not taken for one of several that move: the file is refused with the block', async () => {
    await loaded(oneOfEach('a', 'b'))
    await block(...twoDays, '--group', 'a', '--as', 'Kari')
    const said = /\.ref: Kari blocked a vehicle of this ref from 2030-03-01T07:00.* to/
    for (const groups of [
      ['b', 'c', 'd'],
      ['c', 'd'],
    ]) {
      const { exitCode, error } = await fleets.load(oneOfEach(...groups), '--yes', '--dry-run')
      expect([exitCode, error]).toEqual([1, expect.stringMatching(said)])
    }
    // Rather one vehicle too few than a broken one on the road.
    const { changes } = await loaded(oneOfEach('c'), '--yes', '--dry-run')
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'block', change: 'changed' }))
    await loaded(oneOfEach('b', 'c'))
    expect(await unblock('--group', 'c')).toMatchObject({ reason: 'axle' })
    expect((await fleets.load(oneOfEach('d', 'e'), '--yes', '--dry-run')).exitCode).toBe(0)
  })

  it('is in nobody’s way when several move once its block is over, and not before', async () => {
    await loaded(oneOfEach('a', 'b'))
    const { id } = await block(...twoDays, '--group', 'a')
    const begun = `update asset_blocks set starts_at = now() - interval '2 days'`
    await operator.database.pool.query(`${begun} where id = $1`, [id])
    expect(await fleets.load(oneOfEach('c', 'd'), '--yes')).toMatchObject({ exitCode: 1 })
    await operator.database.pool.query(`${begun}, ends_at = now() where id = $1`, [id])
    expect(await loaded(oneOfEach('c', 'd'), '--yes')).toMatchObject({ created: 4, updated: 0 })
  })

  it('is in service again once it is unblocked, and no former file blocks it', async () => {
    await loaded(whole())
    await block(...twoDays)
    expect(await operator.json('fleet', 'unblock', `${fleets.slug} 2`)).toMatchObject({
      reason: 'axle',
    })
    expect(await loaded(whole())).toMatchObject(unchanged)
    expect(await blocksOf(`${fleets.slug} 2`)).toEqual([])
  })
})
