import type { BookingRequest } from '../../typescript/index.ts'
import { countdown } from '../countdown.ts'
import type { Flow } from '../flow.ts'
import type { MessageId } from '../messages/en.ts'
import type { Offer } from '../offer.ts'
import { make } from '../ui/dom.ts'
import { onSubmit, type Submission } from '../ui/form.ts'
import { catalogName, field, link, section } from '../ui/parts.ts'
import { breakdownTable } from './breakdown.ts'

/** The price's remaining time is shown in its last five minutes. */
const shownSeconds = 300

/** Returns the step with the binding price and the customer's form. */
export function detailsStep(flow: Flow, offer: Offer): HTMLElement {
  const { texts, announce, shown, visit } = flow
  const { t, money } = texts
  const { quote, name } = offer
  const left = make('span', { className: 'countdown' })
  const price = money(quote.total, quote.currency)
  const summary = make('p', {}, catalogName(flow, name), make('strong', {}, price), left)
  const form = make('form', {}, ...customerFields(flow), ...conditions(flow))

  const submission: Submission = {
    form,
    summary,
    onward: t('book', { price }),
    back: offer.back,
    progress: () => (offer.isOver ? 'pricing' : 'booking'),
    run: () =>
      offer.isOver
        ? flow.open('details')
        : flow.book({ quoteId: quote.quoteId, ...customerIn(form) }),
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
    if (visit.sending !== undefined) return
    if (visit.unsure) left.textContent = t('unsure')
    else if (seconds === 0) expire()
    else if (seconds <= shownSeconds) {
      left.textContent = t('goodFor', { left: minutesAndSeconds(seconds) })
    }
  }
  const warn = () => visit.unsure || announce(t('goodUntilAsked'))
  const stop = countdown(offer.endMs, tick, warn)
  shown.addEventListener('abort', stop)
  // The visitor came back during a booking request.
  if (visit.sending !== undefined) void attempt(submit, submission)
  return section(
    t('titleDetails'),
    make('div', { className: 'halves' }, priceBox(flow, offer), form),
  )
}

const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Returns the price, with its lines folded where there is no room beside the form. */
function priceBox(flow: Flow, offer: Offer): HTMLElement {
  const { texts } = flow
  const total = make('strong', {}, texts.money(offer.quote.total, offer.quote.currency))
  return make(
    'details',
    { className: 'bill', open: matchMedia('(min-width: 48rem)').matches },
    make('summary', {}, make('span', {}, texts.t('breakdown')), total),
    breakdownTable(flow, offer),
  )
}

/** Returns what the customer accepts, and that nothing is charged yet. */
function conditions({ links, texts }: Flow): HTMLElement[] {
  const { t } = texts
  const mark = '\u0000'
  const [before = '', after = ''] = t('accept', { link: mark }).split(mark)
  const accepted =
    links.termsUrl &&
    make('p', { className: 'hint' }, before, link(links.termsUrl, t('terms')), after)
  return [accepted, make('p', { className: 'hint' }, t('charge'))].filter(
    (part) => part !== null && part !== '',
  )
}

function customerFields(flow: Flow): HTMLElement[] {
  const { t, message } = flow.texts
  const required = { required: true, maxLength: 100 }
  const place = { maxLength: 200 }
  const optional = t('optional')
  const named = (
    name: MessageId,
    attributes: object,
    hint?: string,
    tag: 'input' | 'textarea' = 'input',
  ) => field(flow, make(tag, { name, ...attributes }), message(name), hint)
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
  required: true,
  maxLength: 254,
  inputMode: 'email',
  autocomplete: 'email',
  autocapitalize: 'none',
  spellcheck: false,
}
const phoneAttributes = { type: 'tel', autocomplete: 'tel', maxLength: 64 }

/** Returns the entered values. The API trims text and treats blank text as missing. */
function customerIn(form: HTMLFormElement): Omit<BookingRequest, 'quoteId'> {
  type Name = keyof BookingRequest['customer'] | 'pickupLocation' | 'dropoffLocation' | 'notes'
  const entered = Object.fromEntries(new FormData(form)) as Record<Name, string>
  const { firstName, lastName, email, phone, ...rest } = entered
  return { customer: { firstName, lastName, email, phone }, ...rest }
}
