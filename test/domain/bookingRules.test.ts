import { describe, expect, it } from 'vitest'
import { bookingStatuses, canTransition, isFinal } from '../../src/domain/bookingRules.ts'

const allowed = [
  'pending → confirmed',
  'pending → rejected',
  'pending → cancelled',
  'confirmed → cancelled',
]

describe('canTransition', () => {
  const pairs = bookingStatuses.flatMap((from) => bookingStatuses.map((to) => [from, to] as const))
  it.each(pairs.map(([from, to]) => [from, to, allowed.includes(`${from} → ${to}`)] as const))(
    'returns whether a booking may change from %s to %s: %s',
    (from, to, expected) => {
      expect(canTransition(from, to)).toBe(expected)
    },
  )
})

describe('isFinal', () => {
  it.each([
    ['pending', false],
    ['confirmed', false],
    ['rejected', true],
    ['cancelled', true],
  ] as const)('returns whether the status %s is final: %s', (status, expected) => {
    expect(isFinal(status)).toBe(expected)
  })
})
