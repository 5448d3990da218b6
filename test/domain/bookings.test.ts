import { describe, expect, it } from 'vitest'
import { bookingStatuses, canTransition, isFinal } from '../../src/domain/bookings.ts'

const allowed = [
  'pending → confirmed',
  'pending → rejected',
  'pending → cancelled',
  'confirmed → cancelled',
]

describe('canTransition', () => {
  it.each(bookingStatuses.flatMap((from) => bookingStatuses.map((to) => [from, to] as const)))(
    'allows only specified status changes: %s → %s',
    (from, to) => {
      expect(canTransition(from, to)).toBe(allowed.includes(`${from} → ${to}`))
    },
  )
})

describe('isFinal', () => {
  it.each(bookingStatuses)('reports as final only rejected and cancelled: %s', (status) => {
    expect(isFinal(status)).toBe(['rejected', 'cancelled'].includes(status))
  })
})
