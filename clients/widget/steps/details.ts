import {
  type Booking,
  type BookingAttempt,
  type BookingRequest,
  type Quote,
  RentalApiError,
} from '../../typescript/index.ts'
import { breakdownTable } from '../breakdown.ts'
import { countdown } from '../countdown.ts'
import { make } from '../dom.ts'
import type { Flow } from '../flow.ts'
import { onSubmit } from '../form.ts'
import type { Messages } from '../messages/en.ts'
import { field, section } from '../parts.ts'
import type { Step } from '../store.ts'

/** A price the visitor looks at; one attempt to book it, however often the button is pressed. */
export interface Offer {
  readonly quote: Quote
  readonly attempt: BookingAttempt
  /** When it expires by the page's clock, whatever that shows. */
  readonly endMs: number
  /** Whether nobody knows what came of the attempt: it may have booked. */
  unsure?: boolean
}

export interface DetailsOptions {
  /** Of the vehicle. */
  readonly name: string
  readonly offer: Offer
  readonly back: Step
  /** Forgets the offer, and asks for another. */
  renew(): Promise<void>
  booked(booking: Booking): Promise<void>
}

/** Who, and for how much: the binding price, and the customer's form. */
export function detailsStep(flow: Flow, options: DetailsOptions): HTMLElement {
  const { name, offer, back, renew, booked } = options
  const { rental, texts, announce, signal, shown } = flow
  const { t, money } = texts
  const { quote, attempt } = offer
  const left = make('span', { className: 'countdown' })
  const price = money(quote.total, quote.currency)
  const summary = make('p', {}, make('strong', {}, name), make('br'), left)
  const hint = make('p', { className: 'hint' }, t('charge'))
  const form = make('form', {}, ...customerFields(flow), hint)
  let isOver = false

  const { submit } = onSubmit(flow, {
    ...{ form, summary, onward: t('book', { price }), back },
    progress: () => (isOver ? 'pricing' : 'booking'),
    async run() {
      if (isOver) return renew()
      const request = { quoteId: quote.quoteId, ...customerIn(form) }
      const booking = await rental.createBooking(request, attempt, { signal })
      stop()
      await booked(booking)
    },
    onProblem(problem, error) {
      // Only this very attempt can find out what came of it: a new price would be a second booking.
      if (error instanceof RentalApiError && error.outcomeUnknown) {
        offer.unsure = true
        stop()
      } else if (problem.remedy === 'new-quote' && !shown.aborted) expire()
    },
  })

  function expire(): void {
    stop()
    isOver = true
    left.textContent = t('expired')
    announce(t('expired'))
    // In its place: whoever stands on the button stays there, whoever types goes on typing.
    submit.textContent = t('renew')
  }
  const stop = countdown(offer.endMs, {
    warn: () => announce(t('goodUntilAsked')),
    tick(seconds) {
      if (seconds > 0) left.textContent = t('goodFor', { left: minutesAndSeconds(seconds) })
      // What is on its way decides by itself whether it came in time.
      else if (!submit.ariaDisabled && !offer.unsure) expire()
    },
  })
  shown.addEventListener('abort', stop)
  if (offer.unsure) stop()
  return section(
    t('titleDetails'),
    make('div', { className: 'halves' }, breakdownTable(name, quote, texts), form),
  )
}

const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

function customerFields(flow: Flow): HTMLElement[] {
  const { t } = flow.texts
  const required = { required: true, maxLength: 100 }
  const place = { maxLength: 200 }
  const optional = t('optional')
  const named = (
    name: keyof Messages,
    attributes: object,
    hint?: string,
    tag: 'input' | 'textarea' = 'input',
  ) => field(flow, make(tag, { name, ...attributes }), t(name), hint)
  return [
    named('firstName', { ...required, autocomplete: 'given-name' }),
    named('lastName', { ...required, autocomplete: 'family-name' }),
    named('email', emailAttributes),
    named('phone', phoneAttributes, optional),
    named('pickupLocation', place, optional),
    named('dropoffLocation', place, optional),
    named('notes', { rows: 2, maxLength: 2000 }, optional, 'textarea'),
  ]
}

/** Not of type email: browsers would refuse jörg@example.com. */
const emailAttributes = {
  ...{ required: true, maxLength: 254, inputMode: 'email', autocomplete: 'email' },
  ...{ autocapitalize: 'none', spellcheck: false },
}
const phoneAttributes = { type: 'tel', autocomplete: 'tel', maxLength: 64 }

/** The API trims, and what is blank is left out there (decision 4). */
function customerIn(form: HTMLFormElement): Omit<BookingRequest, 'quoteId'> {
  type Name = keyof BookingRequest['customer'] | 'pickupLocation' | 'dropoffLocation' | 'notes'
  const entered = Object.fromEntries(new FormData(form)) as Record<Name, string>
  const { firstName, lastName, email, phone, ...rest } = entered
  return { customer: { firstName, lastName, email, phone }, ...rest }
}
