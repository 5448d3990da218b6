/** One booking that somebody wants: every request made for it carries the same key. */
export interface BookingAttempt {
  readonly idempotencyKey: string
}

const keyBytes = 16

/**
 * To be made once for each booking a customer wants and passed again when they press the button
 * again: whatever got lost on the way, one booking comes of it.
 */
export function newBookingAttempt(): BookingAttempt {
  // Not randomUUID, which pages without https don't have.
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes))
  const idempotencyKey = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { idempotencyKey }
}
