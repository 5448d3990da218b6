import {
  type Booking,
  type BookingRequest,
  createClient,
  newBookingAttempt,
  RentalApiError,
} from '../typescript/index.ts'
import type { Period } from './config.ts'
import { button, goTo, make } from './dom.ts'
import { explain } from './explain.ts'
import type { Flow, FlowOptions } from './flow.ts'
import { isField } from './form.ts'
import { noticeOf } from './notice.ts'
import { section } from './parts.ts'
import { serverClock } from './serverClock.ts'
import { bookingStep } from './steps/booking.ts'
import { datesStep, periodOf } from './steps/dates.ts'
import { detailsStep, type Offer } from './steps/details.ts'
import { chosenExtras, extrasFor, extrasStep } from './steps/extras.ts'
import { chosenGroup, chosenVehicle, vehicleStep } from './steps/vehicle.ts'
import { type Booked, emptyVisit, readVisit, type Step, steps, writeVisit } from './store.ts'
import { openSearch, type Search, type Vehicle } from './vehicles.ts'

/** Retry limits. Visitors prefer an error message to a longer wait. */
const patience = { attemptsMax: 4, waitSecondsMax: 6 }

/** The current flow of each visit. A response may arrive after its own flow was replaced. */
const latest: Record<string, BookingFlow> = {}

/** A step whose data is loaded. `build` renders it and starts its timers and polling. */
interface Ready {
  readonly step: Step
  build(): HTMLElement
}

/** Runs the booking steps in one element. After a reload it resumes at the visitor's last step. */
export class BookingFlow implements Flow {
  declare readonly config: FlowOptions['config']
  declare readonly texts: FlowOptions['texts']
  declare readonly signal: FlowOptions['signal']
  declare readonly emit: FlowOptions['emit']
  declare shown: AbortSignal
  readonly rental
  visit
  readonly #clock = serverClock()
  readonly #name
  readonly #search
  readonly #announcer = make('p', { className: 'unseen', role: 'status' })
  readonly #progress: HTMLElement
  readonly #content = make('div')
  #found: Search | undefined
  #offer: Offer | undefined
  /** Counts calls of `open`; only the last call shows its step. */
  #openings = 0
  #leaving: AbortController | undefined

  constructor({ baseUrl, apiKey, name, place, bookingId, ...shared }: FlowOptions) {
    Object.assign(this, shared)
    const { fetch } = this.#clock
    this.rental = createClient({ baseUrl, apiKey, patience, fetch, session: true })
    this.#search = openSearch(this)
    latest[name] = this
    this.#name = name
    this.visit = readVisit(name)
    this.#progress = make('ol', { className: 'steps', 'aria-label': this.texts.t('steps') })
    place.replaceChildren(this.#progress, this.#announcer, this.#content)
    // Captured, so that a value is stored before the listeners of the steps read it.
    place.addEventListener('input', ({ target }) => this.#enter(target), true)
    // Browsers do not scroll to a focused field that is covered by the sticky bar.
    place.addEventListener('focusin', ({ target }) => {
      const field = target as Element
      const barTop = place.querySelector('.bar:not(:focus-within)')?.getBoundingClientRect().top
      if (barTop && field.getBoundingClientRect().bottom > barTop) {
        field.scrollIntoView({ block: 'center' })
      }
    })
    if (bookingId !== undefined && this.visit.booked?.bookingId !== bookingId) {
      this.visit.booked = { bookingId }
    }
    void this.begin(bookingId === undefined ? this.visit.step : 'booking')
  }

  readonly save = (): void => writeVisit(this.#name, this.visit)

  readonly announce = (text: string): void => {
    this.#announcer.textContent = text
  }

  readonly isPast = async (instant: string): Promise<boolean> => {
    await this.rental.listAssetGroups(this)
    return this.#clock.secondsUntil(instant) < 0
  }

  /** Opens a step. If that fails, shows the error in place of the step. */
  readonly begin = async (step: Step): Promise<void> => {
    if (this.#content.childElementCount === 0) this.#content.textContent = '…'
    try {
      await this.open(step)
    } catch (error) {
      if (this.signal.aborted) return
      this.#leave()
      this.emit('failed', error)
      const { t } = this.texts
      const notice = noticeOf(this.texts, this.announce)
      const anew = button(t('anew'), this.restart)
      const title = t(messageKey('title', step))
      this.#content.replaceChildren(section(title, notice.element, anew))
      notice.show(explain(error, { isBooking: step === 'booking' }), () => void this.begin(step))
    }
  }

  readonly open = async (step: Step, booking?: Booking): Promise<void> => {
    this.#openings += 1
    const opening = this.#openings
    const isLast = () => opening === this.#openings && !this.signal.aborted
    const ready = await this.#prepare(step, booking).catch((error) => {
      if (isLast()) throw error
    })
    if (ready && isLast()) this.#show(ready)
  }

  #leave(): void {
    this.#leaving?.abort()
    this.#leaving = new AbortController()
    this.shown = AbortSignal.any([this.signal, this.#leaving.signal])
  }

  readonly restart = (): void => {
    this.visit = emptyVisit()
    void this.begin('dates')
  }

  async #prepare(step: Step, booking?: Booking): Promise<Ready> {
    const { booked, unsure } = this.visit
    if (step === 'booking' && booked) return this.#booking(booked, booking)
    if (step === 'details' && unsure) return this.#details(this.#offer)
    const period = periodOf(this)
    if (step === 'dates' || step === 'booking' || period === undefined) {
      return { step: 'dates', build: () => datesStep(this) }
    }
    const isSame = JSON.stringify(this.#found?.period) === JSON.stringify(period)
    // Going back keeps the search results; a search from the dates step loads current counts.
    const mayKeep = isSame && this.visit.step !== 'dates'
    const chosen = this.visit.fields[chosenGroup]
    const found = (mayKeep && this.#found) || (await this.#search(period, chosen))
    this.#found = found
    const vehicle = chosenVehicle(this, found)
    if (step === 'vehicle' || !vehicle) {
      const keep = (search: Search) => {
        this.#found = search
      }
      return { step: 'vehicle', build: () => vehicleStep(this, found, keep) }
    }
    const hasExtras = extrasFor(this, vehicle).length > 0
    if (step === 'extras' && hasExtras) {
      return { step, build: () => extrasStep(this, found, vehicle) }
    }
    const back = hasExtras ? 'extras' : 'vehicle'
    // While the outcome is unknown, keep the offer: a new quote could lead to a second booking.
    const offer = this.visit.unsure ? this.#offer : await this.#price(found.period, vehicle)
    if (offer) offer.back = back
    return this.#details(offer)
  }

  /** Returns the current offer if it still matches the choices, else an offer with a new quote. */
  async #price(period: Period, vehicle: Vehicle): Promise<Offer> {
    const { id: assetGroupId, name } = vehicle.group
    const chosen = chosenExtras(this, vehicle)
    const lines = chosen.map(({ extra, quantity }) => ({ extraId: extra.id, quantity }))
    const request = { assetGroupId, ...period, extras: lines }
    const wanted = JSON.stringify(request)
    if (this.#offer?.wanted === wanted && !this.#offer.isOver) return this.#offer
    const quote = await this.rental.createQuote(request, this)
    const endMs = Date.now() + this.#clock.secondsUntil(quote.expiresAt) * 1000
    this.emit('quoted', quote)
    const extras = chosen.map(({ extra, quantity }) => `${quantity} × ${extra.name}`)
    return { quote, attempt: newBookingAttempt(), endMs, wanted, name, extras }
  }

  /** @throws RentalApiError if the outcome of a booking is unknown and a reload lost its offer */
  #details(offer: Offer | undefined): Ready {
    if (!offer) {
      const message = 'The outcome of the booking is unknown.'
      const lost = { status: 0, code: 'SESSION_EXPIRED', outcomeUnknown: true } as const
      throw new RentalApiError({ ...lost, message })
    }
    const build = () => {
      this.#offer = offer
      return detailsStep(this, offer, (request) => this.#send(offer, request))
    }
    return { step: 'details', build }
  }

  /** Books the offer. Calls during a running request share its result. */
  #send(offer: Offer, request: BookingRequest): Promise<void> {
    offer.sent ??= this.#book(offer, request).finally(() => {
      offer.sent = undefined
    })
    return offer.sent
  }

  async #book({ attempt, extras }: Offer, request: BookingRequest): Promise<void> {
    // Stored before the request, so that a reload does not lead to a second booking.
    this.visit.unsure = true
    this.save()
    const last = () => latest[this.#name] as BookingFlow
    // No signal: the server may make the booking even if the visitor has left the page.
    const booking = await this.rental.createBooking(request, attempt).catch((error) => {
      const { visit, save } = last()
      visit.unsure &&= error.outcomeUnknown !== false
      save()
      throw error
    })
    const { bookingId } = booking
    const { pickupLocation, dropoffLocation } = request
    const booked = { bookingId, extras, pickupLocation, dropoffLocation, undecided: true }
    const flow = last()
    flow.#offer = undefined
    // Personal data is deleted after the booking.
    flow.visit = { ...emptyVisit(), step: 'booking' as const, booked }
    // Saved before any further request, so that a reload shows the booking and not the form.
    flow.save()
    flow.emit('booked', booking)
    return flow.open('booking', booking)
  }

  async #booking(booked: Booked, known?: Booking): Promise<Ready> {
    const booking = known ?? (await this.rental.getBooking(booked.bookingId, this))
    // The booking can be shown without the name of its vehicle class.
    const groups = await this.rental.listAssetGroups(this).catch(() => [])
    const groupName = groups.find(({ id }) => id === booking.assetGroupId)?.name
    const options = { booking, booked, groupName }
    return { step: 'booking', build: () => bookingStep(this, options) }
  }

  #show({ step, build }: Ready): void {
    this.#leave()
    this.announce('')
    const element = build()
    const { t } = this.texts
    // A link to the existing booking, so that returning visitors do not book a second time.
    if (this.visit.booked && step !== 'booking') {
      const toBooking = button(t('titleBooking'), () => this.begin('booking'))
      element.querySelector('h2')?.after(make('p', {}, toBooking))
    }
    this.visit.step = step
    this.save()
    const names = steps.filter((name) => name !== 'extras' || this.config.extras?.length)
    const items = names.map((name) => {
      const current = name === step ? 'step' : undefined
      return make('li', { 'aria-current': current }, t(messageKey('step', name)))
    })
    this.#progress.replaceChildren(...items)
    // The first step does not take the focus from the page.
    const isFirst = this.#content.childElementCount === 0
    this.#content.replaceChildren(element)
    if (!isFirst) goTo(element)
    this.emit('stepped', { step })
  }

  #enter(target: EventTarget | null): void {
    if (!isField(target)) return
    const isOff = target.type === 'checkbox' && !(target as HTMLInputElement).checked
    this.visit.fields[target.name] = isOff ? '' : target.value
    this.save()
  }
}

/** Returns the message key of a step, such as `titleDates`. */
const messageKey = <Kind extends string>(kind: Kind, step: Step) =>
  `${kind}${step.replace(/./, (first) => first.toUpperCase())}` as `${Kind}${Capitalize<Step>}`
