import { describe, expect, it } from 'vitest'
import { newBookingAttempt } from '../../clients/typescript/index.ts'
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
})
