/** The lifetime of a quote, used when a response has no Date header. */
const usualSeconds = 1800

export type ServerClock = ReturnType<typeof serverClock>

/** Returns a fetch that stores the server's time: a visitor's clock may be wrong by hours. */
export function serverClock() {
  let serverMs = Number.NaN
  return {
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const response = await globalThis.fetch(url, init)
      serverMs = Date.parse(response.headers.get('Date') ?? '')
      return response
    },
    /** Returns the time from the last response to the instant. */
    secondsUntil(instant: string): number {
      return (Date.parse(instant) - serverMs) / 1000 || usualSeconds
    },
  }
}
