/** The texts of an extra in one language. */
export interface RentalExtraTexts {
  readonly name?: string | null | undefined
  readonly category?: string | null | undefined
  readonly description?: string | null | undefined
}

/** An extra that the tenant offers. The API has no list of extras. */
export interface RentalExtra {
  readonly id: string
  readonly name: string
  /** The heading of this and similar extras, such as `Protection`. */
  readonly category?: string | null
  /** It may have several lines. */
  readonly description?: string | null
  /** The texts in other languages, by language tag. */
  readonly translations?: Readonly<Record<string, RentalExtraTexts>>
  readonly price: string
  /** Default: the vehicle's. Extras in another currency are not offered. */
  readonly currency?: string
  readonly pricing: 'per_day' | 'per_rental'
  /** The highest price of one unit, for any number of days. */
  readonly maxPrice?: string | null
  /** The highest quantity that a customer may choose. Default: 5. */
  readonly quantityMax?: number
}

/** Hours of one or more weekdays. Times such as `07:00` are local; `24:00` is midnight. */
export interface RentalOpeningHours {
  readonly days: readonly (
    | 'monday'
    | 'tuesday'
    | 'wednesday'
    | 'thursday'
    | 'friday'
    | 'saturday'
    | 'sunday'
  )[]
  readonly opens: string
  readonly closes: string
}

/** Dates such as `2027-12-24` whose hours replace the weekday's. Without times, it is closed. */
export interface RentalSpecialDay {
  readonly from: string
  /** The last date. Default: `from`. */
  readonly to?: string | null
  readonly opens?: string | null
  readonly closes?: string | null
  readonly name?: string | null
}

/** The texts of a tenant in one language. */
export interface RentalTenantTexts {
  readonly address?: string | null | undefined
  readonly facts?: readonly string[] | null | undefined
}

/** Tenant settings that the API does not return, in the form of the fleet file. All are optional. */
export interface RentalConfig {
  /** The tenant's name, for the visitor's calendar. */
  readonly name?: string
  readonly currency?: string
  /** The station's time zone. Default: the visitor's. */
  readonly timeZone?: string
  /** The language of texts that are not translated. */
  readonly language?: string
  readonly extras?: readonly RentalExtra[]
  /**
   * With the settings from here to `seasons`, listed prices equal the quote's price; without them,
   * listed prices are estimates.
   */
  readonly taxPercent?: string
  readonly pricesIncludeTax?: boolean
  /** Default: 29. */
  readonly gracePeriodMinutes?: number
  readonly seasons?: 'per_day' | 'pickup'
  /** The shortest time from now to a pickup. Default: 0. */
  readonly minLeadMinutes?: number | null
  /** When vehicles are picked up and dropped off. Default: always. */
  readonly openingHours?: readonly RentalOpeningHours[] | null
  readonly specialDays?: readonly RentalSpecialDay[]
  /** The station's address; it may have several lines. */
  readonly address?: string | null
  /** Short texts about every rental, such as `Free cancellation`. */
  readonly facts?: readonly string[]
  /** `address` and `facts` in other languages, by language tag. */
  readonly translations?: Readonly<Record<string, RentalTenantTexts>>
  /** The pause between two polls for the decision. Default: 5, then 15, then always 30. */
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
  /** `month`, `week`, `day` or `hour`; more may be added. */
  readonly unit: string
  readonly quantity: number
  readonly unitPrice: string
  readonly amount: string
}

export interface RentalExtraLine {
  readonly extraId: string
  readonly name: string
  /** `per_day` or `per_rental`; more may be added. */
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
  readonly reference: string | null
  /** The message of the staff to the customer with the last decision. */
  readonly decisionMessage: string | null
}

/** The dates that the visitor entered, as in the attributes `pickup` and `dropoff`, and their length. */
interface RentalDates {
  readonly pickup?: string
  readonly dropoff?: string
  readonly days: number
  readonly hours: number
}

export interface RentalSearch extends RentalDates {
  /** The vehicle classes that are shown, and those of them that are available. */
  readonly found: number
  readonly available: number
  /** Whether the visitor can load more. */
  readonly hasMore: boolean
}

export interface RentalChoice extends RentalDates {
  readonly assetGroupId: string
  readonly name: string
  readonly category: string
  readonly extras: readonly {
    readonly id: string
    readonly name: string
    readonly quantity: number
  }[]
  /** The estimated price with the extras; null without rates. */
  readonly total: string | null
  readonly currency: string | null
}

/** The events of the element. All of them bubble. */
export interface RentalEvents {
  /** With the entered dates, as in the attributes `pickup` and `dropoff`. */
  readonly stepped: CustomEvent<{
    readonly step: RentalStep
    readonly pickup?: string
    readonly dropoff?: string
  }>
  readonly searched: CustomEvent<RentalSearch>
  readonly vehiclechosen: CustomEvent<RentalChoice>
  readonly extraschanged: CustomEvent<RentalChoice>
  readonly quoted: CustomEvent<RentalQuote>
  readonly booked: CustomEvent<RentalBooking>
  readonly decided: CustomEvent<RentalBooking>
  readonly failed: CustomEvent<Error & { readonly code?: string }>
}

/** The element's own events and those of every HTML element. */
export type RentalEventMap = HTMLElementEventMap & RentalEvents

/**
 * The element `<rental-booking base-url api-key>`. Optional attributes: `booking-id`, `lang`,
 * `config`, `messages`, `terms-url`, `privacy-url`, `contact`, `reference`, `asset-group`, `pickup` and
 * `dropoff`.
 */
export interface RentalBookingElement extends HTMLElement {
  /** Stored in the attribute as JSON. */
  get config(): RentalConfig
  set config(config: RentalConfig | undefined)
  /** Messages that replace the built-in ones; stored in the attribute as JSON. */
  get messages(): Readonly<Record<string, string>>
  set messages(messages: Readonly<Record<string, string>> | undefined)
  /** The id of the only vehicle class to offer; stored in the attribute `asset-group`. */
  assetGroup: string | null
  /** The dates to begin with, on the station's clock, such as `2027-06-01T10:00`; stored in attributes. */
  pickup: string | null
  dropoff: string | null
  /** Shows a step that the visitor has reached, for example for a Back button of the page. */
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
    /** See the README: `<rental-price base-url api-key asset-group>`. */
    'rental-price': HTMLElement
  }
}
