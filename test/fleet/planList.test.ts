import { describe, expect, it } from 'vitest'
import { matchRules } from '../../src/fleet/matchRows.ts'
import { planList, type Stored } from '../../src/fleet/planList.ts'

interface Content {
  readonly ref: string
}

const wanted = { path: [], content: { ref: 'a' } }
const row = (id: string, archived: boolean): Stored<Content> => ({
  id,
  archived,
  content: { ref: 'a' },
})

describe('planList', () => {
  const live = row('live', false)
  const archived = row('archived', true)

  it.each([
    ['last', [live, archived]],
    ['first', [archived, live]],
  ])('plans nothing for an active row when an equal archived row comes %s', (_, stored) => {
    expect(planList(stored, [wanted], matchRules.groups)).toMatchObject({
      create: [],
      update: [],
      archive: [],
    })
  })

  it('archives one of two equal active rows', () => {
    const stored = [live, row('other', false)]
    expect(planList(stored, [wanted], matchRules.groups).archive).toHaveLength(1)
  })
})
