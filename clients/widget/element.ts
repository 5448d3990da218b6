import { BookingFlow } from './bookingFlow.ts'
import { make } from './dom.ts'
import type { RentalBookingElement as Declared, RentalConfig } from './rental-booking.d.ts'
import { type Step, steps } from './store.ts'
import styles from './style.css'
import { textsOf } from './texts.ts'

type Words = Readonly<Record<string, string>>

/** So that servers, who have no elements, can import this and show the bare tag. */
const Base = globalThis.HTMLElement ?? class {}
/** The page's widgets, each in the place of its number. */
const places: unknown[] = []

/** English where the browser's is none: "C" and "en-US@posix" are names of a system's. */
function visitorsLocale(): string {
  try {
    return String(new Intl.Locale(navigator.language))
  } catch {
    return 'en'
  }
}

/** `<rental-booking base-url api-key>`: from dates to the decision, in a shadow tree. */
export class RentalBookingElement extends Base implements Declared {
  static readonly observedAttributes = [
    ...['base-url', 'api-key', 'booking-id', 'lang', 'config', 'messages'],
  ]
  #number = 0
  #flow: BookingFlow | undefined
  #ending = new AbortController()
  #isQueued = false

  /** What the API does not tell about the tenant; kept in the attribute, as JSON (decision 343). */
  get config(): RentalConfig {
    return this.#json('config')
  }
  set config(config: RentalConfig | undefined) {
    this.setAttribute('config', JSON.stringify(config ?? {}))
  }

  /** Words instead of ours; kept in the attribute, as JSON (decision 343). */
  get messages(): Words {
    return this.#json('messages')
  }
  set messages(messages: Words | undefined) {
    this.setAttribute('messages', JSON.stringify(messages ?? {}))
  }

  /** Goes to a step that the visitor has reached, as the page's own Back button may want. */
  show(step: Step): void {
    if (steps.includes(step)) void this.#flow?.begin(step)
  }

  connectedCallback(): void {
    // The lowest that is free: who comes back to a view of the page finds the same visit.
    this.#number = [...places, undefined].indexOf(undefined)
    places[this.#number] = this
    this.#queue()
  }
  disconnectedCallback(): void {
    places[this.#number] = undefined
    this.#ending.abort()
    this.#flow = undefined
  }
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // A booking may be asked for once more, after another visit.
    if (before !== after || name === 'booking-id') this.#queue()
  }

  /** Once for all that changes together. */
  #queue(): void {
    if (this.#isQueued) return
    this.#isQueued = true
    queueMicrotask(() => {
      this.#isQueued = false
      if (this.isConnected) void this.#open()
    })
  }

  async #open(): Promise<void> {
    this.#ending.abort()
    this.#ending = new AbortController()
    const { signal } = this.#ending
    // Some pages write de_DE, as their server's settings do.
    const written = this.closest<HTMLElement>('[lang]')?.lang.replaceAll('_', '-')
    const visitors = visitorsLocale()
    // A page that says no more than the language leaves the region to the visitor.
    const locale = !written || visitors.startsWith(`${written}-`) ? visitors : written
    const place = make('div', { className: 'widget' })
    try {
      await this.#start(place, locale, signal)
    } catch (error) {
      // Whatever is wrong, visitors are told something.
      const { t, lang, dir } = await textsOf({ locale }).catch(() => textsOf({ locale: 'en' }))
      const reference = ` (${(error as Error).message})`
      place.append(make('p', { role: 'alert', lang, dir }, t('errorClosed', { reference })))
      if (!signal.aborted) this.#emit('failed', error)
    }
    if (signal.aborted) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    root.adoptedStyleSheets = [sheet]
    root.replaceChildren(place)
  }

  /** @throws Error where the page says something that can't be, or leaves out what is needed */
  async #start(place: HTMLElement, locale: string, signal: AbortSignal): Promise<void> {
    // Without a zone the visitor's.
    const config = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...this.config }
    const baseUrl = this.#needed('base-url')
    const apiKey = this.#needed('api-key')
    const texts = await textsOf({ locale, timeZone: config.timeZone, messages: this.messages })
    if (signal.aborted) return
    place.lang = texts.lang
    place.dir = texts.dir
    this.#flow = new BookingFlow({
      ...{ baseUrl, apiKey, config, texts, place, signal },
      bookingId: this.getAttribute('booking-id') || undefined,
      name: `rental-booking:${apiKey}:${this.id || this.#number}`,
      emit: (name, detail) => this.#emit(name, detail),
    })
  }

  #emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  #needed(name: string): string {
    const value = this.getAttribute(name)
    if (!value) throw new Error(`${name} is missing`)
    return value
  }

  #json(name: string): Words {
    try {
      return JSON.parse(this.getAttribute(name) || '{}') ?? {}
    } catch {
      throw new Error(`${name} is not JSON`)
    }
  }
}
