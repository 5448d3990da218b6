import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { customer } from '../helpers/actors.ts'

/** The addresses and the secret for requests. Both may change during the load. */
export interface Target {
  urls: string[]
  key: string
}

export interface Counts {
  requests: number
  quotes: number
  /** The number of quotes that were booked concurrently on several replicas. */
  storms: number
  bookings: number
  readonly failures: string[]
}

/** An origin in the key's allow list. */
export const origin = 'https://www.example.com'
const storm = 4
const visitors = 3
const rental = { pickupDatetime: '2035-06-01T10:00:00Z', dropoffDatetime: '2035-06-04T10:00:00Z' }

/**
 * Quotes, books and reads on all replicas in turn until `stop` is called, which returns the counts.
 * `isPatient`: repeats requests that return 503, as the documents tell clients to.
 */
export function startLoad(target: Target, isPatient = false): { stop(): Promise<Counts> } {
  const counts: Counts = { requests: 0, quotes: 0, storms: 0, bookings: 0, failures: [] }
  let stopped = false
  let turn = 0

  async function send(
    path: string,
    body?: object,
    more?: Record<string, string>,
  ): Promise<{ status: number; data: never; code: string | undefined }> {
    const url = target.urls[turn++ % target.urls.length]
    counts.requests += 1
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${target.key}`,
        'content-type': 'application/json',
        ...more,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { data, error } = (await response.json()) as { data: never; error?: { code: string } }
    if (isPatient && response.status === 503) {
      await wait(Number(response.headers.get('retry-after')) * 1_000)
      return send(path, body, more)
    }
    return { status: response.status, data, code: error?.code }
  }
  const get = async <Data>(
    path: string,
    body?: object,
    more?: Record<string, string>,
  ): Promise<Data> => {
    const { status, data, code } = await send(path, body, more)
    if (code !== undefined) throw new Error(`${path}: ${status} ${code}`)
    return data
  }

  async function visit() {
    const [group] = await get<{ id: string }[]>('/asset-groups')
    const range = `from=${rental.pickupDatetime}&to=${rental.dropoffDatetime}`
    await get(`/asset-groups/${group?.id}/availability?${range}`)
    await get(`/asset-groups/${group?.id}/rates`)
    await get('/sessions', {}, { origin })
    const quote = { assetGroupId: group?.id, ...rental }
    const { quoteId } = await get<{ quoteId: string }>('/quotes', quote)
    counts.quotes += 1
    const book = () => send('/bookings', { quoteId, customer }, { 'idempotency-key': randomUUID() })
    const responses = await Promise.all(Array.from({ length: storm }, book))
    counts.storms += 1
    const accepted = responses.filter(({ status }) => status === 202)
    counts.bookings += accepted.length
    const outcomes = responses.map(({ status, code }) => code ?? String(status)).sort()
    const expected = ['202', ...Array(storm - 1).fill('QUOTE_ALREADY_USED')]
    if (outcomes.join() !== expected.join()) throw new Error(`storm: ${outcomes.join()}`)
    const { bookingId } = accepted[0]?.data ?? { bookingId: '' }
    for (const _ of target.urls) await get(`/bookings/${bookingId}`)
  }

  const running = Array.from({ length: visitors }, async () => {
    while (!stopped)
      await visit().catch((error: unknown) => {
        counts.failures.push(String(error))
      })
  })
  return {
    async stop() {
      stopped = true
      await Promise.all(running)
      return counts
    },
  }
}
