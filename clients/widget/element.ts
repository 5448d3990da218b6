import { BookingFlow } from './bookingFlow.ts'
import { isApiError } from './explain.ts'
import { linkedBooking } from './link.ts'
import type { RentalBookingElement as Declared, RentalConfig } from './rental-booking.d.ts'
import styles from './style.css'
import { textsOf } from './texts.ts'
import { make } from './ui/dom.ts'
import { contactLinks } from './ui/parts.ts'
import { type Step, steps } from './visit.ts'

type Words = Readonly<Record<string, string>>

/** The fallback makes the module importable on servers, which have no HTMLElement. */
const Base = globalThis.HTMLElement ?? class {}
const places: unknown[] = []

/** Returns the browser's locale, or English if it is invalid, such as "C" or "en-US@posix". */
function visitorsLocale(): string {
  try {
    return String(new Intl.Locale(navigator.language))
  } catch {
    return 'en'
  }
}

/** Returns the page's locale, or the visitor's if the page has none or only the same language. */
function localeOf(element: HTMLElement): string {
  // Some pages write de_DE instead of de-DE.
  const written = element.closest<HTMLElement>('[lang]')?.lang.replaceAll('_', '-')
  const visitors = visitorsLocale()
  return !written || visitors.startsWith(`${written}-`) ? visitors : written
}

/** The element `<rental-booking base-url api-key>`, which renders the booking steps in a shadow tree. */
export class RentalBookingElement extends Base implements Declared {
  static readonly observedAttributes = [
    'base-url',
    'api-key',
    'booking-id',
    'lang',
    'config',
    'messages',
    'terms-url',
    'privacy-url',
    'contact',
  ]
  #number = 0
  #flow: BookingFlow | undefined
  #ending = new AbortController()
  #isQueued = false
  /** The booking in the page's address, until a step is shown. */
  #linked = globalThis.location && linkedBooking(location.href)

  constructor() {
    super()
    // Frameworks may set these properties before this class is defined. Such values hide the setters.
    const early = Object.fromEntries(Object.entries(this))
    for (const name of Object.keys(early)) Reflect.deleteProperty(this, name)
    Object.assign(this, early)
  }

  /** Tenant settings that the API does not return; stored in the attribute as JSON. */
  get config(): RentalConfig {
    return this.#json('config')
  }
  set config(config: RentalConfig | undefined) {
    this.setAttribute('config', JSON.stringify(config ?? {}))
  }

  /** Messages that replace the built-in ones; stored in the attribute as JSON. */
  get messages(): Words {
    return this.#json('messages')
  }
  set messages(messages: Words | undefined) {
    this.setAttribute('messages', JSON.stringify(messages ?? {}))
  }

  /** Shows a step that the visitor has reached, for example for a Back button of the page. */
  show(step: Step): void {
    if (steps.includes(step)) void this.#flow?.begin(step)
  }

  connectedCallback(): void {
    // Use the lowest free number, so that an element that the page removes and adds again continues
    // the same visit.
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
    // The page may show the same booking again after the visitor has left it.
    if (before !== after || name === 'booking-id') this.#queue()
  }

  /** Opens the widget once for all attribute changes of one tick. */
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
    const locale = localeOf(this)
    const place = make('div', { className: 'widget' })
    try {
      await this.#start(place, locale, signal)
    } catch (error) {
      if (signal.aborted) return
      if (isApiError(error)) {
        // Without messages, the page's own text inside the element is shown, until the network is back.
        place.append(make('slot'), ...contactLinks(this.getAttribute('contact') ?? ''))
        addEventListener('online', () => this.#queue(), { signal })
      }
      // The locale or the messages may be the cause, so the error is shown in English if necessary.
      else place.append(...(await this.#mistake(error as Error, locale)))
      if (!signal.aborted) this.#emit('failed', error)
    }
    if (signal.aborted) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    root.adoptedStyleSheets = [sheet]
    root.replaceChildren(place)
  }

  /** @throws Error for a missing or invalid attribute */
  async #start(place: HTMLElement, locale: string, signal: AbortSignal): Promise<void> {
    const config = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...this.config }
    const baseUrl = this.#needed('base-url')
    const apiKey = this.#needed('api-key')
    const { messages } = this
    const texts = await textsOf({ locale, timeZone: config.timeZone, messages, signal })
    if (signal.aborted) return
    place.lang = texts.lang
    place.dir = texts.dir
    this.#flow = new BookingFlow({
      baseUrl,
      apiKey,
      config,
      texts,
      place,
      signal,
      links: {
        termsUrl: this.#webAddress('terms-url'),
        privacyUrl: this.#webAddress('privacy-url'),
        contact: this.getAttribute('contact'),
      },
      bookingId: this.getAttribute('booking-id') || (this.#number === 0 ? this.#linked : undefined),
      name: `rental-booking:${apiKey}:${this.id || this.#number}`,
      emit: (name, detail) => this.#emit(name, detail),
    })
  }

  /** Returns the message for a mistake in the page. */
  async #mistake({ message }: Error, locale: string): Promise<(Node | string)[]> {
    const texts = await textsOf({ locale }).catch(() => textsOf({ locale: 'en' }))
    const { t, lang, dir } = texts
    const alert = t('errorClosed', { reference: ` (${message})` })
    const contact = contactLinks(this.getAttribute('contact') ?? '')
    return [make('p', { role: 'alert', lang, dir }, alert), ...contact]
  }

  #emit(name: string, detail: unknown): void {
    if (name === 'stepped') this.#linked = undefined
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  #needed(name: string): string {
    const value = this.getAttribute(name)
    if (!value) throw new Error(`${name} is missing`)
    return value
  }

  /** @throws Error for another scheme, such as `javascript:`; an app's own pages have its scheme */
  #webAddress(name: string): string | null {
    const value = this.getAttribute(name)
    if (value === null) return null
    const protocol = URL.canParse(value, this.baseURI) && new URL(value, this.baseURI).protocol
    if (['https:', 'http:', location.protocol].includes(protocol || '')) return value
    throw new Error(`${name} is not a web address`)
  }

  #json(name: string): Words {
    const text = this.getAttribute(name)
    try {
      return JSON.parse(text || '{}') ?? {}
    } catch {
      // Frameworks write objects as attributes as long as the element is not defined.
      const isObject = text?.startsWith('[object')
      const hint = `: ${text} was set before the widget was loaded; use JSON.stringify`
      throw new Error(`${name} is not JSON${isObject ? hint : ''}`)
    }
  }
}
