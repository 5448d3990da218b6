import type { Booking } from '../../typescript/index.ts'
import { sleep } from '../../typescript/retry.ts'
import { explain } from '../explain.ts'
import type { Flow } from '../flow.ts'
import type { MessageId } from '../messages/en.ts'
import { button, make, setClass } from '../ui/dom.ts'
import { noticeOf } from '../ui/notice.ts'
import { catalogName, section } from '../ui/parts.ts'
import { calendarLink, copyButton, type Receipt, stateItems } from './receipt.ts'

const next: Readonly<Record<Booking['status'], MessageId>> = {
  pending: 'nextPending',
  confirmed: 'nextConfirmed',
  rejected: 'nextOver',
  cancelled: 'nextOver',
}
/** A confirmed booking may still be cancelled. */
const recheckSeconds = 60

/** Shows the booking, and its status as soon as the staff decide. */
export function bookingStep(flow: Flow, receipt: Receipt): HTMLElement {
  const { booking, booked, group } = receipt
  const { texts, emit, rental, shown: signal, config, visit } = flow
  const { t } = texts
  const notice = noticeOf(flow)
  const status = make('p', { role: 'status' })
  const states = make('ol', { className: 'trail' })
  // Staff search by the first eight characters.
  const reference = make('span', { title: booking.bookingId }, booking.bookingId.slice(0, 8))
  const facts = make('dl', { className: 'facts' }, ...factsOf(flow, receipt, reference))
  reference.after(copyButton(flow, booking.bookingId, reference))
  const whatNext = make('p')
  const calendar = calendarLink(flow, receipt)
  const print = button(t('print'), () => globalThis.print(), 'print')
  const actions = make('div', { className: 'actions' }, print)

  function render(seen: Booking): void {
    const { status: current } = seen
    setClass(status, `status ${current}`)
    status.textContent = texts.message(current)
    whatNext.textContent = texts.message(next[current])
    states.replaceChildren(...stateItems(flow, current))
    if (current === 'confirmed') actions.prepend(calendar)
    else calendar.remove()
    const { undecided } = booked
    booked.undecided = current === 'pending'
    // Saved before the event, because a listener may leave the page.
    visit.save()
    if (undecided && !booked.undecided) emit('decided', seen)
  }
  async function follow({ bookingId, status: known }: Booking): Promise<void> {
    notice.clear()
    try {
      if (known === 'confirmed') await sleep(recheckSeconds, signal)
      else if (known !== 'pending') return
      // For a final booking this sends one request.
      const seen = await rental.waitForDecision(bookingId, {
        signal,
        intervalSeconds: config.pollSeconds,
        onTrouble: (error) =>
          error === undefined ? notice.clear() : notice.show({ text: 'lostWhilePolling' }),
      })
      render(seen)
      return follow(seen)
    } catch (error) {
      if (signal.aborted) return
      emit('failed', error)
      notice.show(explain(error), () => void follow({ ...booking, status: known }))
    }
  }
  render(booking)
  void follow(booking)
  const heading = make('h3', {}, t('next'))
  const again = button(t('another'), flow.restart, 'quiet')
  const photo = group?.imageUrl && make('img', { className: 'photo', src: group.imageUrl, alt: '' })
  const parts = make('div', { className: 'receipt' }, facts, photo)
  const after = make('div', { className: 'next' }, heading, whatNext, actions)
  return section(t('titleBooking'), states, status, notice.element, parts, after, again)
}

/** Returns the items of a description list, without those that have no value. */
function factsOf(flow: Flow, { booking, booked, group }: Receipt, reference: HTMLElement) {
  const { t, moment, money } = flow.texts
  const { pickupDatetime, dropoffDatetime, estimatedTotal, currency } = booking
  const at = (instant: string, place: string | null = '') =>
    place ? `${moment(instant)}, ${place}` : moment(instant)
  const extras = booked.extras?.join(', ')
  const facts: readonly (readonly [string, Node | string | null | undefined])[] = [
    [t('reference'), reference],
    [t('vehicle'), group && catalogName(flow, group.name)],
    [t('pickup'), at(pickupDatetime, booked.pickupLocation)],
    [t('dropoff'), at(dropoffDatetime, booked.dropoffLocation)],
    [t('stepExtras'), extras && catalogName(flow, extras)],
    [t('sum'), estimatedTotal && currency && money(estimatedTotal, currency)],
  ]
  return facts.flatMap(([name, value]) =>
    value ? [make('div', {}, make('dt', {}, name), make('dd', {}, value))] : [],
  )
}
