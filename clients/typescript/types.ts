// Generated from openapi.yaml by `npm run openapi`: do not edit.

/** A vehicle class. */
export interface AssetGroup {
  /** The id of the asset group. */
  readonly id: string
  /** The name that customers see. */
  readonly name: string
  /** The kind of vehicle, such as `car` or `van`. */
  readonly category: string
  /** A text for customers; it may have several lines. Null without one. */
  readonly description: string | null
  /** The address of a picture, beginning with `https://` or `http://`. Null without one. */
  readonly imageUrl: string | null
}

/** A rate, for display only: a quote has the price that can be booked. */
export interface Rate {
  /** The id of the rate. */
  readonly id: string
  /** The name that customers see. */
  readonly name: string
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly dailyRate: string
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly hourlyRate: string | null
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly weeklyRate: string | null
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly monthlyRate: string | null
  /** The charged days of the shortest rental whose pickup date has this rate. Null means any length. */
  readonly minDays: number | null
  /** An ISO 4217 currency code. */
  readonly currency: string
  /** First day on which the rate applies. Null means no start date. */
  readonly validFrom: string | null
  /** Last day on which the rate applies. Null means no end date. */
  readonly validTo: string | null
}

/** The vehicles of an asset group in a range. */
export interface Availability {
  /** The id of the asset group (vehicle class). */
  readonly assetGroupId: string
  /** In UTC, with milliseconds and `Z`. */
  readonly from: string
  /** In UTC, with milliseconds and `Z`. */
  readonly to: string
  /** Whether at least one vehicle is available. */
  readonly available: boolean
  /** Number of vehicles that are available. */
  readonly availableCount: number
  /** Number of vehicles in the asset group, including blocked vehicles. */
  readonly totalAssets: number
  /** The parts of the range in which no vehicle is free, in order. A rental of an hour or more that overlaps one of them is not available. Empty if `available` is true. A rental between two of them may still not be available: ask for its own range. */
  readonly soldOut: readonly SoldOutPeriod[]
}

/** A period without a free vehicle, half-open. */
export interface SoldOutPeriod {
  /** Start of the period, in UTC. */
  readonly from: string
  /** End of the period, in UTC. */
  readonly to: string
}

/** A session of a browser. */
export interface Session {
  /** A JWT. Send it in the `X-Session-Token` header. */
  readonly sessionToken: string
  /** In UTC, with milliseconds and `Z`. */
  readonly expiresAt: string
}

export interface ExtraLine {
  /** The id of an extra, from the rental company's site config. */
  readonly extraId: string
  /** How many of this extra. */
  readonly quantity: number
}

export interface QuoteRequest {
  /** The id of the asset group (vehicle class). */
  readonly assetGroupId: string
  /** An RFC 3339 date-time with an offset, such as `2035-06-01T10:00:00+02:00`, in the years 2000 to 2100 (UTC). Must not be in the past, unless the tenant allows it, and must be within the tenant’s opening hours. */
  readonly pickupDatetime: string
  /** An RFC 3339 date-time with an offset, such as `2035-06-01T10:00:00+02:00`, in the years 2000 to 2100 (UTC). Must be later than the pickup, by at most 366 days in the tenant’s time zone, and within the opening hours. */
  readonly dropoffDatetime: string
  /** The extras, each listed once. */
  readonly extras?: readonly ExtraLine[] | null
}

/** A binding price, which can be booked once. */
export interface Quote {
  /** The id for `POST /bookings`. */
  readonly quoteId: string
  /** The id of the asset group (vehicle class). */
  readonly assetGroupId: string
  /** In UTC, with milliseconds and `Z`. */
  readonly pickupDatetime: string
  /** In UTC, with milliseconds and `Z`. */
  readonly dropoffDatetime: string
  /** The price that can be booked, in `currency`, tax included. */
  readonly total: string
  /** An ISO 4217 currency code. */
  readonly currency: string
  readonly breakdown: Breakdown
  /** The quote can be booked until this time. */
  readonly expiresAt: string
}

/** The calculation of the total. The amounts of its lines add up exactly. */
export interface Breakdown {
  /** Full days in the tenant’s time zone. A started 24th hour counts as a day. */
  readonly days: number
  /** Hours charged in addition to the full days. A started hour counts as an hour. */
  readonly hours: number
  readonly rate: ChargedRate
  /** The charged extras. */
  readonly extras: readonly ChargedExtra[]
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly subtotal: string
  readonly tax: Tax
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly total: string
}

/** The price of the vehicle, without extras and tax. */
export interface ChargedRate {
  /** The rate of the first day. */
  readonly id: string
  /** The name of that rate. */
  readonly name: string
  /** The charges: the cheapest combination of months, weeks, days and hours, for each season separately. */
  readonly lines: readonly RateLine[]
}

/** `amount` is `quantity` × `unitPrice`. */
export interface RateLine {
  /** The rate that this line is charged by. */
  readonly rateId: string
  /** The name of that rate. */
  readonly rateName: string
  /** The charged period. A month is 30 days. New units may be added. */
  readonly unit: 'month' | 'week' | 'day' | 'hour' | (string & Record<never, never>)
  /** The number of units. */
  readonly quantity: number
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly unitPrice: string
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly amount: string
}

/** An extra and what it costs in this rental. */
export interface ChargedExtra {
  /** The id of the extra. */
  readonly extraId: string
  /** The name that customers see. */
  readonly name: string
  /** Whether a unit is charged for each day or once. New values may be added. */
  readonly pricing: 'per_day' | 'per_rental' | (string & Record<never, never>)
  /** Number of days charged. Null means priced per rental. */
  readonly days: number | null
  /** Maximum price of one unit for any number of days. Null means no maximum. */
  readonly maxPrice: string | null
  /** The number of units. */
  readonly quantity: number
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly unitPrice: string
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly amount: string
}

/** The tax in the total. */
export interface Tax {
  /** The tax rate in percent, such as `25` or `7.7`. */
  readonly percent: string
  /** An amount in `currency`: a decimal number with exactly as many decimals as the currency has. */
  readonly amount: string
  /** Whether the subtotal already includes the tax. */
  readonly included: boolean
}

/** Text is normalized before validation: characters are composed (NFC); spaces of any kind and tabs are trimmed and, except in notes, become one space; lines of notes end with \n. In all other texts, U+00AD, U+061C, U+200B, U+200E, U+200F, U+202A–202E, U+2060, U+2066–2069 and U+FEFF are removed; in the email address, full-width characters become ASCII. For optional fields, null and blank text are the same as omitting the field. No text may contain control characters (C0, DEL, C1) or unpaired surrogates, except line breaks of any kind and tabs in notes; U+2028 and U+2029 are line breaks. A name needs at least one visible character. */
export interface BookingRequest {
  /** The id of an unexpired, unused quote of this key. */
  readonly quoteId: string
  readonly customer: Customer
  /** The place where the customer wants to get the vehicle. */
  readonly pickupLocation?: string | null
  /** The place where the customer wants to return the vehicle. */
  readonly dropoffLocation?: string | null
  /** The only field that may contain line breaks. */
  readonly notes?: string | null
  /** The caller's own number of the booking. Staff see it and can search for it, and responses return it. */
  readonly reference?: string | null
}

/** The person who rents the vehicle. */
export interface Customer {
  /** Given names. */
  readonly firstName: string
  /** Family name. */
  readonly lastName: string
  /** One address, as browsers accept it in `type=email`, or an internationalized one such as `kari@blåbær.no`. */
  readonly email: string
  /** At least three digits. Before validation, no-break spaces and invisible characters are removed, and other scripts' digits, full-width characters and dashes of any kind become ASCII. */
  readonly phone?: string | null
}

/** A booking and its status. */
export interface Booking {
  /** The id for `GET /bookings/{id}`. */
  readonly bookingId: string
  /** `pending` until the staff confirm or reject the booking. A pending or confirmed booking may be cancelled. No other status will be added in v1. */
  readonly status: 'pending' | 'confirmed' | 'rejected' | 'cancelled'
  /** The id of the asset group (vehicle class). */
  readonly assetGroupId: string | null
  /** In UTC, with milliseconds and `Z`. */
  readonly pickupDatetime: string
  /** In UTC, with milliseconds and `Z`. */
  readonly dropoffDatetime: string
  /** The total of the quote. */
  readonly estimatedTotal: string | null
  /** An ISO 4217 currency code. */
  readonly currency: string | null
  /** In UTC, with milliseconds and `Z`. */
  readonly createdAt: string
  /** The caller's own number of the booking. Null without one, and after an erasure. */
  readonly reference: string | null
  /** The message of the staff to the customer with the last decision; it may have several lines. Null without a message, and after an erasure. */
  readonly decisionMessage: string | null
}

/** The invalid fields, each with its path. */
export type ErrorDetails = readonly ErrorDetail[]

export interface ErrorDetail {
  /** The field, with the names around it. */
  readonly path: string
  /** The problem, for people. It may change. */
  readonly message: string
}

/** All error codes of the API. */
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

/** Error codes after which the same request may succeed later. */
export const retryableCodes: readonly string[] = [
  'REQUEST_IN_PROGRESS',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]
