import type { RentalConfig } from './rental-booking.d.ts'

/** A config with the time zone of the station or, by default, of the visitor. */
export type OpenConfig = RentalConfig & { readonly timeZone: string }

/** The pickup and drop-off of a rental, as instants. */
export interface Period {
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
}
