import { describe, expect, it } from 'vitest'
import { isOriginAllowed, normalizeOrigin } from '../../src/domain/origins.ts'
import { allowedOrigins, allowList, rejectedOrigins, savedAs } from './originTable.ts'

describe('normalizeOrigin', () => {
  it.each(savedAs.filter(([, saved]) => saved))('normalizes "%s" to %s', (typed, saved) => {
    expect(normalizeOrigin(typed)).toBe(saved)
  })

  it.each(savedAs.filter(([, saved]) => !saved))('rejects the allow-list entry "%s"', (typed) => {
    expect(normalizeOrigin(typed)).toBeUndefined()
  })
})

describe('isOriginAllowed', () => {
  it.each(allowedOrigins)('allows "%s"', (origin) => {
    expect(isOriginAllowed(origin, allowList)).toBe(true)
  })

  it.each(rejectedOrigins)('rejects "%s"', (origin) => {
    expect(isOriginAllowed(origin, allowList)).toBe(false)
  })

  it.each([...allowedOrigins, ...rejectedOrigins])(
    'rejects "%s" when the allow list is empty',
    (origin) => {
      expect(isOriginAllowed(origin, [])).toBe(false)
    },
  )
})
