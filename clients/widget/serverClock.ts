/** How long a price is good where no answer tells the time: as the API promises. */
const usualSeconds = 1800

/** A fetch that notes what the server's clock shows: a visitor's may be wrong by hours. */
export function serverClock() {
  let serverMs = Number.NaN
  return {
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const answer = await globalThis.fetch(url, init)
      serverMs = Date.parse(answer.headers.get('Date') ?? '')
      return answer
    },
    /** From the last answer's making to this instant. */
    secondsUntil(instant: string): number {
      return (Date.parse(instant) - serverMs) / 1000 || usualSeconds
    },
  }
}
