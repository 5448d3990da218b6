import type { Booking } from '../../clients/typescript/index.ts'
import type { Shop } from './config.ts'
import { byId, goTo, make, markStep } from './dom.ts'
import { moment, money } from './format.ts'
import { explain } from './messages.ts'
import { noticeOf } from './notice.ts'

const texts: Readonly<Record<Booking['status'], string>> = {
  pending: 'Received. Our staff are looking at your booking; this page tells you what they decide.',
  confirmed: 'Confirmed. Your vehicle is reserved.',
  rejected: "Declined. We are sorry: we can't take this booking. Nothing was charged.",
  cancelled: 'Cancelled. This booking is no longer valid.',
}

export interface BookingStep {
  show(booking: Booking): void
  /** Finds a booking again, after the page was loaded anew. */
  find(bookingId: string): Promise<void>
}

/** The booking and what the staff decide, as soon as they do. */
export function bookingStep({ rental, config }: Shop): BookingStep {
  const section = byId('booking', HTMLElement)
  const notice = noticeOf(section)

  async function follow(bookingId: string): Promise<void> {
    notice.clear()
    try {
      const decided = await rental.waitForDecision(bookingId, {
        intervalSeconds: config.pollSeconds,
        onTrouble: (error) =>
          error === undefined
            ? notice.clear()
            : notice.show(
                { text: 'The connection is lost. We keep trying.', remedy: 'none' },
                () => {},
              ),
      })
      render(decided)
    } catch (error) {
      notice.show(explain(error), () => void follow(bookingId))
    }
  }
  function render(booking: Booking): void {
    const status = byId('booking-status', HTMLElement)
    status.className = `status ${booking.status}`
    status.textContent = texts[booking.status]
    byId('booking-facts', HTMLElement).replaceChildren(...facts(booking, config.shop.timeZone))
  }
  function show(booking: Booking): void {
    markStep('Booking')
    goTo(section)
    render(booking)
    if (booking.status === 'pending') void follow(booking.bookingId)
  }
  return { show, find: async (bookingId) => show(await rental.getBooking(bookingId)) }
}

function facts(booking: Booking, timeZone: string): HTMLElement[] {
  const { bookingId, pickupDatetime, dropoffDatetime, estimatedTotal, currency } = booking
  const pairs: [string, string][] = [
    ['Pickup', moment(pickupDatetime, timeZone)],
    ['Drop-off', moment(dropoffDatetime, timeZone)],
    ['Reference', bookingId],
  ]
  if (estimatedTotal !== null && currency !== null) {
    pairs.splice(2, 0, ['Total', money(estimatedTotal, currency)])
  }
  return pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])
}
