import type { RentalConfig } from './rental-booking.d.ts'

/** With the station's zone, which everything needs. */
export type OpenConfig = RentalConfig & { readonly timeZone: string }

/** When somebody wants a vehicle. */
export interface Period {
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
}
