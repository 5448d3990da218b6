import { describe, expect, it } from 'vitest'
import {
  newBookingAttempt,
  type RentalApiError,
  type RentalClient,
} from '../../clients/typescript/index.ts'
import { customer } from '../helpers/actors.ts'
import { aClient, aPage, aQuote, caught, json, minute, paths, rejected } from './offlineClient.ts'

describe('createBooking', () => {
  it('sends the session of the quote when there is a newer session', async () => {
    let made = 0
    const { client, seen, clock } = aPage(
      () => `token-${++made}`,
      () => undefined,
    )
    const { quoteId } = await client.createQuote(aQuote)
    clock.ms += 26 * minute
    await client.createQuote(aQuote)
    await client.createBooking({ quoteId, customer }, { idempotencyKey: 'k' })
    const { headers } = seen.at(-1) ?? {}
    expect([headers?.get('X-Session-Token'), headers?.get('Idempotency-Key')]).toEqual([
      'token-1',
      'k',
    ])
  })
})

describe('createBooking with a stored attempt', () => {
  it('sends the session of the quote, and reports an unknown outcome because a first request may have booked', async () => {
    const before = aPage(
      () => 'token-1',
      () => undefined,
    )
    const { quoteId } = await before.client.createQuote(aQuote)
    const sessionToken = before.client.sessionTokenOf(quoteId)
    const { client, seen } = aClient(() => rejected(401, 'SESSION_EXPIRED'))
    const attempt = { ...newBookingAttempt(), sessionToken }
    const error = await caught(client.createBooking({ quoteId, customer }, attempt))
    expect(error).toMatchObject({ code: 'SESSION_EXPIRED', outcomeUnknown: true })
    expect(seen.map(({ headers }) => headers.get('X-Session-Token'))).toEqual(['token-1'])
  })
})

describe('createBooking after a lost response', () => {
  // A wrong outcomeUnknown of false would let a visitor book a second vehicle.
  it.each<[number, string, boolean]>([
    [404, 'QUOTE_NOT_FOUND', false],
    [409, 'QUOTE_EXPIRED', false],
    // Also returned to the client that booked, once the recorded response is deleted.
    [409, 'QUOTE_ALREADY_USED', true],
    [401, 'SESSION_EXPIRED', true],
    [403, 'TENANT_SUSPENDED', true],
    [422, 'IDEMPOTENCY_KEY_REUSED', true],
  ])('when the retry returns %i %s, sets outcomeUnknown to %s', async (status, code, unknown) => {
    for (const first of [
      () => Promise.reject(new TypeError('reset')),
      () => rejected(409, 'REQUEST_IN_PROGRESS'),
    ]) {
      const { client, seen } = aClient((_, nth) => (nth === 1 ? first() : rejected(status, code)))
      const error = await caught(
        client.createBooking({ quoteId: 'q', customer }, newBookingAttempt()),
      )
      const fields = { message: 'In words.', details: [] }
      expect(error).toMatchObject({ status, code, outcomeUnknown: unknown, ...fields })
      expect(seen.map(({ init }) => init.method)).toEqual(['POST', 'POST'])
    }
  })

  it.each<[number, string]>([
    [400, 'VALIDATION_ERROR'],
    [429, 'RATE_LIMITED'],
    [403, 'QUOTE_SESSION_MISMATCH'],
  ])('sets outcomeUnknown to false after %i %s', async (status, code) => {
    const { client } = aClient(() => rejected(status, code), { patience: { attemptsMax: 1 } })
    const booking = client.createBooking({ quoteId: 'q', customer }, newBookingAttempt())
    expect(await caught(booking)).toMatchObject({ code, outcomeUnknown: false })
  })
})

const range = { from: 'x', to: 'y' }

describe('abort signal', () => {
  it.each<[string, (client: RentalClient, signal: AbortSignal) => Promise<unknown>]>([
    ['groups', (client, signal) => client.listAssetGroups({ signal })],
    ['rates', (client, signal) => client.listRates('g', { signal })],
    ['availability', (client, signal) => client.getAvailability('g', range, { signal })],
    ['a quote', (client, signal) => client.createQuote(aQuote, { signal })],
    ['a booking', (client, signal) => client.getBooking('b', { signal })],
    ['a decision', (client, signal) => client.waitForDecision('b', { signal })],
  ])('aborts the request for %s', async (_, call) => {
    const leaving = new AbortController()
    const { client, seen } = aClient(() => {
      leaving.abort(new Error('left the page'))
      throw new TypeError('aborted')
    })
    await expect(call(client, leaving.signal)).rejects.toThrow('left the page')
    expect(seen.map(({ init }) => init.signal?.aborted)).toEqual([true])
  })
})

it('ends the wait for a booking retry when the signal aborts', async () => {
  const leaving = new AbortController()
  const { client, seen } = aClient(() => rejected(503, 'SERVICE_UNAVAILABLE'), {
    sleep: async (_, signal) => {
      leaving.abort(new Error('left the page'))
      signal?.throwIfAborted()
    },
  })
  const { signal } = leaving
  const booking = client.createBooking({ quoteId: 'q', customer }, newBookingAttempt(), { signal })
  await expect(booking).rejects.toThrow('left the page')
  expect(paths(seen)).toEqual(['/bookings'])
})

describe('waitForDecision', () => {
  it('polls after 5, then every 30 seconds, waits for a longer Retry-After, and reports temporary errors to onTrouble', async () => {
    const responders = [
      () => json(200, { data: { status: 'pending' } }),
      () => rejected(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '20' }),
      () => rejected(429, 'RATE_LIMITED', { 'Retry-After': '1' }),
      () => rejected(503, 'SERVICE_UNAVAILABLE'),
      () => json(200, { data: { status: 'pending' } }),
      () => json(200, { data: { status: 'cancelled' } }),
    ]
    const { client, waits } = aClient(
      // A poll after the decision fails the test.
      (_, nth) => responders[nth - 1]?.() ?? rejected(404, 'NOT_FOUND'),
      { patience: { attemptsMax: 1 } },
    )
    const trouble: (string | undefined)[] = []
    const onTrouble = (error: RentalApiError | undefined) => trouble.push(error?.code)
    const final = await client.waitForDecision('b', { onTrouble })
    expect(final.status).toBe('cancelled')
    expect(waits).toEqual([5, 20, 30, 30, 30])
    expect(trouble).toEqual([
      'SERVICE_UNAVAILABLE',
      'RATE_LIMITED',
      'SERVICE_UNAVAILABLE',
      undefined,
    ])
  })

  it('returns the pending booking after a last poll at the deadline', async () => {
    const waits: number[] = []
    const sleep = async (seconds: number) => {
      waits.push(seconds)
      clock.ms += seconds * 1000
    }
    const pending = () => json(200, { data: { status: 'pending' } })
    const { client, seen, clock } = aClient(pending, { sleep })
    const booking = await client.waitForDecision('b', { deadlineSeconds: 27 })
    expect(booking.status).toBe('pending')
    expect(waits).toEqual([5, 15, 7])
    expect(seen).toHaveLength(4)
  })

  it('rejects after a permanent error without another poll', async () => {
    const { client, seen } = aClient(() => rejected(404, 'NOT_FOUND'))
    expect(await caught(client.waitForDecision('b'))).toMatchObject({ code: 'NOT_FOUND' })
    expect(seen).toHaveLength(1)
  })
})
