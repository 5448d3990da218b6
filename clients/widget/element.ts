import type { RentalApiError } from '../typescript/index.ts'
import { toJson } from '../typescript/json.ts'
import { BookingFlow } from './bookingFlow.ts'
import { checkedConfig } from './config.ts'
import { isApiError } from './explain.ts'
import { linkedBooking } from './link.ts'
import { localeOf } from './locale.ts'
import type { RentalBookingElement as Declared, RentalConfig } from './rental-booking.d.ts'
import * as shared from './shared.ts'
import styles from './style.css'
import { textsOf } from './texts.ts'
import { make } from './ui/dom.ts'
import { contactLinks } from './ui/parts.ts'
import { skeleton } from './ui/skeleton.ts'
import { styleSheet } from './ui/styles.ts'
import { type Step, steps } from './visit.ts'

type Words = Readonly<Record<string, string>>

/** The fallback makes the module importable on servers, which have no HTMLElement. */
const Base = globalThis.HTMLElement ?? class {}
const places: unknown[] = []

/** Reports whether the page must be changed: an error without a code, or of its key or account. */
const isMistake = ({ code, status }: RentalApiError) =>
  code === undefined || ((status === 401 || status === 403) && !/^(QUOTE|SESSION)_/.test(code))

/** Returns an entry of an Accept-Language header. */
const weighted = (language: string, at: number) =>
  at === 0 ? language : `${language};q=0.${Math.max(10 - at, 1)}`

/** The element `<rental-booking base-url api-key>`, which renders the booking steps in a shadow tree. */
export class RentalBookingElement extends Base implements Declared {
  static readonly shared = shared
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
    'reference',
    'asset-group',
    'pickup',
    'dropoff',
  ]
  declare assetGroup: string | null
  declare pickup: string | null
  declare dropoff: string | null
  #number = 0
  #flow: BookingFlow | undefined
  #ending = new AbortController()
  #isQueued = false
  /** The booking in the page's address, until a step is shown. */
  #linked = globalThis.location && linkedBooking(location.href)
  #locale = ''
  /** Follows a change of the page's language. */
  readonly #languages = new MutationObserver(() => {
    if (localeOf(this) !== this.#locale) this.#queue()
  })

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
    this.setAttribute('config', toJson(config ?? {}))
  }

  /** Messages that replace the built-in ones; stored in the attribute as JSON. */
  get messages(): Words {
    return this.#json('messages')
  }
  set messages(messages: Words | undefined) {
    this.setAttribute('messages', toJson(messages ?? {}))
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
    const attributeFilter = ['lang']
    this.#languages.observe(document, { subtree: true, attributes: true, attributeFilter })
    this.#queue()
  }
  disconnectedCallback(): void {
    places[this.#number] = undefined
    this.#languages.disconnect()
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
    this.#locale = locale
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const show = (place: HTMLElement) =>
      root.replaceChildren(make('div', { className: 'frame' }, place))
    // The texts are loaded first.
    if (!root.firstChild) {
      root.adoptedStyleSheets = [styleSheet(styles)]
      const progress = make('div', { className: 'progress' })
      show(make('div', { className: 'widget' }, progress, skeleton('dates')))
    }
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
    if (!signal.aborted) show(place)
  }

  /** @throws Error for a missing or invalid attribute */
  async #start(place: HTMLElement, locale: string, signal: AbortSignal): Promise<void> {
    const config = checkedConfig(this.config)
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
      // Names of vehicles may be in a language for which there are no messages.
      language: [locale, ...navigator.languages].map(weighted).join(),
      links: {
        termsUrl: this.#webAddress('terms-url'),
        privacyUrl: this.#webAddress('privacy-url'),
        contact: this.getAttribute('contact'),
      },
      reference: this.getAttribute('reference'),
      only: this.assetGroup || undefined,
      given: { pickup: this.pickup, dropoff: this.dropoff },
      bookingId: this.getAttribute('booking-id') || (this.#number === 0 ? this.#linked : undefined),
      name: `rental-booking:${apiKey}:${this.id || this.#number}`,
      emit: (name, detail) => this.#emit(name, detail),
      adopt: (sheet) => this.#adopt(sheet),
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

  #adopt(sheet: CSSStyleSheet): void {
    const sheets = this.shadowRoot?.adoptedStyleSheets
    if (!sheets?.includes(sheet)) sheets?.push(sheet)
  }

  #emit(name: string, detail: unknown): void {
    if (name === 'stepped') this.#linked = undefined
    if (name === 'failed' && isMistake(detail as RentalApiError)) {
      // biome-ignore lint/suspicious/noConsole: for the developer of the page.
      console.error(`<rental-booking>: ${(detail as Error).message}`)
    }
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

for (const name of ['asset-group', 'pickup', 'dropoff']) {
  Object.defineProperty(RentalBookingElement.prototype, name.replace('-g', 'G'), {
    get(this: HTMLElement) {
      return this.getAttribute(name)
    },
    set(this: HTMLElement, value: string | null | undefined) {
      if (value) this.setAttribute(name, value)
      else this.removeAttribute(name)
    },
  })
}
