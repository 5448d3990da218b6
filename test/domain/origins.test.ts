import { describe, expect, it } from 'vitest'
import { normaliseOrigin, originAllowed } from '../../src/domain/origins.ts'
import { allowedOrigins, allowList, rejectedOrigins, savedAs } from './originTable.ts'

describe('normaliseOrigin', () => {
  it.each(savedAs.filter(([, saved]) => saved))('normalises "%s" to %s', (typed, saved) => {
    expect(normaliseOrigin(typed)).toBe(saved)
  })

  it.each(savedAs.filter(([, saved]) => !saved))('rejects the allow-list entry "%s"', (typed) => {
    expect(normaliseOrigin(typed)).toBeUndefined()
  })

  it('leaves a normalised origin unchanged', () => {
    for (const [, saved] of savedAs) {
      if (saved !== undefined) expect(normaliseOrigin(saved)).toBe(saved)
    }
  })
})

describe('originAllowed', () => {
  it.each(allowedOrigins)('allows "%s"', (origin) => {
    expect(originAllowed(origin, allowList)).toBe(true)
  })

  it.each(rejectedOrigins)('rejects "%s"', (origin) => {
    expect(originAllowed(origin, allowList)).toBe(false)
  })

  it.each([...allowedOrigins, ...rejectedOrigins])(
    'rejects "%s" when the allow list is empty',
    (origin) => {
      expect(originAllowed(origin, [])).toBe(false)
    },
  )
})
