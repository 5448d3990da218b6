import {
  type Booking,
  type BookingRequest,
  newBookingAttempt,
  type Quote,
  RentalApiError,
} from '../typescript/index.ts'
import { chosenExtras } from './choices.ts'
import type { Period } from './config.ts'
import type { Flow } from './flow.ts'
import type { Vehicle } from './vehicles.ts'
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

/** Returns the current offer if it still matches the choices, else an offer with a new quote. */
export async function currentOffer(flow: Flow, period: Period, vehicle: Vehicle): Promise<Offer> {
  const { rental, clock, signal, emit } = flow
  const { id: assetGroupId, name } = vehicle.group
  const chosen = chosenExtras(flow, vehicle)
  const lines = chosen.map(({ extra, quantity }) => ({ extraId: extra.id, quantity }))
  const request = { assetGroupId, ...period, extras: lines }
  const wanted = JSON.stringify(request)
  const { offer } = flow.visit
  if (offer?.wanted === wanted && !offer.isOver) return offer
  const quote = await rental.createQuote(request, { signal })
  emit('quoted', quote)
  const attempt = newBookingAttempt()
  return {
    quote,
    name,
    extras: chosen.map(({ extra, quantity }) => `${quantity} × ${extra.name}`),
    wanted,
    endMs: Date.now() + clock.secondsUntil(quote.expiresAt) * 1000,
    // No signal: the server may make the booking even if the visitor has left the page.
    book: (booking) => rental.createBooking(booking, attempt),
    back: 'vehicle',
    isOver: false,
  }
}

/**
 * Books the offer of a visit. Calls during a running request share its result.
 * @throws RentalApiError if a reload lost the offer
 */
export async function sendBooking(visit: Visit, request: BookingRequest): Promise<Booking> {
  const { offer } = visit
  if (offer === undefined) throw unknownOutcome()
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
    const { extras, name, quote } = offer
    const details = { name, quote, customer: request.customer }
    // Personal data is deleted here, except for `details`, which are not stored. Stored before any
    // further request, so that a reload shows the booking and not the form.
    visit.reset({ bookingId, extras, pickupLocation, dropoffLocation, details, undecided: true })
    return booking
  } catch (error) {
    visit.unsure = (error as RentalApiError).outcomeUnknown !== false
    visit.save()
    throw error
  }
}

export const unknownOutcome = () =>
  new RentalApiError({
    status: 0,
    code: 'SESSION_EXPIRED',
    message: 'The outcome of the booking is unknown.',
    outcomeUnknown: true,
  })
