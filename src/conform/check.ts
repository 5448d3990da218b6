import type { Probe } from './probe.ts'

/** What one check finds out for those after it. */
export interface Walk {
  readonly probe: Probe
  /** An origin on the key's allow list, if the caller gave one. */
  readonly origin: string | undefined
  /** The idempotency key of the booking that is repeated. */
  readonly attempt: string
  /** A group that can be quoted. */
  groupId: string
  quoteId: string
  /** Every booking that was made: nothing but staff ends it. */
  readonly booked: Set<string>
  /** The accepted booking: its id and the bytes of the answer. */
  bookingId: string
  bookingText: string
}

/** One rule of the contract. `run` throws Broken, or anything else, when it does not hold. */
export interface Check {
  readonly rule: string
  run(walk: Walk): Promise<void>
}

/** Ten in the morning, UTC, so many days from today. */
export function inDays(days: number): string {
  const date = new Date()
  date.setUTCDate(date.getUTCDate() + days)
  return `${date.toISOString().slice(0, 10)}T10:00:00Z`
}

export function rental(assetGroupId: string) {
  return { assetGroupId, pickupDatetime: inDays(30), dropoffDatetime: inDays(33) }
}

export const customer = {
  firstName: 'Conformance',
  lastName: 'Kit',
  email: 'conformance@example.com',
}
