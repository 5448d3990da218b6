import type { AssetGroup, Booking } from '../../typescript/index.ts'
import { calendarFile } from '../calendarFile.ts'
import { translated } from '../choices.ts'
import type { Flow } from '../flow.ts'
import { bookingLink } from '../link.ts'
import { button, make } from '../ui/dom.ts'
import type { Booked } from '../visit.ts'

type Status = Booking['status']
type Shared = Pick<Flow, 'texts' | 'announce'>

export interface Receipt {
  readonly booking: Booking
  readonly booked: Booked
  readonly group: AssetGroup | undefined
}

const endings = {
  pending: 'stateConfirmed',
  confirmed: 'stateConfirmed',
  rejected: 'stateRejected',
  cancelled: 'stateCancelled',
} as const

/** Returns the list items from the request to the decision. */
export function stateItems({ texts: { t } }: Shared, status: Status): HTMLElement[] {
  const current = status === 'pending' ? 1 : 2
  return [t('stateRequested'), t('stateReview'), t(endings[status])].map((name, at) => {
    const isPast = at < current || status === 'confirmed'
    const attributes = {
      className: isPast ? 'past' : undefined,
      'aria-current': at === current ? 'step' : undefined,
    }
    return make('li', attributes, make('span', {}, name))
  })
}

/** Returns a button that copies a text. `place` shows the text if the clipboard is not permitted. */
export function copyButton(
  { texts: { t }, announce }: Shared,
  label: string,
  text: string,
  place: HTMLElement,
) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      element.textContent = t('copied')
      announce(t('copied'))
    } catch {
      place.textContent = text
    }
  }
  const element = button(label, copy)
  return element
}

/** Returns buttons to copy and share the link to a booking; empty if the page cannot have one. */
export function savedLink({ texts, announce }: Shared, bookingId: string): HTMLElement {
  const { t } = texts
  const url = bookingLink(location.href, bookingId)
  if (url === undefined) return make('p')
  const hint = make('p', { className: 'hint' }, t('saveLink'))
  const share = () => navigator.share({ title: t('titleBooking'), url }).catch(() => {})
  const copy = copyButton({ texts, announce }, t('copyLink'), url, hint)
  const sharing = 'share' in navigator && button(t('shareLink'), share)
  return make('div', { className: 'saved-link' }, copy, sharing, hint)
}

/** Returns a link to a calendar file with the rental. */
export function calendarLink(
  { texts: { t, lang }, config, links }: Flow,
  { booking, booked, group }: Receipt,
) {
  const { bookingId } = booking
  const { name, address } = translated(config, lang)
  const lines = [`${t('reference')}: ${bookingId}`, name, links.contact]
  const file = calendarFile({
    ...booking,
    summary: [group?.name ?? t('vehicle'), name].filter(Boolean).join(', '),
    description: lines.filter(Boolean).join('\n'),
    // Only the tab that made the booking knows whether another place was entered.
    location: booked.extras ? booked.pickupLocation || address || '' : '',
  })
  const href = URL.createObjectURL(new Blob([file], { type: 'text/calendar' }))
  const download = `booking-${bookingId.slice(0, 8)}.ics`
  return make('a', { href, download, className: 'calendar-file' }, t('calendar'))
}
