import { describe, expect, it } from 'vitest'
import { type DateTimeRange, newBookingAttempt } from '../../clients/typescript/index.ts'
import { reviewBooking } from '../../src/services/bookings/reviewBooking.ts'
import { customer } from '../helpers/actors.ts'
import { inDays } from '../helpers/dates.ts'
import { anExtra } from '../helpers/seed.ts'
import { fromOrigin, losing } from './fetches.ts'
import { sessionsIn, useClients } from './useClients.ts'

const clients = useClients()
const { server, aClient, aPage, bookingsCount } = clients

const confirm = (bookingId: string) =>
  reviewBooking(server.deps.database, { bookingId, decision: 'confirm', actor: 'test' })

describe('client on a server', () => {
  it('lists, quotes, books and polls until the booking is confirmed', async () => {
    const waits: number[] = []
    const { client } = aClient({
      sleep: async (seconds) => {
        waits.push(seconds)
        await confirm(booking.bookingId)
      },
    })
    const { assetGroupId } = clients.request
    const extraId = await anExtra(server.deps.database, clients.tenantId)
    expect(await client.listAssetGroups()).toMatchObject([{ id: assetGroupId, name: 'Economy' }])
    expect(await client.listRates(assetGroupId)).toMatchObject([{ dailyRate: '499.00' }])
    const range = { from: inDays(5), to: inDays(6) }
    expect(await client.getAvailability(assetGroupId, range)).toMatchObject({ available: true })

    const quote = await client.createQuote({
      ...clients.request,
      extras: [{ extraId, quantity: 1 }],
    })
    const { quoteId } = quote
    expect(quote.breakdown.extras).toMatchObject([{ name: 'Child seat', amount: '50.00' }])
    const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
    expect(booking).toMatchObject({ status: 'pending', estimatedTotal: quote.total })

    const final = await client.waitForDecision(booking.bookingId, { intervalSeconds: 7 })
    expect(final.status).toBe('confirmed')
    expect(waits).toEqual([7])
  })

  it.each([
    [
      'a date',
      { from: '2035-06-01', to: '2035-06-04' },
      /query\.from must be a date-time with an offset, such as .* 1 more/,
    ],
    ['no range', undefined, /query\.from must be a date-time with an offset/],
  ])('throws a sentence for availability with %s', async (_, range, sentence) => {
    const { client } = aClient()
    const asked = client.getAvailability(clients.request.assetGroupId, range as DateTimeRange)
    await expect(asked).rejects.toThrow(sentence)
  })
})

describe('client in a browser', () => {
  it('shares one session among concurrent calls', async () => {
    const { client, seen } = aPage()
    const [first] = await Promise.all([
      client.createQuote(clients.request),
      client.createQuote(clients.request),
    ])
    const attempt = newBookingAttempt()
    await client.createBooking({ quoteId: first.quoteId, customer }, attempt)
    expect(sessionsIn(seen)).toBe(1)
  })

  it('throws ORIGIN_NOT_ALLOWED on an origin that the key does not list', async () => {
    const { client } = aClient({ session: true, fetch: fromOrigin('https://elsewhere.example') })
    await expect(client.createQuote(clients.request)).rejects.toMatchObject({
      code: 'ORIGIN_NOT_ALLOWED',
      message: expect.stringContaining('--add-origin https://elsewhere.example'),
    })
  })
})

describe('client after failures', () => {
  it('creates one booking when responses are lost', async () => {
    const before = await bookingsCount()
    const { client, waits } = aPage({ fetch: losing('/bookings', 2) })
    const { quoteId } = await client.createQuote(clients.request)
    const booking = await client.createBooking({ quoteId, customer }, newBookingAttempt())
    expect(booking.status).toBe('pending')
    expect(waits).toHaveLength(2)
    expect(await bookingsCount()).toBe(before + 1)
  })

  it('creates one booking when the same attempt is sent again', async () => {
    const before = await bookingsCount()
    const { client } = aPage({ fetch: losing('/bookings', 1), patience: { attemptsMax: 1 } })
    const { quoteId } = await client.createQuote(clients.request)
    const attempt = newBookingAttempt()
    const book = () => client.createBooking({ quoteId, customer }, attempt)
    await expect(book()).rejects.toMatchObject({ status: 0, code: 'NETWORK_ERROR' })
    const again = await book()
    expect(await book()).toEqual(again)
    expect(await bookingsCount()).toBe(before + 1)
  })

  it('waits for the first of two concurrent requests of one attempt', async () => {
    const before = await bookingsCount()
    const holder = await server.deps.database.pool.connect()
    const rejected: number[] = []
    const { client } = aClient({
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (!response.ok) rejected.push(response.status)
        return response
      },
      // The request that has to wait releases the lock for the other one.
      sleep: async () => {
        await holder.query('rollback')
      },
    })
    const { quoteId } = await client.createQuote(clients.request)
    await holder.query('begin')
    await holder.query('select 1 from quotes where id = $1 for update', [quoteId])
    const attempt = newBookingAttempt()
    const book = () => client.createBooking({ quoteId, customer }, attempt)
    const [first, second] = await Promise.all([book(), book()])
    holder.release()
    expect(first).toEqual(second)
    expect(rejected).toContain(409)
    expect(await bookingsCount()).toBe(before + 1)
  })
})
