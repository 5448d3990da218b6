import type { Booking } from '../typescript/index.ts'
import { calendarFile } from './calendar.ts'
import { button, make } from './dom.ts'
import type { Flow } from './flow.ts'
import type { BookingOptions } from './steps/booking.ts'

interface Places {
  /** The reference as staff type it. */
  readonly reference: HTMLElement
  /** The calendar file is offered after it. */
  readonly whatNext: HTMLElement
}

/**
 * Lets a visitor copy the whole reference, and save a confirmed booking in a calendar: call what it
 * returns with each status. The widget loads this file by itself, perhaps of another release: what it
 * takes stays.
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
      // Not every page may: then by hand.
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
