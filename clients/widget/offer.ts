import { newBookingAttempt } from '../typescript/attempt.ts'
import { withBookings } from '../typescript/client.ts'
import type { Connection } from '../typescript/connection.ts'
import type { Booking, BookingRequest, RentalClient } from '../typescript/index.ts'
import { chosenExtras, extrasFor } from './choices.ts'
import type { Period } from './config.ts'
import type { Flow } from './flow.ts'
import type { Vehicle } from './vehicles.ts'
import type { Offer } from './visit.ts'

const clients = new WeakMap<Connection, RentalClient>()

/** Returns the client that also creates quotes and bookings, always the same for one connection. */
export function clientOf({ connection }: Pick<Flow, 'connection'>): RentalClient {
  const client = clients.get(connection) ?? withBookings(connection)
  clients.set(connection, client)
  return client
}

/** Returns the current offer if it still matches the choices, else an offer with a new quote. */
export async function currentOffer(
  flow: Flow,
  period: Period,
  vehicle: Vehicle,
  signal: AbortSignal,
): Promise<Offer> {
  const { clock, emit } = flow
  const client = clientOf(flow)
  const { id: assetGroupId, name, imageUrl } = vehicle.group
  const chosen = chosenExtras(flow, vehicle)
  const lines = chosen.map(({ extra, quantity }) => ({ extraId: extra.id, quantity }))
  const request = { assetGroupId, ...period, extras: lines }
  const wanted = JSON.stringify(request)
  const { offer } = flow.visit
  if (offer?.wanted === wanted && !offer.isOver) return offer
  const quote = await client.createQuote(request, { signal })
  emit('quoted', quote)
  return {
    quote,
    name,
    imageUrl,
    extras: chosen.map(({ extra, quantity }) => `${quantity} × ${extra.name}`),
    wanted,
    endMs: Date.now() + clock.secondsUntil(quote.expiresAt) * 1000,
    attempt: { ...newBookingAttempt(), sessionToken: client.sessionTokenOf(quote.quoteId) },
    back: extrasFor(flow, vehicle).length > 0 ? 'extras' : 'vehicle',
  }
}

type Sender = Pick<Flow, 'connection' | 'visit'>

/** Books an offer. Calls during a running request share its result. */
export function sendBooking(
  sender: Sender,
  offer: Offer,
  request: BookingRequest,
): Promise<Booking> {
  const { visit } = sender
  visit.sending ??= send(sender, offer, request).finally(() => {
    visit.sending = undefined
  })
  return visit.sending
}

async function send({ connection, visit }: Sender, offer: Offer, request: BookingRequest) {
  // Stored before the request: after a reload, the same request can be sent again.
  visit.offer = offer
  visit.sent ??= request
  visit.save()
  const { pickupLocation, dropoffLocation, customer } = visit.sent
  try {
    // No signal: the server may make the booking even if the visitor has left the page.
    const booking = await clientOf({ connection }).createBooking(visit.sent, offer.attempt)
    const { extras, quote } = offer
    visit.reset({
      bookingId: booking.bookingId,
      extras,
      pickupLocation,
      dropoffLocation,
      details: { quote, customer },
      undecided: true,
      entries: visit.fields,
    })
    return booking
  } catch (error) {
    const { outcomeUnknown, code } = error as { outcomeUnknown?: boolean; code?: string }
    // The API validates a request first, so it has rejected the same request before, too.
    if (outcomeUnknown === false || code === 'VALIDATION_ERROR') visit.sent = undefined
    visit.save()
    throw error
  }
}
