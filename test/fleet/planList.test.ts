import { describe, expect, it } from 'vitest'
import { planList, type Stored } from '../../src/fleet/planList.ts'

interface Content {
  readonly ref: string
}

const keyOf = ({ ref }: Content) => ref
const wanted = { path: '', content: { ref: 'a' } }
const row = (id: string, archived: boolean): Stored<Content> => ({
  ...{ id, archived },
  content: { ref: 'a' },
})

describe('the plan of a list', () => {
  const live = row('live', false)
  const archived = row('archived', true)

  it.each([
    ['last', [live, archived]],
    ['first', [archived, live]],
  ])(
    'is nothing to do for a row in service, be it that an equal one was archived and read %s',
    (_, stored) => {
      expect(planList(stored, [wanted], keyOf)).toMatchObject({
        create: [],
        update: [],
        archive: [],
      })
    },
  )

  it('leaves one of two equal rows in service, which an earlier release could store', () => {
    const stored = [live, row('other', false)]
    expect(planList(stored, [wanted], keyOf).archive).toHaveLength(1)
  })
})
