export { type BookingAttempt, newBookingAttempt } from './attempt.ts'
export {
  type CallOptions,
  type ClientOptions,
  createClient,
  type DateTimeRange,
  type RentalClient,
} from './client.ts'
export { RentalApiError, type RentalErrorCode } from './errors.ts'
export type { Patience } from './retry.ts'
export type * from './types.ts'
export type { WaitOptions } from './waitForDecision.ts'
