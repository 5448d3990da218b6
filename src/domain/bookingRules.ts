import type { PlainErrorCode } from './errors.ts'

export const bookingStatuses = ['pending', 'confirmed', 'rejected', 'cancelled'] as const

export type BookingStatus = (typeof bookingStatuses)[number]

/** The status changes that staff may make (docs/contract.md#states). */
const bookingTransitions: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['confirmed', 'rejected', 'cancelled'],
  confirmed: ['cancelled'],
  rejected: [],
  cancelled: [],
}

export function isFinal(status: BookingStatus): boolean {
  return bookingTransitions[status].length === 0
}

export function canTransition(from: BookingStatus, to: BookingStatus): boolean {
  return bookingTransitions[from].includes(to)
}

export const channels = ['browser', 'server'] as const

export type Channel = (typeof channels)[number]

/** Returns the channel of a quote. Only browsers have sessions. */
export const channelOf = (sessionId: string | null): Channel =>
  sessionId === null ? 'server' : 'browser'

/** Error codes that are stored with the idempotency key and replayed when the request is retried. */
export const recordedErrorCodes = [
  'QUOTE_NOT_FOUND',
  'QUOTE_SESSION_MISMATCH',
  'QUOTE_ALREADY_USED',
  'QUOTE_EXPIRED',
] as const satisfies readonly PlainErrorCode[]

export const redemptionErrorCodes = [
  ...recordedErrorCodes,
  'REQUEST_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
] as const satisfies readonly PlainErrorCode[]

export type RedemptionErrorCode = (typeof redemptionErrorCodes)[number]
