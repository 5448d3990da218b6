import type { AssetGroup, Booking } from '../../typescript/index.ts'
import { calendarFile } from '../calendarFile.ts'
import type { Flow } from '../flow.ts'
import { button, make } from '../ui/dom.ts'
import type { Booked } from '../visit.ts'

type Status = Booking['status']

export interface ReceiptOptions {
  readonly booking: Booking
  readonly booked: Booked
  readonly group: AssetGroup | undefined
}

interface Places {
  /** The shortened reference; the copy button is placed after it. */
  readonly reference: HTMLElement
  readonly states: HTMLElement
  /** The row of links and buttons. */
  readonly actions: HTMLElement
}

const endings = {
  pending: 'stateConfirmed',
  confirmed: 'stateConfirmed',
  rejected: 'stateRejected',
  cancelled: 'stateCancelled',
} as const

/**
 * Fills in the states, the copy button and the actions of a booking. The returned function takes the
 * booking's status.
 */
export function receiptOf(
  { texts: { t }, announce }: Pick<Flow, 'texts' | 'announce'>,
  { booking, booked, group }: ReceiptOptions,
  { reference, states, actions }: Places,
): (status: Status) => void {
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
    summary: group?.name ?? t('vehicle'),
    description: `${t('reference')}: ${bookingId}`,
    location: booked.pickupLocation ?? '',
  })
  const href = URL.createObjectURL(new Blob([file], { type: 'text/calendar' }))
  const download = `booking-${bookingId.slice(0, 8)}.ics`
  const calendar = make('a', { href, download, className: 'calendar-file' }, t('calendar'))
  const print = button(t('print'), () => globalThis.print(), 'print')

  return (status) => {
    const isOpen = status === 'pending'
    const names = [t('stateRequested'), t('stateReview'), t(endings[status])]
    const current = isOpen ? 1 : 2
    states.replaceChildren(
      ...names.map((name, at) =>
        make(
          'li',
          {
            className: at < current || status === 'confirmed' ? 'past' : undefined,
            'aria-current': at === current ? 'step' : undefined,
          },
          make('span', {}, name),
        ),
      ),
    )
    actions.replaceChildren(...(status === 'confirmed' ? [calendar] : []), print)
  }
}
