/** An extra as the tenant offers it: the API has no list of them. */
export interface RentalExtra {
  readonly id: string
  readonly name: string
  readonly price: string
  /** Default: the vehicle's. With another one it can't be had (decision 483). */
  readonly currency?: string
  readonly pricing: 'per_day' | 'per_rental'
  /** Of one unit, however many days. */
  readonly maxPrice?: string | null
  /** Most that a customer may choose. Default: 5. */
  readonly quantityMax?: number
}

/** What the API does not tell about a tenant: as in its fleet file, all of it optional. */
export interface RentalConfig {
  /** For the page around. */
  readonly name?: string
  readonly currency?: string
  /** Of the station. Default: the visitor's own. */
  readonly timeZone?: string
  readonly extras?: readonly RentalExtra[]
  /** These make the prices beside the vehicles those of the quote; without, they are a guide. */
  readonly taxPercent?: string
  readonly pricesIncludeTax?: boolean
  /** Default: 29. */
  readonly gracePeriodMinutes?: number
  readonly seasons?: 'per_day' | 'pickup'
  /** How often the widget first asks what the staff have decided. Default: 5. */
  readonly pollSeconds?: number
}

export type RentalStep = 'dates' | 'vehicle' | 'extras' | 'details' | 'booking'

export interface RentalQuote {
  readonly quoteId: string
  readonly assetGroupId: string
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
  readonly total: string
  readonly currency: string
  readonly expiresAt: string
}

export interface RentalBooking {
  readonly bookingId: string
  readonly status: 'pending' | 'confirmed' | 'rejected' | 'cancelled'
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
}

/** What the page around is told; all of these bubble. */
export interface RentalEvents {
  readonly stepped: CustomEvent<{ readonly step: RentalStep }>
  readonly quoted: CustomEvent<RentalQuote>
  readonly booked: CustomEvent<RentalBooking>
  readonly decided: CustomEvent<RentalBooking>
  readonly failed: CustomEvent<Error & { readonly code?: string }>
}

/** `<rental-booking base-url api-key>`; also `booking-id`, `lang`, `config` and `messages`. */
export interface RentalBookingElement extends HTMLElement {
  /** Instead of the attribute, which is JSON. */
  get config(): RentalConfig
  set config(config: RentalConfig | undefined)
  /** Words instead of ours; instead of the attribute, which is JSON. */
  get messages(): Readonly<Record<string, string>>
  set messages(messages: Readonly<Record<string, string>> | undefined)
  /** Goes to a step that the visitor has reached, as the page's own Back button may want. */
  show(step: RentalStep): void
}

declare global {
  interface HTMLElementTagNameMap {
    'rental-booking': RentalBookingElement
  }
}
