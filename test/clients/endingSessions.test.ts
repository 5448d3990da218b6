import { describe, expect, it } from 'vitest'
import { type ClientOptions, newBookingAttempt } from '../../clients/typescript/index.ts'
import { customer } from '../helpers/actors.ts'
import { losing } from './fetches.ts'
import { bookingsIn, sessionsIn, useClients } from './useClients.ts'

const clients = useClients()
const { server, aPage, bookingsCount } = clients

/** On the server's clock, however the visitor's computer is set. */
const hoursWrong = 5 * 3600_000
const nowMs = () => server.clock.now().getTime() + hoursWrong

describe('when its session ends', () => {
  it('after a lost answer, says that nobody knows what came of the booking', async () => {
    const before = await bookingsCount()
    const { client, seen } = aPage({
      nowMs,
      fetch: losing('/bookings', 1),
      patience: { attemptsMax: 1 },
    })
    const { quoteId } = await client.createQuote(clients.request)
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
    const { quoteId } = await client.createQuote(clients.request)
    const booking = client.createBooking({ quoteId, customer }, newBookingAttempt())
    await expect(booking).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: true })
    expect(await bookingsCount()).toBe(before + 1)
  })

  it('soon, does not begin a booking, which a new quote then gets', async () => {
    const { client, seen } = aPage({ nowMs })
    const { quoteId } = await client.createQuote(clients.request)
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
    const again = await client.createQuote(clients.request)
    const booking = await client.createBooking({ quoteId: again.quoteId, customer }, attempt)
    expect([booking.status, sessionsIn(seen)]).toEqual(['pending', 2])
  })

  it('unnoticed, says that nothing was booked', async () => {
    const before = await bookingsCount()
    const { client, seen } = aPage({ nowMs: () => 0 })
    const { quoteId } = await client.createQuote(clients.request)
    server.clock.advanceSeconds(3600)
    const booking = client.createBooking({ quoteId, customer }, newBookingAttempt())
    await expect(booking).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: false })
    expect([await bookingsCount(), bookingsIn(seen), sessionsIn(seen)]).toEqual([before, 1, 1])
  })

  it('is renewed for a new quote, while the one before is booked and asked for in its own', async () => {
    const before = await bookingsCount()
    const { client, seen } = aPage({ nowMs, fetch: losing('/bookings', 1) })
    const first = await client.createQuote(clients.request)
    server.clock.advanceSeconds(25 * 60)
    await client.createQuote(clients.request)
    expect(sessionsIn(seen)).toBe(1)
    server.clock.advanceSeconds(1)
    const [second] = await Promise.all([
      client.createQuote(clients.request),
      client.createQuote(clients.request),
    ])
    expect(sessionsIn(seen)).toBe(2)
    for (const { quoteId } of [first, second]) {
      const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
      expect(booking.status).toBe('pending')
    }
    expect(await bookingsCount()).toBe(before + 2)
  })

  it('knows of an attempt that it has booked nothing when that is the answer', async () => {
    const { client, waits } = aPage({ nowMs, fetch: losing('/bookings', 1) })
    const { quoteId } = await client.createQuote(clients.request)
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
    const { quoteId } = await client.createQuote(clients.request)
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
  const brief = useClients({ SESSION_TTL_SECONDS: '60' })
  const aBriefPage = (fetch?: ClientOptions['fetch']) =>
    brief.aPage({ ...(fetch && { fetch }), nowMs: () => brief.server.clock.now().getTime() })

  it('renews them by their own length, and books in what is left', async () => {
    const { client, seen } = aBriefPage(losing('/bookings', 2))
    await client.createQuote(brief.request)
    brief.server.clock.advanceSeconds(25)
    await client.createQuote(brief.request)
    expect(sessionsIn(seen)).toBe(1)
    brief.server.clock.advanceSeconds(1)
    const { quoteId } = await client.createQuote(brief.request)
    expect(sessionsIn(seen)).toBe(2)
    brief.server.clock.advanceSeconds(30)
    const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
    expect(booking.status).toBe('pending')
  })

  it('begins no booking in the second half of one', async () => {
    const { client, seen } = aBriefPage()
    const { quoteId } = await client.createQuote(brief.request)
    brief.server.clock.advanceSeconds(31)
    const booking = client.createBooking({ quoteId, customer }, newBookingAttempt())
    await expect(booking).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: false })
    expect(bookingsIn(seen)).toBe(0)
  })
})
