/** An attempt to make one booking. All its requests carry the same idempotency key. */
export interface BookingAttempt {
  readonly idempotencyKey: string
  /** The token of the quote's session, which a client that has not created the quote needs. */
  readonly sessionToken?: string | undefined
}

const keyBytes = 16

/**
 * Returns a new attempt. Create one for each booking, and pass the same attempt on every retry, so
 * that at most one booking is made.
 */
export function newBookingAttempt(): BookingAttempt {
  // crypto.randomUUID is undefined on pages without HTTPS.
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes))
  const idempotencyKey = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { idempotencyKey }
}
