import {
  type Booking,
  type BookingRequest,
  createClient,
  RentalApiError,
} from '../typescript/index.ts'
import { chosenExtras, chosenGroup, chosenVehicle, extrasFor } from './choices.ts'
import type { Period } from './config.ts'
import { explain } from './explain.ts'
import type { Flow, FlowOptions } from './flow.ts'
import { createOffer, type Offer, sendBooking } from './offer.ts'
import { periodOf } from './period.ts'
import { serverClock } from './serverClock.ts'
import { datesStep } from './steps/dates.ts'
import { button, goTo, make } from './ui/dom.ts'
import { isField } from './ui/form.ts'
import { noticeOf } from './ui/notice.ts'
import { footer, section } from './ui/parts.ts'
import { showProgress, stepTitle } from './ui/progress.ts'
import { skeleton } from './ui/skeleton.ts'
import { swap } from './ui/transition.ts'
import { openSearch, type Search, type Vehicle } from './vehicles.ts'
import { type Booked, type Step, type Visit, visitOf } from './visit.ts'

/** Retry limits. Visitors prefer an error message to a longer wait. */
const patience = { attemptsMax: 4, waitSecondsMax: 6 }

/** A step whose data is loaded. `build` renders it and starts its timers and polling. */
interface Page {
  readonly step: Step
  build(): HTMLElement
}

/** Runs the booking steps in one element. After a reload it resumes at the visitor's last step. */
export class BookingFlow implements Flow {
  readonly config
  readonly texts
  readonly links
  readonly signal
  readonly emit
  readonly rental
  readonly visit: Visit
  shown: AbortSignal
  #leaving = new AbortController()
  readonly #clock = serverClock()
  readonly #search
  readonly #progress = make('nav', { className: 'progress' })
  readonly #announcer = make('p', { className: 'unseen', role: 'status' })
  readonly #content = make('div', { className: 'content' })
  #found: Search | undefined
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
    const { fetch } = this.#clock
    this.rental = createClient({
      baseUrl,
      apiKey,
      patience,
      fetch,
      session: true,
      language: texts.lang,
    })
    this.#search = openSearch(this)
    this.visit = visitOf(name)
    place.replaceChildren(this.#progress, this.#announcer, this.#content, footer(this))
    this.#listen(place)
    if (bookingId !== undefined && this.visit.booked?.bookingId !== bookingId) {
      this.visit.booked = { bookingId }
    }
    // A widget that was replaced by this one may have sent a booking.
    this.visit.sending?.then(this.#showBooked, () => {})
    void this.begin(bookingId === undefined ? this.visit.step : 'booking')
  }

  get namesLang(): string | undefined {
    const lang = this.#clock.namesLang() ?? this.config.language
    return lang?.split('-')[0] === this.texts.lang.split('-')[0] ? undefined : lang
  }

  readonly announce = (text: string): void => {
    this.#announcer.textContent = text
  }

  readonly begin = async (step: Step): Promise<void> => {
    if (this.#content.childElementCount === 0) this.#content.replaceChildren(skeleton(step))
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
      const page = await this.#load(step, booking)
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
    const { visit } = this
    if (visit.offer === undefined) throw unknownOutcome()
    const isFirst = visit.sending === undefined
    const booking = await sendBooking(visit, visit.offer, request)
    if (isFirst) await this.#showBooked(booking)
  }

  readonly #showBooked = async (booking: Booking): Promise<void> => {
    if (this.signal.aborted) return
    this.emit('booked', booking)
    await this.open('booking', booking)
  }

  #listen(place: HTMLElement): void {
    // Captured, so that a value is stored before the listeners of the steps read it.
    place.addEventListener('input', ({ target }) => this.#enter(target), true)
    // Browsers do not scroll to a focused field that is covered by the sticky bar.
    place.addEventListener('focusin', ({ target }) => {
      const field = target as Element
      const bar = place.querySelector('.bar.sticky:not(:focus-within)')
      if (bar && field.getBoundingClientRect().bottom > bar.getBoundingClientRect().top) {
        field.scrollIntoView({ block: 'center' })
      }
    })
  }

  #enter(target: EventTarget | null): void {
    if (!isField(target)) return
    const isOff = target.type === 'checkbox' && !(target as HTMLInputElement).checked
    this.visit.fields[target.name] = isOff ? '' : target.value
    this.visit.save()
  }

  async #load(step: Step, known?: Booking): Promise<Page> {
    const { booked, unsure, offer } = this.visit
    if (step === 'booking' && booked) return this.#loadBooking(booked, known)
    // While the outcome is unknown, keep the offer: a new quote could lead to a second booking.
    if (step === 'details' && unsure) return this.#details(offer)
    const period = periodOf(this)
    if (step === 'dates' || step === 'booking' || period === undefined) return this.#dates()
    const [search, { extrasStep }] = await Promise.all([this.#searchIn(period), laterSteps()])
    if (this.#clock.secondsUntil(period.pickupDatetime) < 0) return this.#dates(true)
    const vehicle = chosenVehicle(this, search)
    if (step === 'vehicle' || vehicle === undefined) return this.#vehicles(search)
    const hasExtras = extrasFor(this, vehicle).length > 0
    if (step === 'extras' && hasExtras) {
      return { step, build: () => extrasStep(this, search, vehicle) }
    }
    const priced = this.visit.unsure ? offer : await this.#price(period, vehicle)
    if (priced) priced.back = hasExtras ? 'extras' : 'vehicle'
    return this.#details(priced)
  }

  #dates(hasPassed = false): Page {
    return { step: 'dates', build: () => datesStep(this, hasPassed) }
  }

  async #vehicles(search: Search): Promise<Page> {
    const { vehicleStep } = await laterSteps()
    const keep = (found: Search) => {
      this.#found = found
    }
    return { step: 'vehicle', build: () => vehicleStep(this, search, keep) }
  }

  /** Returns the results of the last search if they are of this period and not from another visit. */
  async #searchIn(period: Period): Promise<Search> {
    const { step, fields } = this.visit
    const isSame = JSON.stringify(this.#found?.period) === JSON.stringify(period)
    // Going back keeps the results; a search from the dates step loads current counts.
    if (this.#found && isSame && step !== 'dates') return this.#found
    this.#found = await this.#search(period, fields[chosenGroup])
    return this.#found
  }

  /** Returns the current offer if it still matches the choices, else an offer with a new quote. */
  async #price(period: Period, vehicle: Vehicle): Promise<Offer> {
    const { id: assetGroupId, name } = vehicle.group
    const chosen = chosenExtras(this, vehicle)
    const lines = chosen.map(({ extra, quantity }) => ({ extraId: extra.id, quantity }))
    const request = { assetGroupId, ...period, extras: lines }
    const { offer } = this.visit
    if (offer?.wanted === JSON.stringify(request) && !offer.isOver) return offer
    const extras = chosen.map(({ extra, quantity }) => `${quantity} × ${extra.name}`)
    const { rental, signal } = this
    const priced = await createOffer(rental, this.#clock, { request, name, extras, signal })
    this.emit('quoted', priced.quote)
    return priced
  }

  /** @throws RentalApiError if the outcome of a booking is unknown and a reload lost its offer */
  async #details(offer: Offer | undefined): Promise<Page> {
    if (offer === undefined) throw unknownOutcome()
    const { detailsStep } = await laterSteps()
    const build = () => {
      this.visit.offer = offer
      return detailsStep(this, offer)
    }
    return { step: 'details', build }
  }

  async #loadBooking(booked: Booked, known?: Booking): Promise<Page> {
    const booking = known ?? (await this.rental.getBooking(booked.bookingId, this))
    const { bookingStep } = await laterSteps()
    // The booking can be shown without its vehicle class.
    const groups = await this.rental.listAssetGroups(this).catch(() => [])
    const group = groups.find(({ id }) => id === booking.assetGroupId)
    return { step: 'booking', build: () => bookingStep(this, { booking, booked, group }) }
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
    // The first step does not take the focus from the page.
    const isFirst = this.#content.querySelector('h2') === null
    await swap(isFirst, () => {
      showProgress(this, this.#progress, step)
      this.#content.replaceChildren(element)
      this.#content.classList.toggle('later', step !== 'dates')
    })
    if (!isFirst && element.isConnected) goTo(element)
    element.dispatchEvent(new Event('shown'))
    this.emit('stepped', { step })
  }

  #showError(step: Step, error: unknown): void {
    this.#leave()
    this.emit('failed', error)
    const { texts } = this
    const notice = noticeOf(this)
    const startOver = button(texts.t('anew'), this.restart)
    this.#content.replaceChildren(section(stepTitle(texts, step), notice.element, startOver))
    const problem = explain(error, { isBooking: step === 'booking' })
    notice.show(problem, () => void this.begin(step), true)
  }

  #leave(): void {
    this.#leaving.abort()
    this.#leaving = new AbortController()
    this.shown = AbortSignal.any([this.signal, this.#leaving.signal])
  }
}

/** @throws RentalApiError with the code NETWORK_ERROR */
const laterSteps = () =>
  import('./lazy/steps.ts').catch((cause) => {
    const message = 'A part of the widget could not be loaded.'
    throw new RentalApiError({ status: 0, code: 'NETWORK_ERROR', message, cause })
  })

const unknownOutcome = () =>
  new RentalApiError({
    status: 0,
    code: 'SESSION_EXPIRED',
    message: 'The outcome of the booking is unknown.',
    outcomeUnknown: true,
  })
