import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { quotes } from '../../../src/db/schema/index.ts'
import { customer } from '../../helpers/actors.ts'
import { inDays } from '../../helpers/dates.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'

const clients = useHttpClients()
const { aQuote, expire, bookingsOf } = clients

describe('POST /bookings', () => {
  it('returns 202 with the pending booking and its Location', async () => {
    const response = await clients.partner.book({ quoteId: await aQuote(), customer })
    const data = expectData(response, 202)
    expect(data).toEqual({
      bookingId: expect.stringMatching(/^[\da-f-]{36}$/),
      status: 'pending',
      assetGroupId: clients.groupId,
      pickupDatetime: inDays(10),
      dropoffDatetime: inDays(12),
      estimatedTotal: '1247.50',
      currency: 'NOK',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(response.headers['location']).toBe(`/api/v1/bookings/${data.bookingId}`)
    expect(response.headers['idempotent-replayed']).toBeUndefined()
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('stores trimmed customer input', async () => {
    const quoteId = await aQuote()
    const notes = "Robert'); DROP TABLE bookings;--\n\t{{7*7}} =cmd() 👩‍👩‍👧"
    const response = await clients.partner.book({
      quoteId: quoteId.toUpperCase(),
      customer: { ...customer, firstName: '  Kari  ' },
      pickupLocation: 'Oslo S',
      dropoffLocation: 'Bergen',
      notes,
    })
    expectData(response, 202)
    const [row] = await bookingsOf(quoteId)
    expect(row).toMatchObject({
      status: 'pending',
      totalMinor: 124_750n,
      customerFirstName: 'Kari',
      customerPhone: customer.phone,
      pickupLocation: 'Oslo S',
      dropoffLocation: 'Bergen',
      notes,
    })
  })

  it('accepts a customer with only names and e-mail', async () => {
    const { firstName, lastName, email } = customer
    const quoteId = await aQuote()
    expectData(
      await clients.partner.book({ quoteId, customer: { firstName, lastName, email } }),
      202,
    )
    expect((await bookingsOf(quoteId))[0]).toMatchObject({ customerPhone: null, notes: null })
  })

  it('accepts a quote of the same session from a visitor', async () => {
    const visitor = await clients.aVisitor()
    expectData(await visitor.book({ quoteId: await aQuote(visitor), customer }), 202)
  })
})

describe('rejected bookings', () => {
  it('rejects an unknown quote and a quote of another key with 404 QUOTE_NOT_FOUND', async () => {
    const unknown = await clients.partner.book({ quoteId: randomUUID(), customer })
    expectError(unknown, 404, 'QUOTE_NOT_FOUND')
    const quoteId = await aQuote(await clients.anotherPartner())
    const foreign = await clients.partner.book({ quoteId, customer })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })

  it('rejects a quote from another session or channel with 403 QUOTE_SESSION_MISMATCH', async () => {
    const [one, two] = [await clients.aVisitor(), await clients.aVisitor()]
    for (const [quoter, booker] of [
      [one, two],
      [clients.partner, one],
      [one, clients.partner],
    ] as const) {
      const quoteId = await aQuote(quoter)
      expectError(await booker.book({ quoteId, customer }), 403, 'QUOTE_SESSION_MISMATCH')
      expectData(await quoter.book({ quoteId, customer }), 202)
    }
  })

  it('rejects a used quote with 409 QUOTE_ALREADY_USED, even after it has expired', async () => {
    const quoteId = await aQuote()
    expectData(await clients.partner.book({ quoteId, customer }), 202)
    expectError(await clients.partner.book({ quoteId, customer }), 409, 'QUOTE_ALREADY_USED')
    await expire(quoteId)
    expectError(await clients.partner.book({ quoteId, customer }), 409, 'QUOTE_ALREADY_USED')
  })

  it('rejects an expired quote with 409 QUOTE_EXPIRED', async () => {
    const quoteId = await aQuote()
    await expire(quoteId)
    expectError(await clients.partner.book({ quoteId, customer }), 409, 'QUOTE_EXPIRED')
    expect(await bookingsOf(quoteId)).toEqual([])
  })

  it('returns 409 REQUEST_IN_PROGRESS with Retry-After while the same key is in progress', async () => {
    const quoteId = await aQuote()
    const idempotencyKey = randomUUID()
    const twin = await clients.database().pool.connect()
    try {
      // The lock that redeem_quote takes for the same Idempotency-Key.
      const [row] = await clients
        .database()
        .orm.select({ apiKeyId: quotes.apiKeyId })
        .from(quotes)
        .where(eq(quotes.id, quoteId))
      const scope = [clients.tenantId, row?.apiKeyId, 'server', idempotencyKey].join('/')
      await twin.query('begin')
      await twin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [scope])
      const response = await clients.partner.book({ quoteId, customer }, idempotencyKey)
      expectError(response, 409, 'REQUEST_IN_PROGRESS')
      expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    } finally {
      await twin.query('rollback')
      twin.release()
    }
    expectData(await clients.partner.book({ quoteId, customer }, idempotencyKey), 202)
  })

  it('returns 503 when the database connection closes before the outcome is known', async () => {
    const quoteId = await aQuote()
    const { pool } = clients.database()
    await pool.query(`
      create function go_away() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()), pg_sleep(60); end $$;
      create trigger gone before insert on bookings for each row execute function go_away()`)
    const response = await clients.partner.book({ quoteId, customer })
    await pool.query('drop function go_away cascade')
    expectError(response, 503, 'SERVICE_UNAVAILABLE')
    expectData(await clients.partner.book({ quoteId, customer }), 202)
  })

  it.each([
    ['without characters', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a comma', 'a,b'],
    ['with a blank', 'a b'],
    ['of empty quotes', '""'],
    ['of 256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['with an opening quote only', '"a'],
    ['with an unescaped quote in quotes', '"a"b"'],
    ['of two quoted values', '"a", "b"'],
    ['with an invalid escape', '"a\\n"'],
    ['with parameters', '"a";b=1'],
  ])('rejects an Idempotency-Key %s with 400', async (_, idempotencyKey) => {
    const response = await clients.partner.book({ quoteId: randomUUID(), customer }, idempotencyKey)
    expectInvalid(response, 'headers.idempotency-key')
  })

  it('rejects a missing Idempotency-Key with 400', async () => {
    const response = await clients.partner.post('/bookings', { quoteId: randomUUID(), customer })
    expectInvalid(response, 'headers.idempotency-key')
  })

  it.each([
    ['a missing customer', { customer: undefined }, ['customer']],
    ['a customer that is a string', { customer: 'Kari' }, ['customer']],
    [
      'an empty customer',
      { customer: {} },
      ['customer.firstName', 'customer.lastName', 'customer.email'],
    ],
    ['a blank name', { customer: { ...customer, firstName: ' \u00a0 ' } }, ['customer.firstName']],
    [
      'a name of 101 characters',
      { customer: { ...customer, lastName: '𝒳'.repeat(101) } },
      ['customer.lastName'],
    ],
    ['NUL in a name', { customer: { ...customer, firstName: 'a\u0000b' } }, ['customer.firstName']],
    [
      'a line break in a name',
      { customer: { ...customer, lastName: 'a\r\nb' } },
      ['customer.lastName'],
    ],
    ['an e-mail without domain', { customer: { ...customer, email: 'kari@' } }, ['customer.email']],
    [
      'an e-mail of 255 characters',
      { customer: { ...customer, email: `${'a'.repeat(243)}@example.com` } },
      ['customer.email'],
    ],
    [
      'markup in a phone number',
      { customer: { ...customer, phone: '<script>' } },
      ['customer.phone'],
    ],
    [
      'a phone number of two characters',
      { customer: { ...customer, phone: '+4' } },
      ['customer.phone'],
    ],
    ['a location of 201 characters', { pickupLocation: 'x'.repeat(201) }, ['pickupLocation']],
    ['notes of 2,001 characters', { notes: 'x'.repeat(2001) }, ['notes']],
    ['a control character in the notes', { notes: 'ding\u0007' }, ['notes']],
    ['a lone surrogate', { notes: '\ud800' }, ['notes']],
  ])('rejects %s with 400', async (_, values, paths) => {
    const response = await clients.partner.book({ quoteId: randomUUID(), customer, ...values })
    expectInvalid(response, ...paths)
  })
})
