/** The lifetime of a quote, used when a response has no Date header. */
const usualSeconds = 1800

export type ServerClock = ReturnType<typeof serverClock>

/**
 * Returns a fetch that stores the server's time, because a visitor's clock may be wrong by hours, and
 * the language of the names in the last response.
 */
export function serverClock() {
  let serverMs = Number.NaN
  let namesLang: string | null = null
  return {
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const response = await globalThis.fetch(url, init)
      serverMs = Date.parse(response.headers.get('Date') ?? '')
      namesLang = response.headers.get('Content-Language') ?? namesLang
      return response
    },
    namesLang: () => namesLang,
    /** Returns the time from the last response to the instant. */
    secondsUntil(instant: string): number {
      return (Date.parse(instant) - serverMs) / 1000 || usualSeconds
    },
  }
}
