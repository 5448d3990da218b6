import type { Booking } from '../typescript/index.ts'
import { calendarFile } from './calendar.ts'
import { button, make } from './dom.ts'
import type { Flow } from './flow.ts'
import type { BookingOptions } from './steps/booking.ts'

interface Places {
  /** The shortened reference; the copy button is placed after it. */
  readonly reference: HTMLElement
  /** The calendar link is placed after this element. */
  readonly whatNext: HTMLElement
}

/**
 * Adds a button that copies the whole reference. The returned function takes the booking's status and
 * shows a calendar link for a confirmed booking.
 * Keep the signature compatible: a widget of another release may load this file.
 */
export function receiptOf(
  { texts: { t }, announce }: Pick<Flow, 'texts' | 'announce'>,
  { booking, booked, groupName = t('vehicle') }: BookingOptions,
  { reference, whatNext }: Places,
): (status: Booking['status']) => void {
  const { bookingId } = booking
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(bookingId)
      copyButton.textContent = t('copied')
      announce(t('copied'))
    } catch {
      // Without clipboard permission, show the whole reference so that it can be copied by hand.
      reference.textContent = bookingId
    }
  }
  const copyButton = button(t('copy'), copy, 'copy')
  reference.after(copyButton)

  const file = calendarFile({
    ...booking,
    summary: groupName,
    description: `${t('reference')}: ${bookingId}`,
    location: booked.pickupLocation ?? '',
  })
  const href = URL.createObjectURL(new Blob([file], { type: 'text/calendar' }))
  const download = `booking-${bookingId.slice(0, 8)}.ics`
  const link = make('a', { href, download, className: 'calendar' }, t('calendar'))
  const calendar = make('p')
  whatNext.after(calendar)
  return (status) => calendar.replaceChildren(status === 'confirmed' ? link : '')
}
