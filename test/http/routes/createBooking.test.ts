import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { quotes } from '../../../src/db/schema/index.ts'
import { customer } from '../../helpers/actors.ts'
import { inDays } from '../../helpers/dates.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'

const desk = useHttpClients()
const { aQuote, expire, bookingsOf } = desk

describe('POST /bookings', () => {
  it('answers 202 with the pending booking and where to poll it', async () => {
    const answer = await desk.partner.book({ quoteId: await aQuote(), customer })
    const data = expectData(answer, 202)
    expect(data).toEqual({
      bookingId: expect.stringMatching(/^[\da-f-]{36}$/),
      status: 'pending',
      assetGroupId: desk.groupId,
      pickupDatetime: inDays(10),
      dropoffDatetime: inDays(12),
      estimatedTotal: '1247.50',
      currency: 'NOK',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(answer.headers['location']).toBe(`/api/v1/bookings/${data.bookingId}`)
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('stores what the customer wrote, trimmed, and nothing the caller may not set', async () => {
    const quoteId = await aQuote()
    const notes = "Robert'); DROP TABLE bookings;--\n\t{{7*7}} =cmd() 👩‍👩‍👧"
    const answer = await desk.partner.book({
      quoteId: quoteId.toUpperCase(),
      customer: { ...customer, firstName: '  Kari  ' },
      pickupLocation: 'Oslo S',
      dropoffLocation: 'Bergen',
      notes,
      status: 'confirmed',
      total: '0.00',
    })
    expectData(answer, 202)
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

  it('needs names and e-mail only', async () => {
    const { firstName, lastName, email } = customer
    const quoteId = await aQuote()
    expectData(await desk.partner.book({ quoteId, customer: { firstName, lastName, email } }), 202)
    expect((await bookingsOf(quoteId))[0]).toMatchObject({ customerPhone: null, notes: null })
  })

  it('lets a visitor book the quote of its session', async () => {
    const visitor = await desk.aVisitor()
    expectData(await visitor.book({ quoteId: await aQuote(visitor), customer }), 202)
  })
})

describe('a booking is refused', () => {
  it('with 404 QUOTE_NOT_FOUND for an unknown quote and for that of another key', async () => {
    const unknown = await desk.partner.book({ quoteId: randomUUID(), customer })
    expectError(unknown, 404, 'QUOTE_NOT_FOUND')
    const quoteId = await aQuote(await desk.anotherPartner())
    const foreign = await desk.partner.book({ quoteId, customer })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })

  it('with 403 QUOTE_SESSION_MISMATCH across sessions and channels', async () => {
    const [one, two] = [await desk.aVisitor(), await desk.aVisitor()]
    for (const [quoter, booker] of [
      [one, two],
      [desk.partner, one],
      [one, desk.partner],
    ] as const) {
      const quoteId = await aQuote(quoter)
      expectError(await booker.book({ quoteId, customer }), 403, 'QUOTE_SESSION_MISMATCH')
      expectData(await quoter.book({ quoteId, customer }), 202)
    }
  })

  it('with 409 QUOTE_ALREADY_USED after a booking, also when the quote has expired since', async () => {
    const quoteId = await aQuote()
    expectData(await desk.partner.book({ quoteId, customer }), 202)
    expectError(await desk.partner.book({ quoteId, customer }), 409, 'QUOTE_ALREADY_USED')
    await expire(quoteId)
    expectError(await desk.partner.book({ quoteId, customer }), 409, 'QUOTE_ALREADY_USED')
  })

  it('with 409 QUOTE_EXPIRED after its time', async () => {
    const quoteId = await aQuote()
    await expire(quoteId)
    expectError(await desk.partner.book({ quoteId, customer }), 409, 'QUOTE_EXPIRED')
    expect(await bookingsOf(quoteId)).toEqual([])
  })

  it('with 409 REQUEST_IN_PROGRESS and Retry-After while a twin is at work', async () => {
    const quoteId = await aQuote()
    const idempotencyKey = randomUUID()
    const twin = await desk.database().pool.connect()
    try {
      // The lock that redeem_quote takes, held the way a twin in flight would hold it.
      const [row] = await desk
        .database()
        .orm.select({ apiKeyId: quotes.apiKeyId })
        .from(quotes)
        .where(eq(quotes.id, quoteId))
      const scope = [desk.tenantId, row?.apiKeyId, 'server', idempotencyKey].join('/')
      await twin.query('begin')
      await twin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [scope])
      const answer = await desk.partner.book({ quoteId, customer }, idempotencyKey)
      expectError(answer, 409, 'REQUEST_IN_PROGRESS')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    } finally {
      await twin.query('rollback')
      twin.release()
    }
    expectData(await desk.partner.book({ quoteId, customer }, idempotencyKey), 202)
  })

  it('with 503 when the database goes away before it says what came of it', async () => {
    const quoteId = await aQuote()
    const { pool } = desk.database()
    await pool.query(`
      create function go_away() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()), pg_sleep(60); end $$;
      create trigger gone before insert on bookings for each row execute function go_away()`)
    const answer = await desk.partner.book({ quoteId, customer })
    await pool.query('drop function go_away cascade')
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    expectData(await desk.partner.book({ quoteId, customer }), 202)
  })

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a comma', 'a,b'],
    ['with a blank', 'a b'],
    ['of nothing in quotes', '""'],
    ['of 256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['with one quote', '"a'],
    ['with a bare quote in quotes', '"a"b"'],
    ['sent twice in quotes', '"a", "b"'],
    ['with an escape of something else', '"a\\n"'],
    ['with parameters', '"a";b=1'],
  ])('with 400 for an Idempotency-Key %s', async (_, idempotencyKey) => {
    const answer = await desk.partner.book({ quoteId: randomUUID(), customer }, idempotencyKey)
    expectInvalid(answer, 'headers.idempotency-key')
  })

  it('with 400 for a missing Idempotency-Key', async () => {
    const answer = await desk.partner.post('/bookings', { quoteId: randomUUID(), customer })
    expectInvalid(answer, 'headers.idempotency-key')
  })

  it.each([
    ['no customer', { customer: undefined }, ['customer']],
    ['a customer in text', { customer: 'Kari' }, ['customer']],
    [
      'an empty customer',
      { customer: {} },
      ['customer.firstName', 'customer.lastName', 'customer.email'],
    ],
    ['a blank name', { customer: { ...customer, firstName: ' \u00a0 ' } }, ['customer.firstName']],
    [
      '101 characters',
      { customer: { ...customer, lastName: '𝒳'.repeat(101) } },
      ['customer.lastName'],
    ],
    ['NUL', { customer: { ...customer, firstName: 'a\u0000b' } }, ['customer.firstName']],
    [
      'a line break in a name',
      { customer: { ...customer, lastName: 'a\r\nb' } },
      ['customer.lastName'],
    ],
    ['an e-mail without domain', { customer: { ...customer, email: 'kari@' } }, ['customer.email']],
    [
      'an e-mail of 255',
      { customer: { ...customer, email: `${'a'.repeat(243)}@example.com` } },
      ['customer.email'],
    ],
    ['letters in a phone', { customer: { ...customer, phone: '<script>' } }, ['customer.phone']],
    ['a short phone', { customer: { ...customer, phone: '+4' } }, ['customer.phone']],
    ['a long place', { pickupLocation: 'x'.repeat(201) }, ['pickupLocation']],
    ['long notes', { notes: 'x'.repeat(2001) }, ['notes']],
    ['a bell in the notes', { notes: 'ding\u0007' }, ['notes']],
    ['a lone surrogate', { notes: '\ud800' }, ['notes']],
  ])('with 400 for %s', async (_, values, paths) => {
    const answer = await desk.partner.book({ quoteId: randomUUID(), customer, ...values })
    expectInvalid(answer, ...paths)
  })
})
