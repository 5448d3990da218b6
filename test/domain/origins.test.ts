import { describe, expect, it } from 'vitest'
import { normaliseOrigin, originAllowed } from '../../src/domain/origins.ts'
import { allowedOrigins, allowList, refusedOrigins, savedAs } from './originTable.ts'

describe('an entry of an allow list', () => {
  it.each(savedAs)('"%s" is saved as %s', (typed, saved) => {
    expect(normaliseOrigin(typed)).toBe(saved)
  })

  it('is saved in a form that stays the same', () => {
    for (const [, saved] of savedAs) {
      if (saved !== undefined) expect(normaliseOrigin(saved)).toBe(saved)
    }
  })
})

describe('an Origin header', () => {
  it.each(allowedOrigins)('"%s" is allowed', (origin) => {
    expect(originAllowed(origin, allowList)).toBe(true)
  })

  it.each(refusedOrigins)('"%s" is refused', (origin) => {
    expect(originAllowed(origin, allowList)).toBe(false)
  })

  it.each([...allowedOrigins, ...refusedOrigins])('"%s" is refused by an empty list', (origin) => {
    expect(originAllowed(origin, [])).toBe(false)
  })
})
