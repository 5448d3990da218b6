import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookings, idempotencyRecords, quotes } from '../../src/db/schema.ts'
import { type Actor, aServer, aVisitor, customer } from '../helpers/actors.ts'
import { expectData, expectError, expectInvalid } from '../helpers/answers.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let tenantId: string
let groupId: string
let key: string
let partner: Actor

beforeAll(async () => {
  const { database } = server.deps
  tenantId = await aTenant(database)
  groupId = await aGroup(database, tenantId)
  key = (await aKey(database, tenantId, { origins: [origin] })).key
  partner = aServer(server, key)
})

async function aQuote(by: Actor = partner): Promise<string> {
  const body = {
    assetGroupId: groupId,
    pickupDatetime: inDays(10),
    dropoffDatetime: inDays(12),
  }
  return expectData(await by.post('/quotes', body), 201).quoteId
}

const expire = (quoteId: string) =>
  server.deps.database.orm
    .update(quotes)
    .set({ expiresAt: sql`now()` })
    .where(eq(quotes.id, quoteId))

const bookingsOf = (quoteId: string) =>
  server.deps.database.orm.select().from(bookings).where(eq(bookings.quoteId, quoteId))

describe('POST /bookings', () => {
  it('answers 202 with the pending booking and where to poll it', async () => {
    const answer = await partner.book({ quoteId: await aQuote(), customer })
    const data = expectData(answer, 202)
    expect(data).toEqual({
      bookingId: expect.stringMatching(/^[\da-f-]{36}$/),
      status: 'pending',
      assetGroupId: groupId,
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
    const answer = await partner.book({
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

  it('stores of a phone number what can be seen, and addresses as they were typed', async () => {
    const quoteId = await aQuote()
    const phone = '\u202a+47\u00a012\u202f34\u2007(56)\u200e 78\u202c'
    const person = { ...customer, phone, email: ' Jörg.Ø@Blåbær.no ' }
    expectData(await partner.book({ quoteId, customer: person }), 202)
    expect((await bookingsOf(quoteId))[0]).toMatchObject({
      customerPhone: '+471234(56) 78',
      customerEmail: 'Jörg.Ø@Blåbær.no',
    })
  })

  it('needs names and e-mail only', async () => {
    const { firstName, lastName, email } = customer
    const quoteId = await aQuote()
    expectData(await partner.book({ quoteId, customer: { firstName, lastName, email } }), 202)
    expect((await bookingsOf(quoteId))[0]).toMatchObject({ customerPhone: null, notes: null })
  })

  it('lets a visitor book the quote of its session', async () => {
    const visitor = await aVisitor(server, key, origin)
    expectData(await visitor.book({ quoteId: await aQuote(visitor), customer }), 202)
  })
})

/** A booking that says all that one can say. */
const everyField = {
  customer,
  pickupLocation: 'Oslo S',
  dropoffLocation: 'Bergen',
  notes: 'By train at ten.',
}

interface Change {
  readonly quoteId?: string
  readonly customer?: Partial<typeof customer>
  readonly pickupLocation?: string
  readonly dropoffLocation?: string
  readonly notes?: string
}

/** Each field of the body with another value, as long as the first and as much like it as a slip. */
const eachFieldChanged: Readonly<Record<string, () => Change | Promise<Change>>> = {
  quoteId: async () => ({ quoteId: await aQuote() }),
  firstName: () => ({ customer: { firstName: 'Kira' } }),
  lastName: () => ({ customer: { lastName: 'Nordmenn' } }),
  email: () => ({ customer: { email: 'kira@example.com' } }),
  phone: () => ({ customer: { phone: '+47 12 34 56 79' } }),
  pickupLocation: () => ({ pickupLocation: 'Oslo V' }),
  dropoffLocation: () => ({ dropoffLocation: 'Berger' }),
  notes: () => ({ notes: 'By train at six.' }),
}

describe('a repeated booking request', () => {
  it('gets the first answer again, to the byte, and makes no second booking', async () => {
    const quoteId = await aQuote()
    const idempotencyKey = randomUUID()
    const first = await partner.book({ quoteId, customer }, idempotencyKey)
    await server.deps.database.orm
      .update(bookings)
      .set({ status: 'confirmed' })
      .where(eq(bookings.quoteId, quoteId))
    const second = await partner.book({ quoteId, customer, unknown: 'field' }, idempotencyKey)
    expect([second.status, second.text]).toEqual([202, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.headers['location']).toBe(first.headers['location'])
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await bookingsOf(quoteId)).toHaveLength(1)
  })

  it('gets a recorded refusal again even when the reason is gone', async () => {
    const quoteId = await aQuote()
    const idempotencyKey = randomUUID()
    await expire(quoteId)
    const first = await partner.book({ quoteId, customer }, idempotencyKey)
    expectError(first, 409, 'QUOTE_EXPIRED')
    await server.deps.database.orm
      .update(quotes)
      .set({ expiresAt: sql`now() + interval '1 hour'` })
      .where(eq(quotes.id, quoteId))
    const second = await partner.book({ quoteId, customer }, idempotencyKey)
    expect([second.status, second.text]).toEqual([409, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expectData(await partner.book({ quoteId, customer }), 202)
  })

  it('may write nothing as null, as blank text or not at all', async () => {
    const idempotencyKey = randomUUID()
    const quoteId = await aQuote()
    const { phone: _, ...person } = customer
    const places = ['pickupLocation', 'dropoffLocation', 'notes']
    const first = await partner.book({ quoteId, customer: person }, idempotencyKey)
    expectData(first, 202)
    for (const nothing of [null, '', ' \u00a0']) {
      const blank = Object.fromEntries(places.map((name) => [name, nothing]))
      const body = { quoteId, customer: { ...person, phone: nothing }, ...blank }
      const again = await partner.book(body, idempotencyKey)
      expect([again.status, again.text]).toEqual([202, first.text])
    }
    expect((await bookingsOf(quoteId))[0]).toMatchObject({
      customerPhone: null,
      pickupLocation: null,
      dropoffLocation: null,
      notes: null,
    })
  })

  it('is told by its hash, which releases share: a record of the one before is replayed', async () => {
    const { firstName, lastName, email, phone } = customer
    const quoteId = '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33'
    const idempotencyKey = randomUUID()
    const booking = { quoteId, customer: { firstName, lastName, email, phone } }
    const full = { ...booking, pickupLocation: 'Oslo S', notes: 'By train.\nAt ten.' }
    expectError(await partner.book(full, idempotencyKey), 404, 'QUOTE_NOT_FOUND')
    const [record] = await server.deps.database.orm
      .select()
      .from(idempotencyRecords)
      .where(eq(idempotencyRecords.idempotencyKey, idempotencyKey))
    expect(record?.fingerprint.toString('hex')).toBe(
      'f3655d2719b1ce8fad0d30d1ea838d8c85d0407ab46be114795192b6469b57eb',
    )
  })

  it.each([
    ['attempt-1', '"attempt-1"'],
    [`a"b\\c`, '"a\\"b\\\\c"'],
    ['"two, words"', '"two, words"'],
    ['k'.repeat(255), `"${'k'.repeat(255)}"`],
  ])('may have its key %s in quotes', async (one, other) => {
    const by = aServer(server, (await aKey(server.deps.database, tenantId)).key)
    const body = { quoteId: await aQuote(by), customer }
    const first = await by.book(body, one)
    expectData(first, 202)
    const second = await by.book(body, other)
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  it('with another body is refused with 422; the first answer stays on record', async () => {
    const idempotencyKey = randomUUID()
    const quoteId = await aQuote()
    const first = await partner.book({ quoteId, customer }, idempotencyKey)
    const other = { quoteId: await aQuote(), customer }
    expectError(await partner.book(other, idempotencyKey), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect((await partner.book({ quoteId, customer }, idempotencyKey)).text).toBe(first.text)
    expectData(await partner.book(other), 202)
  })

  // A visitor who corrects a slip and sends again must never be told that the slip was booked.
  it.each(Object.keys(eachFieldChanged))(
    'with another %s alone is another body: refused with 422, and the first answer stays',
    async (field) => {
      const idempotencyKey = randomUUID()
      const body = { quoteId: await aQuote(), ...everyField }
      const first = await partner.book(body, idempotencyKey)
      expectData(first, 202)
      const changed = await eachFieldChanged[field]?.()
      const person = { ...everyField.customer, ...changed?.customer }
      const other = await partner.book({ ...body, ...changed, customer: person }, idempotencyKey)
      expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED')
      expect((await partner.book(body, idempotencyKey)).text).toBe(first.text)
    },
  )

  it.each(['phone', 'pickupLocation', 'dropoffLocation', 'notes'])(
    'without its %s is another body too',
    async (field) => {
      const idempotencyKey = randomUUID()
      const body = { quoteId: await aQuote(), ...everyField }
      expectData(await partner.book(body, idempotencyKey), 202)
      const left = { ...body, [field]: null }
      const without =
        field === 'phone' ? { ...body, customer: { ...body.customer, phone: null } } : left
      expectError(await partner.book(without, idempotencyKey), 422, 'IDEMPOTENCY_KEY_REUSED')
    },
  )

  it('was never answered if it was not valid: the key is still free', async () => {
    const idempotencyKey = randomUUID()
    expectInvalid(await partner.book({ customer }, idempotencyKey), 'quoteId')
    expectData(await partner.book({ quoteId: await aQuote(), customer }, idempotencyKey), 202)
  })

  it('never gets the answer of another visitor or another key', async () => {
    const { database } = server.deps
    const other = aServer(server, (await aKey(database, tenantId)).key)
    const [one, two] = [await aVisitor(server, key, origin), await aVisitor(server, key, origin)]
    const answers = []
    for (const actor of [partner, other, one, two]) {
      answers.push(await actor.book({ quoteId: await aQuote(actor), customer }, 'attempt-1'))
    }
    const ids = answers.map((answer) => expectData(answer, 202).bookingId)
    expect(new Set(ids).size).toBe(4)
  })
})

describe('a booking is refused', () => {
  it('with 404 QUOTE_NOT_FOUND for an unknown quote and for that of another key', async () => {
    const { database } = server.deps
    const unknown = await partner.book({ quoteId: randomUUID(), customer })
    expectError(unknown, 404, 'QUOTE_NOT_FOUND')
    const quoteId = await aQuote(aServer(server, (await aKey(database, tenantId)).key))
    const foreign = await partner.book({ quoteId, customer })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })

  it('with 403 QUOTE_SESSION_MISMATCH across sessions and channels', async () => {
    const [one, two] = [await aVisitor(server, key, origin), await aVisitor(server, key, origin)]
    for (const [quoter, booker] of [
      [one, two],
      [partner, one],
      [one, partner],
    ] as const) {
      const quoteId = await aQuote(quoter)
      expectError(await booker.book({ quoteId, customer }), 403, 'QUOTE_SESSION_MISMATCH')
      expectData(await quoter.book({ quoteId, customer }), 202)
    }
  })

  it('with 409 QUOTE_ALREADY_USED after a booking, also when the quote has expired since', async () => {
    const quoteId = await aQuote()
    expectData(await partner.book({ quoteId, customer }), 202)
    expectError(await partner.book({ quoteId, customer }), 409, 'QUOTE_ALREADY_USED')
    await expire(quoteId)
    expectError(await partner.book({ quoteId, customer }), 409, 'QUOTE_ALREADY_USED')
  })

  it('with 409 QUOTE_EXPIRED after its time', async () => {
    const quoteId = await aQuote()
    await expire(quoteId)
    expectError(await partner.book({ quoteId, customer }), 409, 'QUOTE_EXPIRED')
    expect(await bookingsOf(quoteId)).toEqual([])
  })

  it('with 409 REQUEST_IN_PROGRESS and Retry-After while a twin is at work', async () => {
    const quoteId = await aQuote()
    const idempotencyKey = randomUUID()
    const twin = await server.deps.database.pool.connect()
    try {
      // The lock that redeem_quote takes, held the way a twin in flight would hold it.
      const [row] = await server.deps.database.orm
        .select({ apiKeyId: quotes.apiKeyId })
        .from(quotes)
        .where(eq(quotes.id, quoteId))
      const scope = [tenantId, row?.apiKeyId, 'server', idempotencyKey].join('/')
      await twin.query('begin')
      await twin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [scope])
      const answer = await partner.book({ quoteId, customer }, idempotencyKey)
      expectError(answer, 409, 'REQUEST_IN_PROGRESS')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    } finally {
      await twin.query('rollback')
      twin.release()
    }
    expectData(await partner.book({ quoteId, customer }, idempotencyKey), 202)
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
    const answer = await partner.book({ quoteId: randomUUID(), customer }, idempotencyKey)
    expectInvalid(answer, 'headers.idempotency-key')
  })

  it('with 400 for a missing Idempotency-Key', async () => {
    const answer = await partner.post('/bookings', { quoteId: randomUUID(), customer })
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
    const answer = await partner.book({ quoteId: randomUUID(), customer, ...values })
    expectInvalid(answer, ...paths)
  })

  it('takes 100 code points that are 200 units of UTF-16', async () => {
    const lastName = '𝒳'.repeat(100)
    const body = { quoteId: await aQuote(), customer: { ...customer, lastName } }
    expectData(await partner.book(body), 202)
  })
})
