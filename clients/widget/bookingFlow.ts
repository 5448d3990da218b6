import { connect } from '../typescript/connection.ts'
import type { Booking } from '../typescript/index.ts'
import { chosenGroup } from './choices.ts'
import { explain } from './explain.ts'
import type { Flow, FlowOptions } from './flow.ts'
import { patience } from './loadPart.ts'
import { loadSteps, prefetchSteps } from './loadSteps.ts'
import { loadPage, type Page } from './pages.ts'
import { localPeriod } from './period.ts'
import { prefill } from './prefill.ts'
import { serverClock } from './serverClock.ts'
import * as shared from './shared.ts'
import { button, make } from './ui/dom.ts'
import { createFrame } from './ui/frame.ts'
import { noticeOf } from './ui/notice.ts'
import { section } from './ui/parts.ts'
import { stepTitle } from './ui/progress.ts'
import { swap } from './ui/transition.ts'
import { openSearch, type Search } from './vehicles.ts'
import { type Step, visitOf } from './visit.ts'

/** Runs the booking steps in one element. After a reload it resumes at the visitor's last step. */
export class BookingFlow implements Flow {
  readonly config
  readonly texts
  readonly links
  readonly reference
  readonly signal
  readonly emit
  readonly adopt
  readonly connection
  readonly rental
  readonly visit
  readonly search
  readonly announce: Flow['announce']
  readonly clock = serverClock()
  readonly shared = shared
  found: Search | undefined
  only
  shown: AbortSignal
  readonly #frame
  #leaving = new AbortController()
  #newest = new AbortController()

  constructor({ config, texts, links, reference, signal, emit, adopt, ...options }: FlowOptions) {
    this.config = config
    this.texts = texts
    this.links = links
    this.reference = reference
    this.signal = signal
    this.shown = signal
    this.emit = emit
    this.adopt = adopt
    const { baseUrl, apiKey, language, name, place, bookingId, given, only } = options
    this.only = only
    const { fetch } = this.clock
    this.connection = connect({ baseUrl, apiKey, patience, fetch, session: true, language })
    this.rental = this.connection.reads
    this.search = openSearch({ rental: this.rental, config, loadSteps })
    this.visit = visitOf(name)
    prefill(config, this.visit, given)
    if (only) this.visit.fields[chosenGroup] = only
    this.#frame = createFrame(this, place)
    this.announce = this.#frame.announce
    if (bookingId !== undefined && this.visit.booked?.bookingId !== bookingId) {
      this.visit.booked = { bookingId }
    }
    // A widget that was replaced by this one may have sent a booking.
    this.visit.sending?.then(
      (booking) => this.#showBooked(booking, AbortSignal.abort()),
      () => {},
    )
    void this.begin(bookingId === undefined ? this.visit.step : 'booking')
    const idle = globalThis.requestIdleCallback ?? setTimeout
    idle(prefetchSteps)
  }

  get namesLang(): string | undefined {
    const lang = this.clock.namesLang() ?? this.config.language
    return lang?.split('-')[0] === this.texts.lang.split('-')[0] ? undefined : lang
  }

  readonly wish = (): AbortSignal => {
    this.#newest.abort()
    this.#newest = new AbortController()
    return AbortSignal.any([this.signal, this.#newest.signal])
  }

  readonly begin = async (step: Step): Promise<void> => {
    const wish = this.wish()
    this.#frame.showLoading(step, wish)
    try {
      await this.open(step, wish)
    } catch (error) {
      if (!wish.aborted) this.#showError(step, error, wish)
    }
  }

  readonly open = async (step: Step, wish: AbortSignal, booking?: Booking): Promise<void> => {
    const page = await loadPage(this, step, wish, booking)
    wish.throwIfAborted()
    // A widget that replaces this one before the transition continues here.
    this.visit.step = page.step
    const isFirst = this.#frame.isEmpty()
    // Before the change: scrolling after it is a layout shift of what follows the widget.
    if (!isFirst) this.#frame.goToStep()
    await swap(isFirst, () => {
      if (!wish.aborted) this.#show(page)
    })
  }

  readonly restart = (): void => {
    this.visit.reset()
    void this.begin('dates')
  }

  readonly book = async (send: () => Promise<Booking>, wish: AbortSignal): Promise<void> => {
    const isFirst = this.visit.sending === undefined
    const booking = await send()
    if (isFirst) await this.#showBooked(booking, wish)
  }

  /** Shows a booking that was made, whatever the visitor has done since. */
  async #showBooked(booking: Booking, asked: AbortSignal): Promise<void> {
    if (this.signal.aborted) return
    this.emit('booked', booking)
    const wish = asked.aborted ? this.wish() : asked
    if (asked.aborted) this.#frame.showLoading('booking', wish)
    try {
      await this.open('booking', wish, booking)
    } catch (error) {
      if (!wish.aborted) this.#showError('booking', error, wish)
    }
  }

  #show({ step, build }: Page): void {
    this.#leave()
    this.announce('')
    const element = build()
    // A link to the existing booking, so that returning visitors do not book a second time.
    if (this.visit.booked && step !== 'booking') {
      const toBooking = button(this.texts.t('titleBooking'), () => this.begin('booking'))
      element.querySelector('h2')?.after(make('p', {}, toBooking))
    }
    this.visit.save()
    this.#frame.showStep(step, element)
    this.emit('stepped', { step, ...localPeriod(this.visit.fields) })
    element.dispatchEvent(new Event('shown'))
  }

  #showError(step: Step, error: unknown, wish: AbortSignal): void {
    this.#leave()
    this.emit('failed', error)
    const { texts } = this
    const notice = noticeOf(this)
    const startOver = button(texts.t('startOver'), this.restart)
    this.#frame.showError(section(stepTitle(texts, step), notice.element, startOver))
    const problem = explain(error, { isBooking: step === 'booking' })
    notice.show(problem, () => void this.begin(step), true)
    wish.onabort = notice.clear
  }

  /** Ends the timers and polling of the current step. */
  #leave(): void {
    this.#leaving.abort()
    this.#leaving = new AbortController()
    this.shown = AbortSignal.any([this.signal, this.#leaving.signal])
  }
}
