import { describe, expect, it } from 'vitest'
import { bookingStatuses, canMove, isFinal } from '../../src/domain/bookings.ts'

const allowed = [
  'pending → confirmed',
  'pending → rejected',
  'pending → cancelled',
  'confirmed → cancelled',
]

describe('moves of a booking', () => {
  it.each(bookingStatuses.flatMap((from) => bookingStatuses.map((to) => [from, to] as const)))(
    '%s → %s',
    (from, to) => {
      expect(canMove(from, to)).toBe(allowed.includes(`${from} → ${to}`))
    },
  )
})

describe('a booking', () => {
  it.each(bookingStatuses)('that is %s is settled when staff have no move left', (status) => {
    expect(isFinal(status)).toBe(['rejected', 'cancelled'].includes(status))
  })
})
