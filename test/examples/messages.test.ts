import { describe, expect, it } from 'vitest'
import { RentalApiError } from '../../clients/typescript/index.ts'
import { explain } from '../../examples/booking-site/messages.ts'

const expired = { status: 401, code: 'SESSION_EXPIRED', message: 'over' } as const

describe('a visitor whose session has ended', () => {
  it('gets a new price when nothing was booked', () => {
    expect(explain(new RentalApiError(expired)).remedy).toBe('new-quote')
  })

  it('is never offered to book again what may have been booked', () => {
    const problem = explain(new RentalApiError({ ...expired, outcomeUnknown: true }))
    expect(problem).toMatchObject({ remedy: 'none', text: expect.stringContaining('contact us') })
  })

  it('presses the button again while that can still tell', () => {
    const lost = {
      status: 0,
      code: 'NETWORK_ERROR',
      message: 'lost',
      outcomeUnknown: true,
    } as const
    expect(explain(new RentalApiError(lost)).remedy).toBe('retry')
  })
})
