import type { BookingAttempt, BookingRequest, Quote } from '../../typescript/index.ts'
import { breakdownTable } from '../breakdown.ts'
import { countdown } from '../countdown.ts'
import { make } from '../dom.ts'
import type { Flow } from '../flow.ts'
import { onSubmit, type Submission } from '../form.ts'
import type { Messages } from '../messages/en.ts'
import { field, section } from '../parts.ts'
import type { Step } from '../store.ts'

/** A quote that is shown to the visitor, with the one attempt to book it. */
export interface Offer {
  readonly quote: Quote
  readonly attempt: BookingAttempt
  /** The name of the vehicle class. */
  readonly name: string
  /** The chosen extras as text. */
  readonly extras: readonly string[]
  /** The quote request as JSON, to detect changed choices. */
  readonly wanted: string
  back?: Step
  /** The expiry on the visitor's clock, even if that clock is wrong. */
  readonly endMs: number
  sent?: Promise<void> | undefined
  /** Whether the quote can no longer be booked. */
  isOver?: boolean
}

/** Returns the step with the binding price and the customer's form. */
export function detailsStep(
  flow: Flow,
  offer: Offer,
  send: (request: BookingRequest) => Promise<void>,
): HTMLElement {
  const { texts, announce, shown } = flow
  const { t, money } = texts
  const { quote, name } = offer
  const left = make('span', { className: 'countdown' })
  const price = money(quote.total, quote.currency)
  const summary = make('p', {}, make('strong', {}, name), make('br'), left)
  const hint = make('p', { className: 'hint' }, t('charge'))
  const form = make('form', {}, ...customerFields(flow), hint)

  const submission: Submission = {
    ...{ form, summary, onward: t('book', { price }), back: offer.back },
    progress: () => (offer.isOver ? 'pricing' : 'booking'),
    run: () =>
      offer.isOver ? flow.open('details') : send({ quoteId: quote.quoteId, ...customerIn(form) }),
    onProblem({ remedy }) {
      if (remedy === 'new-quote') expire()
    },
  }
  const { submit, attempt } = onSubmit(flow, submission)

  function expire(): void {
    stop()
    offer.isOver = true
    left.textContent = t('expired')
    announce(t('expired'))
    // The button is reused, so that the visitor keeps the focus and can continue to type.
    submit.textContent = t('renew')
  }
  const tick = (seconds: number) => {
    // The response to a running request decides whether the quote was still valid.
    if (offer.sent !== undefined) return
    if (flow.visit.unsure) left.textContent = t('unsure')
    else if (seconds > 0) left.textContent = t('goodFor', { left: minutesAndSeconds(seconds) })
    else expire()
  }
  const warn = () => flow.visit.unsure || announce(t('goodUntilAsked'))
  const stop = countdown(offer.endMs, tick, warn)
  shown.addEventListener('abort', stop)
  // The visitor came back during a booking request.
  if (offer.sent !== undefined) void attempt(submit, submission)
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

/** Browsers reject addresses such as jörg@example.com in fields of type email. */
const emailAttributes = {
  ...{ required: true, maxLength: 254, inputMode: 'email', autocomplete: 'email' },
  ...{ autocapitalize: 'none', spellcheck: false },
}
const phoneAttributes = { type: 'tel', autocomplete: 'tel', maxLength: 64 }

/** Returns the entered values. The API trims text and treats blank text as missing. */
function customerIn(form: HTMLFormElement): Omit<BookingRequest, 'quoteId'> {
  type Name = keyof BookingRequest['customer'] | 'pickupLocation' | 'dropoffLocation' | 'notes'
  const entered = Object.fromEntries(new FormData(form)) as Record<Name, string>
  const { firstName, lastName, email, phone, ...rest } = entered
  return { customer: { firstName, lastName, email, phone }, ...rest }
}
