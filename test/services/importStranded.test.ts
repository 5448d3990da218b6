import { describe, expect, it } from 'vitest'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { importFleet } from '../../src/services/importFleet.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { useReviewFixtures } from '../helpers/reviewFixtures.ts'

const review = useReviewFixtures()

/** Books both vehicles, one for a confirmed and one for a pending booking. */
async function bookings(): Promise<string[]> {
  const ids = []
  for (const status of ['confirmed', 'pending']) {
    const id = await review.rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
    if (status === 'confirmed') await review.review(id, 'confirm')
    ids.push(id)
  }
  return ids.sort()
}

const load = (change: (file: ReturnType<typeof fleetOf>) => object, options: object = {}) =>
  importFleet(review.database, parseFleetFile(JSON.stringify(change(fleetOf(2)))), {
    confirmed: false,
    ...options,
  })

type File = ReturnType<typeof fleetOf>
const withGroups = (file: File, ...changes: object[]) => ({
  ...file,
  assetGroups: changes.map((change) => ({ ...file.assetGroups[0], ...change })),
})

describe('bookings that an import leaves without a vehicle', () => {
  it.each<[string, (file: File) => object]>([
    ['renames a group', (file) => withGroups(file, { ref: 'compact' })],
    ['archives a group', (file) => withGroups(file)],
    ['archives all vehicles', (file) => withGroups(file, { assets: [] })],
    [
      'moves all vehicles',
      (file) => withGroups(file, { assets: [] }, { ref: 'other', name: 'Other' }),
    ],
  ])('are named when it %s, also by a dry run', async (_, change) => {
    const ids = await bookings()
    for (const options of [{ dryRun: true }, {}]) {
      const { stranded, questions, changes } = await load(change, options)
      expect(stranded.toSorted()).toEqual(ids)
      expect(questions.join()).toContain('2 bookings would have no vehicle any more')
      expect(changes).not.toEqual(undefined)
    }
    expect((await load((file) => file)).changes).toBeUndefined()
    expect((await load(change, { confirmed: true })).changes).toBeUndefined()
    expect((await load(change)).stranded).toEqual([])
  })

  it('are those that one vehicle is too few for', async () => {
    const ids = await bookings()
    for (const id of ids) await review.review(id, 'confirm').catch(() => undefined)
    const [vehicle] = fleetOf(2).assetGroups[0]?.assets ?? []
    const { stranded } = await load((file) => withGroups(file, { assets: [vehicle] }))
    expect(stranded.toSorted()).toEqual(ids)
  })

  it('are none when the import takes no vehicle that is needed', async () => {
    await bookings()
    expect(await load((file) => file)).toMatchObject({ stranded: [], questions: [] })
    const renamed = await load((file) => withGroups(file, { name: 'Compact' }))
    expect(renamed).toMatchObject({ stranded: [], questions: [], changes: undefined })
  })

  it('come with the advice to change the name when a group is renamed by its key', async () => {
    const rename = (file: File) => withGroups(file, { ref: 'compact' })
    const advice =
      'compact is a new group in place of economy. To change what customers see, change Name and keep the group economy.'
    await bookings()
    const asked = await load(rename)
    expect(asked.questions).toContain(advice)
    expect(asked.warnings).not.toContain(advice)
    await review.database.pool.query(`update bookings set status = 'cancelled'`)
    expect((await load(rename)).warnings).toContain(advice)
  })
})
