import type { Booking } from '../../typescript/index.ts'
import { sleep } from '../../typescript/retry.ts'
import { translated } from '../choices.ts'
import type { Flow } from '../flow.ts'
import type { MessageId } from '../messages/en.ts'
import { clientOf } from '../offer.ts'
import { button, make, setClass } from '../ui/dom.ts'
import { icon } from '../ui/icon.ts'
import { breakable, catalogName, contactLinks, section } from '../ui/parts.ts'
import { photoOf } from '../ui/photo.ts'
import { priceTable } from './breakdown.ts'
import { calendarLink, copyButton, type Receipt, savedLink, stateItems } from './receipt.ts'

const next: Readonly<Record<Booking['status'], MessageId>> = {
  pending: 'nextPending',
  confirmed: 'nextConfirmed',
  rejected: 'nextOver',
  cancelled: 'nextOver',
}
const disc = 'M0 12a12 12 0 1 0 24 0 12 12 0 1 0-24 0'
const cross =
  'M7 8.4 8.4 7l3.6 3.6L15.6 7 17 8.4 13.4 12l3.6 3.6-1.4 1.4-3.6-3.6L8.4 17 7 15.6l3.6-3.6z'
/** A clock, a check mark or a cross, cut out of the disc. */
const signs: Readonly<Record<Booking['status'], string>> = {
  pending: 'M11 5h2v6.4l4.3 2.5-1 1.7L11 12.6z',
  confirmed: 'M10.4 17.2l-4.6-4.6 1.5-1.5 3.1 3.1 6.4-6.4 1.5 1.5z',
  rejected: cross,
  cancelled: cross,
}
/** A confirmed booking may still be cancelled. */
const recheckSeconds = 60

/** Shows the booking, and its status as soon as the staff decide. */
export function bookingStep(flow: Flow, receipt: Receipt): HTMLElement {
  const { booking, booked, group } = receipt
  const { texts, emit, shown: signal, config, visit } = flow
  const { t } = texts
  const { explain, noticeOf } = flow.shared
  const notice = noticeOf(flow)
  const status = make('p', { role: 'status' })
  const states = make('ol', { className: 'states' })
  // Staff search by the first eight characters.
  const shortId = booking.bookingId.slice(0, 8)
  const reference = make(
    'bdi',
    { className: 'number', dir: 'ltr', title: booking.bookingId },
    shortId,
  )
  const copy = copyButton(flow, t('copy'), booking.bookingId, reference)
  const link = savedLink(flow, booking.bookingId)
  const number = make('div', { className: 'actions' }, reference, copy, link)
  const facts = factsOf(flow, receipt, number)
  const whatNext = make('p')
  const calendar = calendarLink(flow, receipt)
  const print = button(t('print'), () => globalThis.print())
  const actions = make('div', { className: 'actions' })
  const again = button('', flow.restart)

  /** Goes back to the dates with what the visitor entered for the rejected booking. */
  function chooseAgain(): void {
    visit.fields = { ...booked.entries }
    visit.save()
    void flow.begin('dates')
  }
  function render(seen: Booking): void {
    const { status: current } = seen
    setClass(status, `status ${current}`)
    const message = make('bdi', { className: 'message' }, seen.decisionMessage)
    status.replaceChildren(
      icon(24, 24, disc + signs[current]),
      ...headed(texts.message(current)),
      message,
    )
    whatNext.textContent = texts.message(next[current])
    states.replaceChildren(...stateItems(flow, current))
    const isOver = next[current] === 'nextOver'
    setClass(again, isOver ? 'primary' : '')
    again.textContent = t(isOver ? 'otherDates' : 'another')
    again.onclick = isOver ? chooseAgain : flow.restart
    const offered = isOver ? [again] : [print, again]
    actions.replaceChildren(...(current === 'confirmed' ? [calendar] : []), ...offered)
    link.hidden = isOver
    const { undecided } = booked
    booked.undecided = current === 'pending'
    if (current === 'confirmed') booked.entries = undefined
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
      const seen = await clientOf(flow).waitForDecision(bookingId, {
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
  const photo = group && photoOf(group)
  const price = make('div', { className: 'paid' }, photo, priceOf(flow, receipt))
  const parts = make('div', { className: 'receipt' }, facts, price)
  const after = make('div', { className: 'next' }, heading, whatNext, actions)
  return section(t('titleBooking'), states, status, notice.element, parts, after)
}

/** Returns a text with its first sentence as a title. */
function headed(text: string): (Node | string)[] {
  const [title = '', ...rest] = text.split(/(?<=\.) /)
  return [make('strong', {}, title), ' ', rest.join(' ')]
}

/** Returns the price lines if this page made the booking, else the total. */
function priceOf(flow: Flow, { booking, booked: { details } }: Receipt): HTMLElement | undefined {
  const { estimatedTotal, currency } = booking
  if (!estimatedTotal || !currency) return undefined
  if (details) return priceTable(flow, { currency, price: details.quote.breakdown })
  const { t, money } = flow.texts
  return descriptions([[t('sum'), make('strong', {}, money(estimatedTotal, currency))]])
}

/** Returns the items of a description list, without those that have no value. */
function factsOf(flow: Flow, { booking, booked, group }: Receipt, reference: HTMLElement) {
  const { t, fullMoment, lang } = flow.texts
  const { address } = translated(flow.config, lang)
  const contact = flow.links.contact ?? ''
  const station =
    (address || contact) &&
    make(
      'div',
      { className: 'at' },
      address && make('div', { className: 'address' }, address),
      ...contactLinks(contact),
    )
  const { pickupDatetime, dropoffDatetime } = booking
  const { firstName = '', lastName = '', email = '' } = booked.details?.customer ?? {}
  const name = make('bdi', {}, `${firstName} ${lastName}`)
  const customer = email && [name, make('br'), make('bdi', {}, ...breakable(email))]
  const at = (instant: string, place: string | null = '') =>
    place ? `${fullMoment(instant)}, ${place}` : fullMoment(instant)
  const extras = booked.extras?.join(', ')
  return descriptions([
    [t('reference'), reference],
    [t('vehicle'), group && catalogName(flow, group.name)],
    [t('pickup'), at(pickupDatetime, booked.pickupLocation)],
    [t('dropoff'), at(dropoffDatetime, booked.dropoffLocation)],
    [t('station'), station],
    [t('stepExtras'), extras && catalogName(flow, extras)],
    [t('bookedBy'), customer && make('span', {}, ...customer)],
  ])
}

/** Returns a description list without the terms that have no value. */
function descriptions(
  facts: readonly (readonly [string, Node | string | null | undefined])[],
): HTMLElement {
  const items = facts.map(
    ([name, value]) => value && make('div', {}, make('dt', {}, name), make('dd', {}, value)),
  )
  return make('dl', { className: 'facts' }, ...items)
}
