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
  /** Between two questions what the staff have decided. Default: 5, then 15, then 30. */
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
  readonly breakdown: RentalBreakdown
  readonly expiresAt: string
}

/** How the total is calculated; its lines add up exactly. */
export interface RentalBreakdown {
  readonly days: number
  readonly hours: number
  readonly rate: {
    readonly id: string
    readonly name: string
    readonly lines: readonly RentalRateLine[]
  }
  readonly extras: readonly RentalExtraLine[]
  readonly subtotal: string
  readonly tax: { readonly percent: string; readonly amount: string; readonly included: boolean }
  readonly total: string
}

export interface RentalRateLine {
  readonly rateId: string
  readonly rateName: string
  /** `month`, `week`, `day` or `hour`; others may come. */
  readonly unit: string
  readonly quantity: number
  readonly unitPrice: string
  readonly amount: string
}

export interface RentalExtraLine {
  readonly extraId: string
  readonly name: string
  /** `per_day` or `per_rental`; others may come. */
  readonly pricing: string
  /** Charged days; null: priced per rental. */
  readonly days: number | null
  readonly maxPrice: string | null
  readonly quantity: number
  readonly unitPrice: string
  readonly amount: string
}

export interface RentalBooking {
  readonly bookingId: string
  readonly status: 'pending' | 'confirmed' | 'rejected' | 'cancelled'
  readonly assetGroupId: string | null
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
  /** The total of the quote. */
  readonly estimatedTotal: string | null
  readonly currency: string | null
  readonly createdAt: string
}

/** What the page around is told; all of these bubble. */
export interface RentalEvents {
  readonly stepped: CustomEvent<{ readonly step: RentalStep }>
  readonly quoted: CustomEvent<RentalQuote>
  readonly booked: CustomEvent<RentalBooking>
  readonly decided: CustomEvent<RentalBooking>
  readonly failed: CustomEvent<Error & { readonly code?: string }>
}

/** Of the element: its own events, and those of any other. */
export type RentalEventMap = HTMLElementEventMap & RentalEvents

/** `<rental-booking base-url api-key>`; also `booking-id`, `lang`, `config` and `messages`. */
export interface RentalBookingElement extends HTMLElement {
  /** Kept in the attribute, as JSON. */
  get config(): RentalConfig
  set config(config: RentalConfig | undefined)
  /** Words instead of ours; kept in the attribute, as JSON. */
  get messages(): Readonly<Record<string, string>>
  set messages(messages: Readonly<Record<string, string>> | undefined)
  /** Goes to a step that the visitor has reached, as the page's own Back button may want. */
  show(step: RentalStep): void
  addEventListener<Name extends keyof RentalEventMap>(
    name: Name,
    listener: (this: RentalBookingElement, event: RentalEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
  removeEventListener<Name extends keyof RentalEventMap>(
    name: Name,
    listener: (this: RentalBookingElement, event: RentalEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void
  removeEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void
}

declare global {
  interface HTMLElementTagNameMap {
    'rental-booking': RentalBookingElement
  }
}
