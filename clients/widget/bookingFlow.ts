import { type Booking, type BookingRequest, createClient } from '../typescript/index.ts'
import { explain } from './explain.ts'
import type { Flow, FlowOptions } from './flow.ts'
import { sendBooking } from './offer.ts'
import { loadPage, type Page } from './pages.ts'
import { serverClock } from './serverClock.ts'
import { button, make } from './ui/dom.ts'
import { createFrame } from './ui/frame.ts'
import { noticeOf } from './ui/notice.ts'
import { section } from './ui/parts.ts'
import { stepTitle } from './ui/progress.ts'
import { openSearch, type Search } from './vehicles.ts'
import { type Step, visitOf } from './visit.ts'

/** Retry limits. Visitors prefer an error message to a longer wait. */
const patience = { attemptsMax: 4, waitSecondsMax: 6 }

/** Runs the booking steps in one element. After a reload it resumes at the visitor's last step. */
export class BookingFlow implements Flow {
  readonly config
  readonly texts
  readonly links
  readonly signal
  readonly emit
  readonly rental
  readonly visit
  readonly search
  readonly announce: Flow['announce']
  readonly clock = serverClock()
  found: Search | undefined
  shown: AbortSignal
  readonly #frame
  #leaving = new AbortController()
  /** Counts calls of `open`; only the last call shows its step. */
  #openings = 0

  constructor({ config, texts, links, signal, emit, ...options }: FlowOptions) {
    this.config = config
    this.texts = texts
    this.links = links
    this.signal = signal
    this.shown = signal
    this.emit = emit
    const { baseUrl, apiKey, name, place, bookingId } = options
    const { fetch } = this.clock
    const language = texts.lang
    this.rental = createClient({ baseUrl, apiKey, patience, fetch, session: true, language })
    this.search = openSearch(this)
    this.visit = visitOf(name)
    this.#frame = createFrame(this, place)
    this.announce = this.#frame.announce
    if (bookingId !== undefined && this.visit.booked?.bookingId !== bookingId) {
      this.visit.booked = { bookingId }
    }
    // A widget that was replaced by this one may have sent a booking.
    this.visit.sending?.then(this.#showBooked, () => {})
    void this.begin(bookingId === undefined ? this.visit.step : 'booking')
  }

  get namesLang(): string | undefined {
    const lang = this.clock.namesLang() ?? this.config.language
    return lang?.split('-')[0] === this.texts.lang.split('-')[0] ? undefined : lang
  }

  readonly begin = async (step: Step): Promise<void> => {
    this.#frame.showSkeleton(step)
    try {
      await this.open(step)
    } catch (error) {
      if (!this.signal.aborted) this.#showError(step, error)
    }
  }

  readonly open = async (step: Step, booking?: Booking): Promise<void> => {
    this.#openings += 1
    const opening = this.#openings
    const isLast = () => opening === this.#openings && !this.signal.aborted
    try {
      const page = await loadPage(this, step, booking)
      if (isLast()) await this.#show(page)
    } catch (error) {
      if (isLast()) throw error
    }
  }

  readonly restart = (): void => {
    this.visit.reset()
    void this.begin('dates')
  }

  readonly book = async (request: BookingRequest): Promise<void> => {
    const isFirst = this.visit.sending === undefined
    const booking = await sendBooking(this.visit, request)
    if (isFirst) await this.#showBooked(booking)
  }

  readonly #showBooked = async (booking: Booking): Promise<void> => {
    if (this.signal.aborted) return
    this.emit('booked', booking)
    await this.open('booking', booking)
  }

  async #show({ step, build }: Page): Promise<void> {
    this.#leave()
    this.announce('')
    const element = build()
    // A link to the existing booking, so that returning visitors do not book a second time.
    if (this.visit.booked && step !== 'booking') {
      const toBooking = button(this.texts.t('titleBooking'), () => this.begin('booking'))
      element.querySelector('h2')?.after(make('p', {}, toBooking))
    }
    this.visit.step = step
    this.visit.save()
    await this.#frame.showStep(step, element)
    this.emit('stepped', { step })
  }

  #showError(step: Step, error: unknown): void {
    this.#leave()
    this.emit('failed', error)
    const { texts } = this
    const notice = noticeOf(this)
    const startOver = button(texts.t('startOver'), this.restart)
    this.#frame.showError(section(stepTitle(texts, step), notice.element, startOver))
    const problem = explain(error, { isBooking: step === 'booking' })
    notice.show(problem, () => void this.begin(step), true)
  }

  /** Ends the timers and polling of the current step. */
  #leave(): void {
    this.#leaving.abort()
    this.#leaving = new AbortController()
    this.shown = AbortSignal.any([this.signal, this.#leaving.signal])
  }
}
