import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { bookings, idempotencyRecords } from '../../../src/db/schema/index.ts'
import { customerDetails, rentalDetails } from '../../../src/input/bookingDetails.ts'
import { customer } from '../../helpers/actors.ts'
import { bookingWith, detailExamples } from '../../helpers/bookingDetails.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'

const clients = useHttpClients()
const { aQuote, bookingsOf } = clients

/** Returns a text that differs in one letter's case, or in one digit if there are no letters. */
function almost(text: string): string {
  const swapped = text.replace(/\p{L}(?=\P{L}*$)/u, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return swapped === text
    ? text.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    : swapped
}

describe('retried booking request', () => {
  it('replays the first response byte for byte and creates no second booking', async () => {
    const quoteId = await aQuote()
    const idempotencyKey = randomUUID()
    const first = await clients.partner.book({ quoteId, customer }, idempotencyKey)
    await clients
      .database()
      .orm.update(bookings)
      .set({ status: 'confirmed' })
      .where(eq(bookings.quoteId, quoteId))
    const second = await clients.partner.book({ quoteId, customer, notes: ' ' }, idempotencyKey)
    expect([second.status, second.text]).toEqual([202, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.headers['location']).toBe(first.headers['location'])
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await bookingsOf(quoteId)).toHaveLength(1)
  })

  it('replays a booking whose missing fields are null, blank or absent', async () => {
    const idempotencyKey = randomUUID()
    const quoteId = await aQuote()
    const required = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
    const first = await clients.partner.book({ quoteId, customer: required }, idempotencyKey)
    expectData(first, 202)
    for (const nothing of [null, '', ' \u00a0']) {
      const blank = (details: object) =>
        Object.fromEntries(Object.keys(details).map((name) => [name, nothing]))
      const person = { ...blank(customerDetails), ...required }
      const body = { quoteId, customer: person, ...blank(rentalDetails) }
      const again = await clients.partner.book(body, idempotencyKey)
      expect([again.status, again.text]).toEqual([202, first.text])
    }
    expect((await bookingsOf(quoteId))[0]).toMatchObject({ customerPhone: null, notes: null })
  })

  it('replays a booking that is typed in another Unicode form, with other spaces, dashes and digits', async () => {
    const quoteId = await aQuote()
    const bodyOf = (typed: (text: string) => string, phone: string) => ({
      quoteId,
      customer: {
        firstName: typed('Jörg André'),
        lastName: typed('Müller Øst'),
        email: typed('jörg@blåbær.no'),
        phone,
      },
      pickupLocation: typed('Zürich HB'),
      dropoffLocation: typed('Düsseldorf Hbf'),
      notes: typed('Zwölf Uhr,\nGleis 7'),
    })
    const idempotencyKey = randomUUID()
    const composed = bodyOf((text) => text, '+47 12-34')
    const decomposed = bodyOf(
      (text) => text.normalize('NFD').replace('\n', '\r\n'),
      '+٤٧ １２–34\u200e',
    )
    const spaced = bodyOf((text) => ` ${text}\u00a0`, '+47 12-34')
    spaced.customer.lastName = 'Müller\u00a0\tØst'
    const first = await clients.partner.book(decomposed, idempotencyKey)
    expectData(first, 202)
    for (const body of [composed, spaced]) {
      const again = await clients.partner.book(body, idempotencyKey)
      expect([again.status, again.text]).toEqual([202, first.text])
    }
    expect(await bookingsOf(quoteId)).toMatchObject([
      {
        customerFirstName: 'Jörg André',
        customerLastName: 'Müller Øst',
        customerEmail: 'jörg@blåbær.no',
        customerPhone: '+47 12-34',
        pickupLocation: 'Zürich HB',
        dropoffLocation: 'Düsseldorf Hbf',
        notes: 'Zwölf Uhr,\nGleis 7',
      },
    ])
  })

  it('stores the same fingerprint for a body as earlier releases', async () => {
    const { firstName, lastName, email, phone } = customer
    const quoteId = '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33'
    const idempotencyKey = randomUUID()
    const booking = { quoteId, customer: { firstName, lastName, email, phone } }
    const full = { ...booking, pickupLocation: 'Oslo S', notes: 'By train.\nAt ten.' }
    expectError(await clients.partner.book(full, idempotencyKey), 404, 'QUOTE_NOT_FOUND')
    const [record] = await clients
      .database()
      .orm.select()
      .from(idempotencyRecords)
      .where(eq(idempotencyRecords.idempotencyKey, idempotencyKey))
    expect(record?.fingerprint.toString('hex')).toBe(
      'fd579cabf0d42cb67af8966e25499093ab2191259d1251fd52cf96ab58384831',
    )
  })

  // A client that corrects a field must not receive the response to the uncorrected booking.
  it.each(detailExamples)(
    'rejects a body with another %s with 422 and keeps the first response',
    async (path, example) => {
      const idempotencyKey = randomUUID()
      const quoteId = await aQuote()
      const body = bookingWith(quoteId, path, example)
      const first = await clients.partner.book(body, idempotencyKey)
      expectData(first, 202)
      const changed = bookingWith(quoteId, path, almost(example))
      const other = await clients.partner.book(changed, idempotencyKey)
      expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED')
      expect((await clients.partner.book(body, idempotencyKey)).text).toBe(first.text)
    },
  )

  it('does not record an invalid request for the Idempotency-Key', async () => {
    const idempotencyKey = randomUUID()
    expectInvalid(await clients.partner.book({ customer }, idempotencyKey), 'quoteId')
    expectData(
      await clients.partner.book({ quoteId: await aQuote(), customer }, idempotencyKey),
      202,
    )
  })
})
