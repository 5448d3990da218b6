import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ClientOptions,
  createClient,
  newBookingAttempt,
  type QuoteRequest,
} from '../../clients/typescript/index.ts'
import { reviewBooking } from '../../src/services/reviewBooking.ts'
import { customer } from '../helpers/actors.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, anExtra, aTenant, type SeededKey } from '../helpers/seed.ts'
import { answeringFirst, fromOrigin, losing, type Seen, watching } from './fetches.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let tenantId: string
let key: SeededKey
let assetGroupId: string
let extraId: string
let request: QuoteRequest

beforeAll(async () => {
  const { database } = server.deps
  tenantId = await aTenant(database)
  key = await aKey(database, tenantId, { origins: [origin] })
  assetGroupId = await aGroup(database, tenantId, { assets: 100 })
  extraId = await anExtra(database, tenantId)
  request = { assetGroupId, pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }
})

function baseUrl(): string {
  return `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
}

/** A client that never really waits and notes how long it would have. */
function aClient(options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  const sleep: ClientOptions['sleep'] = async (seconds, signal) => {
    signal?.throwIfAborted()
    waits.push(seconds)
  }
  const client = createClient({ baseUrl: baseUrl(), apiKey: key.key, sleep, ...options })
  return { client, waits }
}

const sessionsIn = (seen: readonly Seen[]) =>
  seen.filter(({ url }) => url.endsWith('/sessions')).length
const aPage = (options: Partial<ClientOptions> = {}) => {
  const { fetch, seen } = watching(fromOrigin(origin, options.fetch))
  return { ...aClient({ ...options, session: true, fetch }), seen }
}

async function bookingsCount(): Promise<number> {
  const { rows } = await server.deps.database.pool.query('select 1 from bookings')
  return rows.length
}

const confirm = (bookingId: string) =>
  reviewBooking(server.deps.database, { bookingId, decision: 'confirm', actor: 'test' })

describe('on a server', () => {
  it('reads, quotes, books and waits for the decision', async () => {
    const waits: number[] = []
    const { client } = aClient({
      sleep: async (seconds) => {
        waits.push(seconds)
        await confirm(booking.bookingId)
      },
    })
    expect(await client.listAssetGroups()).toMatchObject([{ id: assetGroupId, name: 'Economy' }])
    expect(await client.listRates(assetGroupId)).toMatchObject([{ dailyRate: '499.00' }])
    const range = { from: inDays(5), to: inDays(6) }
    expect(await client.getAvailability(assetGroupId, range)).toMatchObject({ available: true })

    const quote = await client.createQuote({ ...request, extras: [{ extraId, quantity: 1 }] })
    const { quoteId } = quote
    expect(quote.breakdown.extras).toMatchObject([{ name: 'Child seat', amount: '50.00' }])
    const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
    expect(booking).toMatchObject({ status: 'pending', estimatedTotal: quote.total })

    const decided = await client.waitForDecision(booking.bookingId, { intervalSeconds: 7 })
    expect(decided.status).toBe('confirmed')
    expect(waits).toEqual([7])
  })

  it('asks again only for what has changed', async () => {
    const { fetch, seen } = watching()
    const { client } = aClient({ fetch })
    const first = await client.listAssetGroups()
    expect(await client.listAssetGroups()).toEqual(first)
    expect(seen[0]?.headers.get('If-None-Match')).toBeNull()
    expect(seen[1]?.headers.get('If-None-Match')).toBeTruthy()
  })

  it('makes one error of whatever is refused', async () => {
    const { client } = aClient()
    const { quoteId } = await client.createQuote(request)
    const booking = { quoteId, customer: { ...customer, email: 'nowhere' } }
    await expect(client.createBooking(booking, newBookingAttempt())).rejects.toMatchObject({
      name: 'RentalApiError',
      status: 400,
      code: 'VALIDATION_ERROR',
      details: [{ path: 'customer.email' }],
      retryAfterSeconds: undefined,
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })
})

describe('in a browser', () => {
  it('shares one session among calls at the same time', async () => {
    const { client, seen } = aPage()
    const [first] = await Promise.all([client.createQuote(request), client.createQuote(request)])
    const attempt = newBookingAttempt()
    await client.createBooking({ quoteId: first.quoteId, customer }, attempt)
    expect(sessionsIn(seen)).toBe(1)
  })

  it('replaces a session that has expired, and repeats the call', async () => {
    const { client, seen } = aPage()
    await client.createQuote(request)
    server.clock.advanceSeconds(3600)
    await client.createQuote(request)
    expect(sessionsIn(seen)).toBe(2)
  })

  it('does not go on making sessions that are refused', async () => {
    const { client, seen } = aPage({
      fetch: (url, init) => {
        const headers = new Headers(init.headers)
        if (headers.has('X-Session-Token')) headers.set('X-Session-Token', 'nonsense')
        return fetch(url, { ...init, headers })
      },
    })
    await expect(client.createQuote(request)).rejects.toMatchObject({ code: 'SESSION_INVALID' })
    expect(sessionsIn(seen)).toBe(2)
  })

  it('reads why a foreign origin is refused', async () => {
    const { client } = aClient({ session: true, fetch: fromOrigin('https://elsewhere.example') })
    await expect(client.createQuote(request)).rejects.toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' })
  })
})

/** On the server's clock, however the visitor's computer is set. */
const hoursWrong = 5 * 3600_000
const nowMs = () => server.clock.now().getTime() + hoursWrong
const bookingsIn = (seen: readonly Seen[]) =>
  seen.filter(({ url }) => url.endsWith('/bookings')).length

describe('when its session ends', () => {
  it('after a lost answer, says that nobody knows what came of the booking', async () => {
    const before = await bookingsCount()
    const { client, seen } = aPage({
      nowMs,
      fetch: losing('/bookings', 1),
      patience: { attemptsMax: 1 },
    })
    const { quoteId } = await client.createQuote(request)
    const attempt = newBookingAttempt()
    const book = () => client.createBooking({ quoteId, customer }, attempt)
    await expect(book()).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      retryable: true,
      outcomeUnknown: true,
    })
    server.clock.advanceSeconds(3600)
    for (const time of ['once', 'and again']) {
      await expect(book(), time).rejects.toMatchObject({
        status: 401,
        code: 'SESSION_EXPIRED',
        retryable: false,
        outcomeUnknown: true,
        requestId: expect.any(String),
      })
    }
    expect(await bookingsCount()).toBe(before + 1)
    // Another session could only be told that the quote is not its own.
    expect([sessionsIn(seen), bookingsIn(seen)]).toEqual([1, 3])
  })

  it('between two requests of one call, says so too', async () => {
    const before = await bookingsCount()
    const { client } = aPage({
      nowMs,
      fetch: losing('/bookings', 1),
      sleep: async () => server.clock.advanceSeconds(3600),
    })
    const { quoteId } = await client.createQuote(request)
    const booking = client.createBooking({ quoteId, customer }, newBookingAttempt())
    await expect(booking).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: true })
    expect(await bookingsCount()).toBe(before + 1)
  })

  it('soon, does not begin a booking, which a new quote then gets', async () => {
    const { client, seen } = aPage({ nowMs })
    const { quoteId } = await client.createQuote(request)
    // Five requests of 20 seconds and a minute of waiting: 160 seconds must be left.
    server.clock.advanceSeconds(3600 - 159)
    const attempt = newBookingAttempt()
    await expect(client.createBooking({ quoteId, customer }, attempt)).rejects.toMatchObject({
      status: 0,
      code: 'SESSION_EXPIRED',
      retryable: false,
      outcomeUnknown: false,
    })
    expect(bookingsIn(seen)).toBe(0)
    const again = await client.createQuote(request)
    const booking = await client.createBooking({ quoteId: again.quoteId, customer }, attempt)
    expect([booking.status, sessionsIn(seen)]).toEqual(['pending', 2])
  })

  it('unnoticed, says that nothing was booked', async () => {
    const before = await bookingsCount()
    const { client, seen } = aPage({ nowMs: () => 0 })
    const { quoteId } = await client.createQuote(request)
    server.clock.advanceSeconds(3600)
    const booking = client.createBooking({ quoteId, customer }, newBookingAttempt())
    await expect(booking).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: false })
    expect([await bookingsCount(), bookingsIn(seen), sessionsIn(seen)]).toEqual([before, 1, 1])
  })

  it('is renewed for a new quote, while the one before is booked and asked for in its own', async () => {
    const before = await bookingsCount()
    const { client, seen } = aPage({ nowMs, fetch: losing('/bookings', 1) })
    const first = await client.createQuote(request)
    server.clock.advanceSeconds(25 * 60)
    await client.createQuote(request)
    expect(sessionsIn(seen)).toBe(1)
    server.clock.advanceSeconds(1)
    const [second] = await Promise.all([client.createQuote(request), client.createQuote(request)])
    expect(sessionsIn(seen)).toBe(2)
    for (const { quoteId } of [first, second]) {
      const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
      expect(booking.status).toBe('pending')
    }
    expect(await bookingsCount()).toBe(before + 2)
  })

  it('knows of an attempt that it has booked nothing when that is the answer', async () => {
    const { client, waits } = aPage({ nowMs, fetch: losing('/bookings', 1) })
    const { quoteId } = await client.createQuote(request)
    await server.deps.database.pool.query(
      "update quotes set expires_at = now() - interval '1 second' where id = $1",
      [quoteId],
    )
    const late = client.createBooking({ quoteId, customer }, newBookingAttempt())
    await expect(late).rejects.toMatchObject({ code: 'QUOTE_EXPIRED', outcomeUnknown: false })
    expect(waits).toHaveLength(1)
  })

  it('after its caller left half-way, does not say that nothing was booked', async () => {
    const before = await bookingsCount()
    const leaving = new AbortController()
    const { client } = aPage({
      nowMs,
      async fetch(url, init) {
        const answer = await fetch(url, init)
        if (url.endsWith('/bookings')) leaving.abort(new Error('left the page'))
        return answer
      },
    })
    const { quoteId } = await client.createQuote(request)
    const attempt = newBookingAttempt()
    const { signal } = leaving
    const left = client.createBooking({ quoteId, customer }, attempt, { signal })
    await expect(left).rejects.toThrow('left the page')
    server.clock.advanceSeconds(3600)
    const again = client.createBooking({ quoteId, customer }, attempt)
    await expect(again).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: true })
    expect(await bookingsCount()).toBe(before + 1)
  })
})

describe('where sessions are short', () => {
  const brief = useTestApp({ SESSION_TTL_SECONDS: '60' })
  let quoteRequest: QuoteRequest
  let apiKey: string
  beforeAll(async () => {
    const { database } = brief.deps
    const tenant = await aTenant(database)
    apiKey = (await aKey(database, tenant, { origins: [origin] })).key
    const group = await aGroup(database, tenant)
    quoteRequest = { ...request, assetGroupId: group }
  })
  const aBriefPage = (fetch?: ClientOptions['fetch']) =>
    aPage({
      ...(fetch && { fetch }),
      apiKey,
      baseUrl: `http://127.0.0.1:${(brief.app.server.address() as AddressInfo).port}`,
      nowMs: () => brief.clock.now().getTime(),
    })

  it('renews them by their own length, and books in what is left', async () => {
    const { client, seen } = aBriefPage(losing('/bookings', 2))
    await client.createQuote(quoteRequest)
    brief.clock.advanceSeconds(25)
    await client.createQuote(quoteRequest)
    expect(sessionsIn(seen)).toBe(1)
    brief.clock.advanceSeconds(1)
    const { quoteId } = await client.createQuote(quoteRequest)
    expect(sessionsIn(seen)).toBe(2)
    brief.clock.advanceSeconds(30)
    const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
    expect(booking.status).toBe('pending')
  })

  it('begins no booking in the second half of one', async () => {
    const { client, seen } = aBriefPage()
    const { quoteId } = await client.createQuote(quoteRequest)
    brief.clock.advanceSeconds(31)
    const booking = client.createBooking({ quoteId, customer }, newBookingAttempt())
    await expect(booking).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: false })
    expect(bookingsIn(seen)).toBe(0)
  })
})

describe('when something is in the way', () => {
  it('makes one booking when the answer is lost', async () => {
    const before = await bookingsCount()
    const { client, waits } = aPage({ fetch: losing('/bookings', 2) })
    const { quoteId } = await client.createQuote(request)
    const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
    expect(booking.status).toBe('pending')
    expect(waits).toHaveLength(2)
    expect(await bookingsCount()).toBe(before + 1)
  })

  it('makes one booking when the visitor presses the button again', async () => {
    const before = await bookingsCount()
    const { client } = aPage({ fetch: losing('/bookings', 1), patience: { attemptsMax: 1 } })
    const { quoteId } = await client.createQuote(request)
    const attempt = newBookingAttempt()
    const book = () => client.createBooking({ quoteId, customer }, attempt)
    await expect(book()).rejects.toMatchObject({ status: 0, code: 'NETWORK_ERROR' })
    const again = await book()
    expect(await book()).toEqual(again)
    expect(await bookingsCount()).toBe(before + 1)
  })

  it('waits for the first of two requests that were sent for one attempt', async () => {
    const before = await bookingsCount()
    const holder = await server.deps.database.pool.connect()
    const refused: number[] = []
    const { client } = aClient({
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        if (!answer.ok) refused.push(answer.status)
        return answer
      },
      // Whoever has to wait lets the other one go on.
      sleep: async () => {
        await holder.query('rollback')
      },
    })
    const { quoteId } = await client.createQuote(request)
    await holder.query('begin')
    await holder.query('select 1 from quotes where id = $1 for update', [quoteId])
    const attempt = newBookingAttempt()
    const book = () => client.createBooking({ quoteId, customer }, attempt)
    const [first, second] = await Promise.all([book(), book()])
    holder.release()
    expect(first).toEqual(second)
    expect(refused).toContain(409)
    expect(await bookingsCount()).toBe(before + 1)
  })

  it('sits out a proxy that has lost its server', async () => {
    const proxy = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    const { client, waits } = aClient({ fetch: answeringFirst(2, proxy) })
    await client.listAssetGroups()
    const [first = 0, second = 0] = waits
    expect(first).toBeGreaterThanOrEqual(0.25)
    expect(first).toBeLessThanOrEqual(0.5)
    expect(second).toBeGreaterThanOrEqual(0.5)
  })

  it('gives up after as many requests as it was allowed', async () => {
    const headers = { 'Retry-After': '2' }
    const proxy = () => new Response('', { status: 503, headers })
    const { client, waits } = aClient({ fetch: answeringFirst(9, proxy) })
    await expect(client.listAssetGroups()).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      status: 503,
      retryAfterSeconds: 2,
    })
    expect(waits).toEqual([2, 2, 2, 2])
  })

  it('waits as long as a rate limit asks, but not longer than it may', async () => {
    const { database } = server.deps
    const narrow = await aKey(database, tenantId, { limits: { quotes: 1 } })
    const patient = aClient({ apiKey: narrow.key, patience: { attemptsMax: 2 } })
    await patient.client.createQuote(request)
    const limited = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) }
    await expect(patient.client.createQuote(request)).rejects.toMatchObject(limited)
    expect(patient.waits).toEqual([expect.any(Number)])

    const hasty = aClient({ apiKey: narrow.key, patience: { waitSecondsMax: 0 } })
    await expect(hasty.client.createQuote(request)).rejects.toMatchObject(limited)
    expect(hasty.waits).toEqual([])
  })

  it('goes on polling through trouble, and says so', async () => {
    const patience = { attemptsMax: 1 }
    const fetch = losing('/bookings/', 1)
    const { client } = aClient({ fetch, patience })
    const { quoteId } = await client.createQuote(request)
    const { bookingId } = await client.createBooking({ quoteId, customer }, newBookingAttempt())
    await reviewBooking(server.deps.database, { bookingId, decision: 'reject', actor: 'test' })
    const trouble: (string | undefined)[] = []
    const onTrouble = (error: { code: string } | undefined) => trouble.push(error?.code)
    const decided = await client.waitForDecision(bookingId, { onTrouble })
    expect(decided.status).toBe('rejected')
    expect(trouble).toEqual(['NETWORK_ERROR', undefined])
  })

  it('stops at once when its caller does not want it any more', async () => {
    const leaving = new AbortController()
    const fetch = losing('/bookings/', 99)
    const client = createClient({
      baseUrl: baseUrl(),
      apiKey: key.key,
      fetch,
      patience: { attemptsMax: 1 },
    })
    const polling = client.waitForDecision('x', {
      signal: leaving.signal,
      onTrouble: () => leaving.abort(new Error('left the page')),
    })
    await expect(polling).rejects.toThrow('left the page')
  })
})
