import { describe, expect, it } from 'vitest'
import { availableCount } from '../../src/domain/availability.ts'

describe('available count', () => {
  it.each([
    [5, 0, 5],
    [5, 5, 0],
    [5, 7, 0],
    [0, 0, 0],
  ])('%i in service, peak %i: %i', (inService, peak, count) => {
    expect(availableCount({ inService, peak })).toBe(count)
  })
})
