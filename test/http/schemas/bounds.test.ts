import { describe, it } from 'vitest'
import { customer } from '../../helpers/actors.ts'
import { bookingWith, detailExamples } from '../../helpers/bookingDetails.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'
import { anExtra } from '../../helpers/seed.ts'

const clients = useHttpClients()
const { server, aQuote } = clients
const quote = (values: object = {}) =>
  clients.partner.post('/quotes', { ...clients.rental(), ...values })

const letters = (length: number) => 'å'.repeat(length)

/** The maximum length of each detail, and a text of a given length. */
const longest: Readonly<Record<string, readonly [max: number, text: (length: number) => string]>> =
  {
    'customer.firstName': [100, letters],
    'customer.lastName': [100, letters],
    'customer.email': [254, (length) => `${'a'.repeat(length - 12)}@example.com`],
    'customer.phone': [32, (length) => '1'.repeat(length)],
    pickupLocation: [200, letters],
    dropoffLocation: [200, letters],
    notes: [2_000, letters],
    reference: [100, letters],
  }

describe('POST /bookings', () => {
  it.each(detailExamples)(
    'accepts %s at its maximum length and rejects one more character',
    async (field) => {
      const [max, text] = longest[field] ?? [0, letters]
      const quoteId = await aQuote()
      expectInvalid(await clients.partner.book(bookingWith(quoteId, field, text(max + 1))), field)
      expectData(await clients.partner.book(bookingWith(quoteId, field, text(max))), 202)
    },
  )

  it.each(detailExamples)('rejects NUL in %s', async (field) => {
    expectInvalid(await clients.partner.book(bookingWith(await aQuote(), field, 'a\0b')), field)
  })

  it('accepts a body of 64 KiB and rejects one more byte with 413', async () => {
    const quoteId = await aQuote()
    const bodyOf = (bytes: number) => {
      const bare = JSON.stringify({ quoteId, customer, notes: '' })
      // Blank text counts as missing, whatever its length.
      return { quoteId, customer, notes: ' '.repeat(bytes - bare.length) }
    }
    expectError(await clients.partner.book(bodyOf(65_537)), 413, 'PAYLOAD_TOO_LARGE')
    expectData(await clients.partner.book(bodyOf(65_536)), 202)
  })
})

describe('POST /quotes', () => {
  it('accepts 20 extras with quantities from 1 to 100 and rejects more', async () => {
    const { database } = server.deps
    const extras = await Promise.all(
      Array.from({ length: 21 }, async () => ({
        extraId: await anExtra(database, clients.tenantId),
        quantity: 100,
      })),
    )
    const [first, ...others] = extras
    expectInvalid(await quote({ extras }), 'extras')
    expectInvalid(await quote({ extras: [{ ...first, quantity: 101 }] }), 'extras.0.quantity')
    expectInvalid(await quote({ extras: [{ ...first, quantity: 0 }] }), 'extras.0.quantity')
    expectData(await quote({ extras: others }), 201)
    expectData(await quote({ extras: [{ ...first, quantity: 1 }] }), 201)
  })

  // The period starts and ends in winter time and contains 29 February.
  it.each([
    ['366 days', '2031-11-01T10:00:00.000Z', '2032-11-01T10:00:00.000Z', 201],
    ['366 days and a minute', '2031-11-01T10:00:00.000Z', '2032-11-01T10:01:00.000Z', 400],
    ['a millisecond', '2031-11-01T10:00:00.000Z', '2031-11-01T10:00:00.001Z', 201],
    ['length zero', '2031-11-01T10:00:00.000Z', '2031-11-01T10:00:00.000Z', 400],
  ])(
    'limits a rental to a positive length of at most 366 days: %s',
    async (_, pickupDatetime, dropoffDatetime, status) => {
      const response = await quote({ pickupDatetime, dropoffDatetime })
      if (status === 201) expectData(response, 201)
      else expectInvalid(response, 'dropoffDatetime')
      const range = new URLSearchParams({ from: pickupDatetime, to: dropoffDatetime })
      const count = await clients.partner.get(
        `/asset-groups/${clients.groupId}/availability?${range}`,
      )
      if (status === 201) expectData(count, 200)
      else expectInvalid(count, 'query.to')
    },
  )
})

describe('years of a period', () => {
  // The years are limited in UTC although the tenant is in Oslo.
  it.each([
    ['2000-01-01T00:00:00.000Z', '2000-01-02T00:00:00.000Z', []],
    ['1999-12-31T23:59:59.999Z', '2000-01-02T00:00:00.000Z', ['query.from']],
    ['2100-12-30T00:00:00.000Z', '2100-12-31T23:59:59.999Z', []],
    ['2100-12-30T00:00:00.000Z', '2101-01-01T00:00:00.000Z', ['query.to']],
  ])('accepts only the years 2000 to 2100 in UTC: from %s to %s', async (from, to, wrong) => {
    const range = new URLSearchParams({ from, to })
    const response = await clients.partner.get(
      `/asset-groups/${clients.groupId}/availability?${range}`,
    )
    if (wrong.length === 0) expectData(response, 200)
    else expectInvalid(response, ...wrong)
  })
})
