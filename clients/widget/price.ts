import { createSend } from '../typescript/http.ts'
import type { Rate } from '../typescript/types.ts'
import { localeOf } from './locale.ts'

/** The texts of the element in each language of the widget. */
const texts: Readonly<Record<string, string>> = {
  da: 'fra {price} pr. dag',
  de: 'ab {price} pro Tag',
  en: 'from {price} a day',
  es: 'desde {price} al día',
  fr: 'à partir de {price} par jour',
  it: 'da {price} al giorno',
  nb: 'fra {price} per dag',
  nl: 'vanaf {price} per dag',
  sv: 'från {price} per dag',
}

/** The fallback makes the module importable on servers, which have no HTMLElement. */
const Base = globalThis.HTMLElement ?? class {}

/**
 * The element `<rental-price base-url api-key asset-group>`: the lowest daily rate of an asset group.
 * Until the rate is known, and if it can't be read, the element shows what the page wrote into it.
 */
class RentalPriceElement extends Base {
  static readonly observedAttributes = ['base-url', 'api-key', 'asset-group', 'config', 'lang']
  #ending = new AbortController()

  connectedCallback(): void {
    void this.#show()
  }
  disconnectedCallback(): void {
    this.#ending.abort()
  }
  attributeChangedCallback(): void {
    if (this.isConnected) void this.#show()
  }

  async #show(): Promise<void> {
    this.#ending.abort()
    this.#ending = new AbortController()
    const { signal } = this.#ending
    // Frameworks set the attributes one after the other.
    await Promise.resolve()
    if (signal.aborted) return
    try {
      const text = await this.#priceText(signal)
      if (!signal.aborted) this.textContent = text
    } catch (error) {
      if (signal.aborted) return
      // biome-ignore lint/suspicious/noConsole: for the developer of the page.
      console.error(`<rental-price>: ${(error as Error).message}`)
    }
  }

  /** @throws RentalApiError, or Error if the group has no rate */
  async #priceText(signal: AbortSignal): Promise<string> {
    const attribute = (name: string) => this.getAttribute(name) ?? ''
    const send = createSend({
      baseUrl: attribute('base-url'),
      apiKey: attribute('api-key'),
      fetch: (...call) => fetch(...call),
      timeoutSeconds: 20,
    })
    const path = `/asset-groups/${encodeURIComponent(attribute('asset-group'))}/rates`
    const rates = (await send({ method: 'GET', path, signal })).data as readonly Rate[]
    const [lowest] = rates.toSorted((a, b) => +a.dailyRate - +b.dailyRate)
    if (lowest === undefined) throw new Error('the asset group has no rate')
    const { taxPercent = '0', pricesIncludeTax } = JSON.parse(attribute('config') || '{}')
    const price = +lowest.dailyRate * (pricesIncludeTax ? 1 : 1 + taxPercent / 100)
    const locale = localeOf(this)
    const language = new Intl.Locale(locale).language.replace(/^n[no]$/, 'nb')
    const known = language in texts ? locale : 'en-GB'
    const money = new Intl.NumberFormat(known, {
      style: 'currency',
      currency: lowest.currency,
      trailingZeroDisplay: 'stripIfInteger',
    }).format(price)
    return (texts[language] ?? texts['en'] ?? '').replace('{price}', () => money)
  }
}

// The module may be loaded twice on one page, or on a server.
if (!globalThis.customElements?.get('rental-price')) {
  globalThis.customElements?.define('rental-price', RentalPriceElement)
}
