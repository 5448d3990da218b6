import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { shownDetails } from '../../../src/db/queries/bookings/detailColumns.ts'
import { bookingDetailsExample } from '../../../src/input/bookingDetails.ts'
import { aQuote, attempt, type Ground, oneValue, outcomeOf, type Rule } from './ground.ts'

const bookingCount = (on: Ground) =>
  oneValue<number>(on, 'select count(*)::int as value from bookings')

/** Returns the stored details of the booking of a quote. */
const detailsOf = (on: Ground, quoteId: string) =>
  oneValue(on, `select ${shownDetails('b')} as value from bookings b where quote_id = $1`, quoteId)

const expire = (on: Ground, quoteId: string) =>
  on.database.pool.query(
    `update quotes set expires_at = now() - interval '1 second' where id = $1`,
    [quoteId],
  )

export const redemptionRules = {
  async 'redeems a quote once'(on) {
    const quoteId = await aQuote(on)
    const outcomes = [await outcomeOf(on, { quoteId }), await outcomeOf(on, { quoteId })]
    expect(outcomes).toEqual(['ACCEPTED', 'QUOTE_ALREADY_USED'])
    expect(await bookingCount(on)).toBe(1)
  },

  async 'copies the quote and the customer’s input to the booking'(on) {
    const quoteId = await aQuote(on)
    await attempt(on, { quoteId })
    const { rows } = await on.database.pool.query(
      `select (b.api_key_id, b.asset_group_id, b.pickup_at, b.dropoff_at, b.total_minor, b.currency)
           = (q.api_key_id, q.asset_group_id, q.pickup_at, q.dropoff_at, q.total_minor, q.currency)
         as "asQuoted", q.used_at is not null as used, b.status
       from bookings b join quotes q on q.id = b.quote_id`,
    )
    expect(rows).toEqual([{ asQuoted: true, used: true, status: 'pending' }])
    expect(await detailsOf(on, quoteId)).toEqual(bookingDetailsExample)
  },

  async 'stores omitted details as null'(on) {
    const { customer, ...rental } = bookingDetailsExample
    const required = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
    for (const name of Object.keys(rental)) {
      const quoteId = await aQuote(on)
      await attempt(on, { quoteId, details: { customer, ...rental, [name]: undefined } })
      expect(await detailsOf(on, quoteId)).toEqual({ customer, ...rental, [name]: null })
    }
    for (const name of Object.keys(customer).filter((name) => !(name in required))) {
      const quoteId = await aQuote(on)
      const less = { ...customer, [name]: undefined }
      await attempt(on, { quoteId, details: { customer: less, ...rental } })
      const stored = await detailsOf(on, quoteId)
      expect(stored).toEqual({ customer: { ...customer, [name]: null }, ...rental })
    }
  },

  async 'returns the booking as accepted'(on) {
    const result = await attempt(on, { quoteId: await aQuote(on) })
    const id = await oneValue(on, 'select id as value from bookings')
    expect(result).toEqual({
      outcome: 'ACCEPTED',
      replayed: false,
      booking: {
        ...{
          id,
          status: 'pending',
          assetGroupId: on.groupId,
          totalMinor: 124_750n,
          currency: 'NOK',
        },
        pickupAt: new Date('2038-05-01T10:00Z'),
        dropoffAt: new Date('2038-05-03T10:00Z'),
        createdAt: await oneValue(on, 'select created_at as value from bookings'),
        reference: bookingDetailsExample.reference,
        decisionMessage: null,
      },
    })
  },

  async 'finds a quote only for the key that created it'(on) {
    const quoteId = await aQuote(on)
    expect(await outcomeOf(on, { quoteId, keyId: on.otherKeyId })).toBe('QUOTE_NOT_FOUND')
    expect(await outcomeOf(on, { quoteId: randomUUID() })).toBe('QUOTE_NOT_FOUND')
    expect(await bookingCount(on)).toBe(0)
  },

  async 'books a quote only from the session that created it, and a quote without a session only without one'(
    on,
  ) {
    const sessions = [null, randomUUID(), randomUUID()]
    for (const made of sessions) {
      const quoteId = await aQuote(on, { sessionId: made })
      for (const booked of sessions.filter((session) => session !== made)) {
        const outcome = await outcomeOf(on, { quoteId, sessionId: booked })
        expect(outcome).toBe('QUOTE_SESSION_MISMATCH')
      }
      expect(await outcomeOf(on, { quoteId, sessionId: made })).toBe('ACCEPTED')
    }
  },

  async 'rejects an expired quote'(on) {
    const quoteId = await aQuote(on)
    await expire(on, quoteId)
    expect(await outcomeOf(on, { quoteId })).toBe('QUOTE_EXPIRED')
    expect(await bookingCount(on)).toBe(0)
  },

  async 'returns the error of another session before used, and used before expired'(on) {
    const sessionId = randomUUID()
    const used = await aQuote(on)
    await attempt(on, { quoteId: used })
    const unused = await aQuote(on)
    for (const quoteId of [used, unused]) await expire(on, quoteId)
    expect(await outcomeOf(on, { quoteId: used, sessionId })).toBe('QUOTE_SESSION_MISMATCH')
    expect(await outcomeOf(on, { quoteId: unused, sessionId })).toBe('QUOTE_SESSION_MISMATCH')
    expect(await outcomeOf(on, { quoteId: used })).toBe('QUOTE_ALREADY_USED')
  },

  async 'replays the first response, whether booking or rejection'(on) {
    const booking = { quoteId: await aQuote(on), idempotencyKey: 'booking' }
    const rejection = { quoteId: randomUUID(), idempotencyKey: 'refusal' }
    for (const request of [booking, rejection]) {
      const first = await attempt(on, request)
      expect(first.replayed).toBe(false)
      expect(await attempt(on, request)).toEqual({ ...first, replayed: true })
    }
    expect(await bookingCount(on)).toBe(1)
  },

  async 'rejects another body with the same idempotency key and keeps the first response'(on) {
    const request = { quoteId: await aQuote(on), idempotencyKey: 'attempt', body: 'first' }
    await attempt(on, request)
    expect(await outcomeOf(on, { ...request, body: 'second' })).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await attempt(on, request)).toMatchObject({ outcome: 'ACCEPTED', replayed: true })
  },

  async 'replays the first response to a retry after the customer was erased'(on) {
    const request = { quoteId: await aQuote(on), idempotencyKey: 'attempt', body: 'first' }
    const first = await attempt(on, request)
    await on.database.pool.query("update idempotency_records set fingerprint = ''")
    expect(await attempt(on, request)).toEqual({ ...first, replayed: true })
    expect(await bookingCount(on)).toBe(1)
  },

  async 'replays no response of another visitor or key'(on) {
    const idempotencyKey = 'attempt'
    const callers = [
      { keyId: on.keyId, sessionId: null },
      { keyId: on.keyId, sessionId: randomUUID() },
      { keyId: on.keyId, sessionId: randomUUID() },
      { keyId: on.otherKeyId, sessionId: null },
    ]
    for (const caller of callers) {
      const quoteId = await aQuote(on, caller)
      const result = await attempt(on, { ...caller, quoteId, idempotencyKey })
      expect(result).toMatchObject({ outcome: 'ACCEPTED', replayed: false })
    }
  },

  async 'returns REQUEST_IN_PROGRESS to a concurrent retry and does not block other callers'(on) {
    const call = { quoteId: await aQuote(on), idempotencyKey: 'twin' }
    const first = await on.database.pool.connect()
    try {
      await first.query('begin')
      await attempt(on, call, { pool: first, preparedStatements: false })
      expect(await outcomeOf(on, call)).toBe('REQUEST_IN_PROGRESS')
      expect(await outcomeOf(on, { quoteId: await aQuote(on) })).toBe('ACCEPTED')
      for (const other of [{ keyId: on.otherKeyId }, { sessionId: randomUUID() }]) {
        const same = { ...call, quoteId: await aQuote(on, other), ...other }
        expect(await outcomeOf(on, same)).toBe('ACCEPTED')
      }
      await first.query('rollback')
      expect(await outcomeOf(on, call)).toBe('ACCEPTED')
    } finally {
      first.release(true)
    }
  },
} satisfies Record<string, Rule>
