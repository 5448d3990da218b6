import type { Booking, BookingAttempt, BookingRequest, Quote } from '../typescript/index.ts'
import { toJson } from '../typescript/json.ts'
import type { Fields } from './config.ts'
import type { RentalStep as Step } from './rental-booking.d.ts'

export type { Step }

export const steps: readonly Step[] = ['dates', 'vehicle', 'extras', 'details', 'booking']

/** A quote that is shown to the visitor. */
export interface Offer {
  readonly quote: Quote
  /** The name and the photo of the vehicle class. */
  readonly name: string
  readonly imageUrl: string | null
  /** The chosen extras as text. */
  readonly extras: readonly string[]
  /** The quote request as JSON, to detect changed choices. */
  readonly wanted: string
  /** The expiry on the visitor's clock, even if that clock is wrong. */
  readonly endMs: number
  /** Sent with each booking request, so that the quote is booked once. */
  readonly attempt: BookingAttempt
  readonly back: Step
  /** Whether the quote can no longer be booked. */
  isOver?: boolean
}

/** The price and the customer of a booking. */
interface BookedDetails extends Pick<Offer, 'quote'> {
  readonly customer: BookingRequest['customer']
}

/** A booking with the details that the API does not return. */
export interface Booked {
  readonly bookingId: string
  readonly extras?: readonly string[]
  readonly pickupLocation?: string | null | undefined
  readonly dropoffLocation?: string | null | undefined
  /** Whether the event `decided` has not been dispatched yet. */
  undecided?: boolean
  /** The visitor's entries until the booking is confirmed, for another booking after a rejection. */
  entries?: Fields | undefined
  /** Personal data, which is not stored: a reload loses it. */
  readonly details?: BookedDetails | undefined
}

/**
 * The values that a visitor has entered, and the step that is shown. The tab stores everything but the
 * promise; an offer only while a booking of it is sent.
 */
export class Visit {
  step: Step = 'dates'
  fields: Record<string, string> = {}
  booked: Booked | undefined
  offer: Offer | undefined
  /** The booking of the offer that was sent. Its outcome is unknown. */
  sent: BookingRequest | undefined
  /** The booking request that is running. */
  sending: Promise<Booking> | undefined
  /** The dates of the page that were taken. */
  given = 'null null'
  readonly #name: string

  /** Reads the visit that the tab stores under a name. */
  constructor(name: string) {
    this.#name = name
    try {
      Object.assign(this, JSON.parse(sessionStorage.getItem(name) ?? '{}'))
    } catch {}
  }

  /** Stores the visit. Without storage, a reload starts a new visit. */
  save(): void {
    const { step, fields, sent, given } = this
    const booked = this.booked && { ...this.booked, details: undefined }
    const offer = sent && this.offer
    try {
      sessionStorage.setItem(this.#name, toJson({ step, fields, booked, sent, offer, given }))
    } catch {}
  }

  /** Deletes all entered values, or replaces them by a booking. */
  reset(booked?: Booked): void {
    this.step = booked === undefined ? 'dates' : 'booking'
    this.fields = {}
    this.booked = booked
    this.offer = undefined
    this.sent = undefined
    this.save()
  }
}

const visits = new Map<string, Visit>()

/** Returns the visit of a name. A widget that replaces another one continues its visit. */
export function visitOf(name: string): Visit {
  const visit = visits.get(name) ?? new Visit(name)
  visits.set(name, visit)
  return visit
}
