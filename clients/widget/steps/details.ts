import type { BookingRequest } from '../../typescript/index.ts'
import { countdown } from '../countdown.ts'
import type { Flow } from '../flow.ts'
import type { MessageId } from '../messages/en.ts'
import { sendBooking } from '../offer.ts'
import { button, make } from '../ui/dom.ts'
import { field, input, link, section } from '../ui/parts.ts'
import { mark } from '../ui/text.ts'
import type { Submission } from '../ui/types.ts'
import type { Offer } from '../visit.ts'
import { choiceBox } from './breakdown.ts'
import { factList } from './facts.ts'

/** The price's remaining time is shown in its last five minutes. */
const shownSeconds = 300

/** Returns the step with the binding price and the customer's form. */
export function detailsStep(flow: Flow, offer: Offer): HTMLElement {
  const { texts, announce, shown, visit, reference } = flow
  const { isField, onSubmit } = flow.shared
  const { t, money } = texts
  const { quote, name, imageUrl } = offer
  const { total, currency, breakdown } = quote
  const left = make('p')
  const bill = choiceBox(flow, { name, imageUrl, period: quote, currency, price: breakdown })
  const expiry = make('div')
  const fields = make('div', {}, ...customerFields(flow), ...conditions(flow), factList(flow))
  const form = make('form', {}, make('div', { className: 'halves' }, bill, fields))

  const onward = () => (visit.sent ? t('retry') : t('book', { price: money(total, currency) }))
  const submission: Submission = {
    form,
    summary: left,
    onward: onward(),
    back: offer.back,
    progress: () => (offer.isOver ? 'pricing' : 'booking'),
    run(wish) {
      if (offer.isOver) return flow.open('details', wish)
      const request = { quoteId: quote.quoteId, ...customerIn(form), reference }
      const booked = flow.book(() => sendBooking(flow, offer, request), wish)
      showSent()
      return booked
    },
    onProblem({ remedy }) {
      showSent()
      if (remedy === 'new-quote') endOffer()
      else if (remedy !== 'retry') submit.textContent = onward()
    },
  }
  const { submit, goBack, attempt } = onSubmit(flow, submission)
  const startOver = button(t('startOver'), flow.restart, 'quiet')
  goBack?.after(startOver)

  /** Shows whether the form was sent. Until the outcome is known, only the same form can be sent. */
  function showSent(): void {
    const isSent = visit.sent !== undefined
    for (const entry of form.elements) if (isField(entry)) entry.toggleAttribute('readonly', isSent)
    goBack?.toggleAttribute('hidden', isSent)
    startOver.hidden = !isSent || visit.sending !== undefined
    left.textContent = isSent && !visit.sending ? t('unsure') : ''
  }

  function endOffer(): void {
    stop()
    offer.isOver = true
    left.textContent = ''
    bill.classList.add('over')
    // The button is reused, so that the visitor keeps the focus and can continue to type.
    submit.textContent = t('renew')
  }
  function expire(): void {
    endOffer()
    const alert = make('p', { role: 'alert' }, t('expired'))
    expiry.replaceChildren(make('div', { className: 'problem' }, alert))
  }
  const tick = (seconds: number) => {
    // The response to a running request decides whether the quote was still valid.
    if (visit.sending !== undefined) return
    if (visit.sent) showSent()
    else if (seconds === 0) expire()
    else if (seconds <= shownSeconds) {
      left.textContent = t('goodFor', { left: minutesAndSeconds(seconds) })
    }
  }
  const warn = () => visit.sent || announce(t('goodUntilAsked'))
  const stop = countdown(offer.endMs, tick, warn)
  shown.addEventListener('abort', stop)
  showSent()
  // The visitor came back during a booking request.
  if (visit.sending !== undefined) void attempt(submit, submission)
  return section(t('titleDetails'), expiry, form)
}

const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Returns what the customer accepts, and that nothing is charged yet. */
function conditions({ links, texts }: Flow): HTMLElement[] {
  const { t } = texts
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
  const optional = t('optional')
  const named = (
    name: MessageId,
    attributes: object,
    hint?: string,
    tag: 'input' | 'textarea' = 'input',
  ) => field(flow, make(tag, { name, ...attributes }), message(name), hint)
  return [
    make(
      'div',
      { className: 'names' },
      named('firstName', { ...required, autocomplete: 'given-name' }),
      named('lastName', { ...required, autocomplete: 'family-name' }),
    ),
    named('email', emailAttributes),
    named('phone', phoneAttributes, optional),
    otherPlaces(flow),
    named('notes', { rows: 2, maxLength: 2000 }, optional, 'textarea'),
  ]
}

/** Returns the fields for other places than the station, folded unless they are filled in. */
function otherPlaces(flow: Flow): HTMLElement {
  const { texts, visit } = flow
  const names = ['pickupLocation', 'dropoffLocation'] as const
  const fields = names.map((name) =>
    field(flow, input(name, { maxLength: 200 }), texts.t(name), texts.t('optional')),
  )
  return make(
    'details',
    { className: 'more', open: names.some((name) => visit.fields[name]) },
    make('summary', {}, texts.t('elsewhere')),
    make('p', { className: 'hint' }, texts.t('atStation')),
    ...fields,
  )
}

/** Browsers reject addresses such as jörg@example.com in fields of type email. */
const emailAttributes = {
  required: true,
  pattern: '\\s*\\S+@\\S+\\.\\S+\\s*',
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
