import {
  type Booking,
  type BookingRequest,
  newBookingAttempt,
  type Quote,
  type QuoteRequest,
  type RentalApiError,
  type RentalClient,
} from '../typescript/index.ts'
import type { ServerClock } from './serverClock.ts'
import type { Step, Visit } from './visit.ts'

/** A quote that is shown to the visitor. */
export interface Offer {
  readonly quote: Quote
  /** The name of the vehicle class. */
  readonly name: string
  /** The chosen extras as text. */
  readonly extras: readonly string[]
  /** The quote request as JSON, to detect changed choices. */
  readonly wanted: string
  /** The expiry on the visitor's clock, even if that clock is wrong. */
  readonly endMs: number
  /** Books the quote. All calls belong to one attempt, so that the quote is booked once. */
  book(request: BookingRequest): Promise<Booking>
  back: Step
  /** Whether the quote can no longer be booked. */
  isOver: boolean
}

export interface OfferRequest {
  readonly request: QuoteRequest
  readonly name: string
  readonly extras: readonly string[]
  readonly signal: AbortSignal
}

/** Requests a quote. */
export async function createOffer(
  rental: RentalClient,
  clock: ServerClock,
  { request, name, extras, signal }: OfferRequest,
): Promise<Offer> {
  const quote = await rental.createQuote(request, { signal })
  const attempt = newBookingAttempt()
  return {
    quote,
    name,
    extras,
    wanted: JSON.stringify(request),
    endMs: Date.now() + clock.secondsUntil(quote.expiresAt) * 1000,
    // No signal: the server may make the booking even if the visitor has left the page.
    book: (booking) => rental.createBooking(booking, attempt),
    back: 'vehicle',
    isOver: false,
  }
}

/** Books the offer of a visit. Calls during a running request share its result. */
export function sendBooking(visit: Visit, offer: Offer, request: BookingRequest): Promise<Booking> {
  visit.sending ??= send(visit, offer, request).finally(() => {
    visit.sending = undefined
  })
  return visit.sending
}

async function send(visit: Visit, offer: Offer, request: BookingRequest): Promise<Booking> {
  // Stored before the request, so that a reload does not lead to a second booking.
  visit.unsure = true
  visit.save()
  try {
    const booking = await offer.book(request)
    const { bookingId } = booking
    const { pickupLocation, dropoffLocation } = request
    const { extras } = offer
    // Personal data is deleted here. Stored before any further request, so that a reload shows the
    // booking and not the form.
    visit.reset({ bookingId, extras, pickupLocation, dropoffLocation, undecided: true })
    return booking
  } catch (error) {
    visit.unsure = (error as RentalApiError).outcomeUnknown !== false
    visit.save()
    throw error
  }
}
