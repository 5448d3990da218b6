import { describe, expect, it } from 'vitest'
import { boundedMap } from '../../src/memory/boundedMap.ts'

const weightMax = 10
const aMap = () => boundedMap<number>(weightMax, (weight) => weight)

describe('a map of bounded weight', () => {
  it('weighs an entry that is set again once, with what it weighs now', () => {
    const map = aMap()
    map.set('other', 3)
    for (const weight of [7, 2, 7, 2]) {
      for (let n = 0; n < 100; n++) map.set('often', weight)
      expect([map.get('other'), map.get('often')]).toEqual([3, weight])
    }
    map.set('third', 5)
    expect(map.size()).toBe(3)
    map.set('one too many', 1)
    expect([map.size(), map.get('other')]).toEqual([3, undefined])
  })

  it('takes an entry that is set again for the newest', () => {
    const map = aMap()
    for (const id of ['first', 'second', 'first']) map.set(id, 5)
    map.set('third', 5)
    expect([map.get('second'), map.get('first'), map.get('third')]).toEqual([undefined, 5, 5])
  })

  it('has the room of what was deleted, and nothing for deleting what is not there', () => {
    const map = aMap()
    map.set('kept', 4)
    map.set('deleted', 6)
    map.delete('deleted')
    map.delete('deleted')
    map.delete('unknown')
    map.set('new', 6)
    expect([map.get('kept'), map.get('new')]).toEqual([4, 6])
    map.set('one too many', 1)
    expect([map.get('kept'), map.size()]).toEqual([undefined, 2])
  })
})
