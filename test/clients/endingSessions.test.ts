import { describe, expect, it } from 'vitest'
import { newBookingAttempt } from '../../clients/typescript/index.ts'
import { customer } from '../helpers/actors.ts'
import { losing } from './fetches.ts'
import { bookingsIn, sessionsIn, useClients } from './useClients.ts'

const clients = useClients()
const { server, aPage, bookingsCount } = clients

/** Offset of a visitor's wrong clock; sessions must follow the server's clock. */
const wrongByMs = 5 * 3600_000
const nowMs = () => server.clock.now().getTime() + wrongByMs

describe('client after its session ends', () => {
  it('reports outcomeUnknown when the session expires after a lost response', async () => {
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
    // A retry in a new session would return QUOTE_SESSION_MISMATCH.
    expect([sessionsIn(seen), bookingsIn(seen)]).toEqual([1, 3])
  })

  it('renews the session for a new quote and books an earlier quote in its own session', async () => {
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
})
