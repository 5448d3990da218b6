import type { RentalConfig } from './rental-booking.d.ts'

/** A config with the time zone of the station or, by default, of the visitor. */
export type ConfigWithTimeZone = RentalConfig & { readonly timeZone: string }

/** Entered values by the name of their field. */
export type Fields = Readonly<Record<string, string>>

export interface Period {
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
}
