import type { PlainErrorCode } from './errors.ts'

export const bookingStatuses = ['pending', 'confirmed', 'rejected', 'cancelled'] as const

export type BookingStatus = (typeof bookingStatuses)[number]

/** The moves staff may make; a status without moves is final (decision 3). */
const bookingMoves: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['confirmed', 'rejected', 'cancelled'],
  confirmed: ['cancelled'],
  rejected: [],
  cancelled: [],
}

/** Whether a booking with this status can no longer change. */
export function isFinal(status: BookingStatus): boolean {
  return bookingMoves[status].length === 0
}

export function canMove(from: BookingStatus, to: BookingStatus): boolean {
  return bookingMoves[from].includes(to)
}

/** Why a quote cannot be booked. Recorded with the idempotency key: a repeated request gets it again. */
export const recordedRefusals = [
  'QUOTE_NOT_FOUND',
  'QUOTE_SESSION_MISMATCH',
  'QUOTE_ALREADY_USED',
  'QUOTE_EXPIRED',
] as const satisfies readonly PlainErrorCode[]

/** The error codes a quote can be refused with when it is booked. */
export const redemptionRefusals = [
  ...recordedRefusals,
  'REQUEST_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
] as const satisfies readonly PlainErrorCode[]

export type RedemptionRefusal = (typeof redemptionRefusals)[number]
