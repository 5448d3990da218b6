import {
  type Booking,
  type BookingAttempt,
  type BookingRequest,
  newBookingAttempt,
  type Quote,
  RentalApiError,
} from '../../clients/typescript/index.ts'
import { breakdownRows } from './breakdown.ts'
import type { Choice } from './choiceStep.ts'
import type { Shop } from './config.ts'
import { countdown } from './countdown.ts'
import { announce, byId, goTo, markStep } from './dom.ts'
import { money } from './format.ts'
import { noticeOf } from './notice.ts'
import { onSubmit } from './submit.ts'

/** A price the visitor looks at; one attempt to book it, however often the button is pressed. */
interface Offer {
  readonly quote: Quote
  readonly attempt: BookingAttempt
}

export interface OfferStep {
  quote(choice: Choice): Promise<void>
  /** The visitor has changed their mind: what is shown is no longer what they want. */
  withdraw(): void
}

/** The binding price and the customer's form; `booked` gets what came of it. */
export function offerStep(
  { rental }: Shop,
  steps: { newQuote(): void; booked(booking: Booking): void },
): OfferStep {
  const section = byId('offer', HTMLElement)
  const form = byId('customer-form', HTMLFormElement)
  const book = byId('book', HTMLButtonElement)
  const newQuote = byId('new-quote', HTMLButtonElement)
  const notice = noticeOf(section)
  let offer: Offer | undefined

  const clock = countdown(() => {
    offer = undefined
    announce('This price has expired. Get a new price to go on.')
    newQuote.hidden = false
    // Whoever is typing goes on typing; whoever stood on the button finds the other one.
    const focused = document.activeElement === book
    book.hidden = true
    if (focused) newQuote.focus()
  })
  newQuote.addEventListener('click', steps.newQuote)

  onSubmit({
    section,
    form,
    progress: 'Sending your booking.',
    async run() {
      if (offer === undefined) return steps.newQuote()
      const { quoteId } = offer.quote
      const request = { quoteId, ...customerIn(new FormData(form)) }
      const booking = await rental.createBooking(request, offer.attempt)
      withdraw()
      steps.booked(booking)
    },
    onProblem({ remedy }, error) {
      // Only this very attempt can find out what came of it: a new price would be a second booking.
      if (error instanceof RentalApiError && error.outcomeUnknown) clock.stop()
      if (remedy === 'new-quote') clock.expire()
    },
  })

  function withdraw(): void {
    clock.stop()
    offer = undefined
    section.hidden = true
  }
  return {
    withdraw,
    async quote({ request, name }) {
      const quote = await rental.createQuote(request)
      offer = { quote, attempt: newBookingAttempt() }
      notice.clear()
      byId('offer-what', HTMLElement).textContent = name
      byId('breakdown', HTMLElement).replaceChildren(...breakdownRows(quote))
      book.textContent = `Book for ${money(quote.total, quote.currency)}`
      newQuote.hidden = true
      book.hidden = false
      clock.start(quote.expiresAt)
      markStep('Price')
      goTo(section)
    },
  }
}

/** Optional fields that were left empty are left out. */
function customerIn(data: FormData): Omit<BookingRequest, 'quoteId'> {
  const text = (name: string) => String(data.get(name) ?? '').trim()
  const optional = <K extends string>(name: K) =>
    (text(name) === '' ? {} : { [name]: text(name) }) as { [Name in K]?: string }
  const customer = {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
  }
  return {
    customer: { ...customer, ...optional('phone') },
    ...optional('pickupLocation'),
    ...optional('dropoffLocation'),
    ...optional('notes'),
  }
}
