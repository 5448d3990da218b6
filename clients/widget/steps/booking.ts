import type { Booking } from '../../typescript/index.ts'
import { sleep } from '../../typescript/retry.ts'
import { button, make, setClass } from '../dom.ts'
import { explain } from '../explain.ts'
import type { Flow } from '../flow.ts'
import type { Messages } from '../messages/en.ts'
import { noticeOf } from '../notice.ts'
import { facts, section } from '../parts.ts'
import type { Booked } from '../store.ts'

const next: Readonly<Record<Booking['status'], keyof Messages>> = {
  pending: 'nextPending',
  confirmed: 'nextConfirmed',
  rejected: 'nextOver',
  cancelled: 'nextOver',
}
/** A confirmed booking may still be cancelled. */
const recheckSeconds = 60

export interface BookingOptions {
  readonly booking: Booking
  readonly booked: Booked
  readonly groupName: string | undefined
}

/** Shows the booking, and its status as soon as the staff decide. */
export function bookingStep(flow: Flow, options: BookingOptions): HTMLElement {
  const { booking, booked } = options
  const { texts, announce, emit, rental, shown: signal, config } = flow
  const { t } = texts
  const notice = noticeOf(texts, announce)
  const status = make('p', { role: 'status' })
  // Staff search by the first eight characters.
  const reference = make('span', { title: booking.bookingId }, booking.bookingId.slice(0, 8))
  const list = make('dl', { className: 'facts' }, ...facts(factsOf(flow, options, reference)))
  const whatNext = make('p')
  // The receipt is optional: a failed import does not prevent the booking from being shown.
  const receipt = import('../receipt.ts').then(
    ({ receiptOf }) => receiptOf(flow, options, { reference, whatNext }),
    () => undefined,
  )

  function render(seen: Booking): void {
    const { status: current } = seen
    setClass(status, `status ${current}`)
    status.textContent = t(current)
    whatNext.textContent = t(next[current])
    void receipt.then((show) => show?.(current))
    const { undecided } = booked
    booked.undecided = current === 'pending'
    // Saved before the event, because a listener may leave the page.
    flow.save()
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
  const again = button(t('another'), flow.restart)
  return section(t('titleBooking'), status, list, heading, whatNext, notice.element, again)
}

function factsOf(
  { texts }: Flow,
  { booking, booked, groupName }: BookingOptions,
  reference: HTMLElement,
) {
  const { t, moment, money } = texts
  const { pickupDatetime, dropoffDatetime, estimatedTotal, currency } = booking
  const at = (instant: string, place: string | null = '') =>
    place ? `${moment(instant)}, ${place}` : moment(instant)
  return [
    [t('vehicle'), groupName],
    [t('pickup'), at(pickupDatetime, booked.pickupLocation)],
    [t('dropoff'), at(dropoffDatetime, booked.dropoffLocation)],
    [t('stepExtras'), booked.extras?.join(', ')],
    [t('sum'), estimatedTotal && currency && money(estimatedTotal, currency)],
    [t('reference'), reference],
  ] as const
}
