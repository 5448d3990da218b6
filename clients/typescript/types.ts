// Generated from openapi.yaml by `npm run openapi`: do not edit.

export interface AssetGroup {
  readonly id: string
  /** Shown to customers. */
  readonly name: string
  /** What kind of vehicle it is, such as `car` or `van`. */
  readonly category: string
  readonly description: string | null
  readonly imageUrl: string | null
}

export interface Rate {
  readonly id: string
  readonly name: string
  /** A decimal number with exactly the decimals of its currency. */
  readonly dailyRate: string
  /** A decimal number with exactly the decimals of its currency. */
  readonly hourlyRate: string | null
  /** A decimal number with exactly the decimals of its currency. */
  readonly weeklyRate: string | null
  /** A decimal number with exactly the decimals of its currency. */
  readonly monthlyRate: string | null
  /** ISO 4217. */
  readonly currency: string
  /** First day on which it applies; null: no beginning. */
  readonly validFrom: string | null
  /** Last day on which it applies; null: no end. */
  readonly validTo: string | null
}

export interface Availability {
  readonly assetGroupId: string
  /** UTC, with milliseconds and `Z`. */
  readonly from: string
  /** UTC, with milliseconds and `Z`. */
  readonly to: string
  /** Whether at least one is free. */
  readonly available: boolean
  readonly availableCount: number
  /** All vehicles of the class, in service or not. */
  readonly totalAssets: number
}

export interface Session {
  /** A JWT, to be sent as `X-Session-Token`. */
  readonly sessionToken: string
  /** UTC, with milliseconds and `Z`. */
  readonly expiresAt: string
}

export interface ExtraLine {
  readonly extraId: string
  readonly quantity: number
}

export interface QuoteRequest {
  readonly assetGroupId: string
  /** Not in the past, unless the tenant allows it. With an offset; in the years 2000 to 2100, UTC. */
  readonly pickupDatetime: string
  /** After the pickup, by at most 366 days on the tenant’s clock. With an offset; in the years 2000 to 2100, UTC. */
  readonly dropoffDatetime: string
  readonly extras?: readonly ExtraLine[] | null
}

export interface Quote {
  readonly quoteId: string
  readonly assetGroupId: string
  /** UTC, with milliseconds and `Z`. */
  readonly pickupDatetime: string
  /** UTC, with milliseconds and `Z`. */
  readonly dropoffDatetime: string
  /** The price that can be booked. */
  readonly total: string
  /** ISO 4217. */
  readonly currency: string
  readonly breakdown: Breakdown
  /** It can be booked until then. */
  readonly expiresAt: string
}

/** How the total is calculated; its lines add up exactly. */
export interface Breakdown {
  /** Full days on the tenant’s clock; a 24th hour, once started, counts as a day. */
  readonly days: number
  /** Charged hours beyond the full days; a started hour counts. */
  readonly hours: number
  readonly rate: ChargedRate
  readonly extras: readonly ChargedExtra[]
  /** A decimal number with exactly the decimals of its currency. */
  readonly subtotal: string
  readonly tax: Tax
  /** A decimal number with exactly the decimals of its currency. */
  readonly total: string
}

export interface ChargedRate {
  /** The rate of the first day. */
  readonly id: string
  readonly name: string
  /** What is charged: the cheapest combination of months, weeks, days and hours, season by season. */
  readonly lines: readonly RateLine[]
}

/** `amount` is `quantity` × `unitPrice`. */
export interface RateLine {
  readonly rateId: string
  readonly rateName: string
  readonly unit: 'month' | 'week' | 'day' | 'hour' | (string & Record<never, never>)
  readonly quantity: number
  /** A decimal number with exactly the decimals of its currency. */
  readonly unitPrice: string
  /** A decimal number with exactly the decimals of its currency. */
  readonly amount: string
}

export interface ChargedExtra {
  readonly extraId: string
  readonly name: string
  readonly pricing: 'per_day' | 'per_rental' | (string & Record<never, never>)
  /** Charged days; null: priced per rental. */
  readonly days: number | null
  /** Highest price of one unit, however many days; null: no cap. */
  readonly maxPrice: string | null
  readonly quantity: number
  /** A decimal number with exactly the decimals of its currency. */
  readonly unitPrice: string
  /** A decimal number with exactly the decimals of its currency. */
  readonly amount: string
}

export interface Tax {
  /** Such as `25` or `7.7`. */
  readonly percent: string
  /** A decimal number with exactly the decimals of its currency. */
  readonly amount: string
  /** Whether the subtotal already includes the tax. */
  readonly included: boolean
}

/** Text is trimmed first. Null, blank text and leaving an optional field out mean the same. No text may contain control characters (C0, DEL, C1), U+2028, U+2029 or unpaired surrogates; names and locations must not contain marks that override the direction (U+202A–202E, U+2066–2069); a name needs at least one visible character. */
export interface BookingRequest {
  readonly quoteId: string
  readonly customer: Customer
  readonly pickupLocation?: string | null
  readonly dropoffLocation?: string | null
  /** The only field that may have line breaks. */
  readonly notes?: string | null
}

export interface Customer {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** At least three digits. No-break spaces and direction marks are removed first. */
  readonly phone?: string | null
}

export interface Booking {
  readonly bookingId: string
  /** `pending` until the staff confirm or reject the booking. A pending or confirmed booking may be cancelled. No other status will be added in v1. */
  readonly status: 'pending' | 'confirmed' | 'rejected' | 'cancelled'
  readonly assetGroupId: string | null
  /** UTC, with milliseconds and `Z`. */
  readonly pickupDatetime: string
  /** UTC, with milliseconds and `Z`. */
  readonly dropoffDatetime: string
  /** The total of the quote. */
  readonly estimatedTotal: string | null
  /** ISO 4217. */
  readonly currency: string | null
  /** UTC, with milliseconds and `Z`. */
  readonly createdAt: string
}

/** The fields the error is about, each by its path. */
export type ErrorDetails = readonly ErrorDetail[]

export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** Every code an error of the API can carry. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'API_KEY_REQUIRED'
  | 'API_KEY_INVALID'
  | 'API_KEY_REVOKED'
  | 'API_KEY_EXPIRED'
  | 'SESSION_REQUIRED'
  | 'SESSION_INVALID'
  | 'SESSION_EXPIRED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'SCOPE_NOT_GRANTED'
  | 'TENANT_SUSPENDED'
  | 'SUBSCRIPTION_CANCELLED'
  | 'SUBSCRIPTION_PAST_DUE'
  | 'MODULE_NOT_ENABLED'
  | 'QUOTE_SESSION_MISMATCH'
  | 'NOT_FOUND'
  | 'QUOTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_ALREADY_USED'
  | 'REQUEST_IN_PROGRESS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'NO_RATE_AVAILABLE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** Those that pass by themselves: the same request may succeed later. */
export const retryableCodes: readonly string[] = [
  'REQUEST_IN_PROGRESS',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
]
