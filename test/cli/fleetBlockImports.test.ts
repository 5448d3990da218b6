import { describe, expect, it } from 'vitest'
import { twoDays, unchanged, useFleets } from './fleets.ts'

const fleets = useFleets()
const { operator, whole, loaded, exported, blocksOf, block, unblock } = fleets

describe('blocks and fleet imports', () => {
  it('stores one block when the same block is added twice and fleet files are imported', async () => {
    await loaded(whole())
    await block(...twoDays)
    await block(...twoDays)
    expect(await loaded(whole())).toMatchObject(unchanged)
    expect(await loaded(await exported())).toMatchObject(unchanged)
    expect(await loaded(whole())).toMatchObject(unchanged)
    expect(await blocksOf(`${fleets.slug} 2`)).toHaveLength(1)
  })

  it('keeps a block when a covering or equal block is removed from the fleet file', async () => {
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

  it('does not restore a removed block when an earlier file is imported', async () => {
    await loaded(whole())
    await block(...twoDays)
    expect(await operator.json('fleet', 'unblock', `${fleets.slug} 2`)).toMatchObject({
      reason: 'axle',
    })
    expect(await loaded(whole())).toMatchObject(unchanged)
    expect(await blocksOf(`${fleets.slug} 2`)).toEqual([])
  })
})
