import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, aServer, customer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'
import { aGroup, aKey, anExtra, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
let tenantId: string
let groupId: string
let partner: Actor

beforeAll(async () => {
  const { database } = server.deps
  tenantId = await aTenant(database)
  groupId = await aGroup(database, tenantId)
  partner = aServer(server, (await aKey(database, tenantId)).key)
})

const rental = (values: object = {}) => ({
  assetGroupId: groupId,
  pickupDatetime: inDays(10),
  dropoffDatetime: inDays(12),
  ...values,
})
const quote = (values: object = {}) => partner.post('/quotes', rental(values))
const aQuote = async () => expectData(await quote(), 201).quoteId

/** The longest that decision 4 lets each field of a booking be, and a character more. */
const longest: readonly [field: string, text: (tooMany: 0 | 1) => string][] = [
  ['customer.firstName', (tooMany) => 'å'.repeat(100 + tooMany)],
  ['customer.lastName', (tooMany) => 'å'.repeat(100 + tooMany)],
  ['customer.email', (tooMany) => `${'a'.repeat(242 + tooMany)}@example.com`],
  ['customer.phone', (tooMany) => '1'.repeat(32 + tooMany)],
  ['pickupLocation', (tooMany) => 'å'.repeat(200 + tooMany)],
  ['dropoffLocation', (tooMany) => 'å'.repeat(200 + tooMany)],
  ['notes', (tooMany) => 'å'.repeat(2_000 + tooMany)],
]

/** The booking that says this in one field, and what everybody says in the others. */
function bookingWith(quoteId: string, field: string, value: string): object {
  const [first = '', second] = field.split('.')
  return second === undefined
    ? { quoteId, customer, [first]: value }
    : { quoteId, customer: { ...customer, [second]: value } }
}

describe('a booking', () => {
  it.each(longest)('takes the longest %s, and nothing longer', async (field, text) => {
    const quoteId = await aQuote()
    expectInvalid(await partner.book(bookingWith(quoteId, field, text(1))), field)
    expectData(await partner.book(bookingWith(quoteId, field, text(0))), 202)
  })

  it.each([
    ['customer.firstName', '', 'å'],
    ['customer.lastName', '', 'å'],
    ['customer.email', '@b', 'a@b'],
    ['customer.phone', '12', '123'],
  ])('takes the shortest %s, and nothing shorter than that', async (field, short, shortest) => {
    const quoteId = await aQuote()
    const answer = await partner.book(bookingWith(quoteId, field, short))
    expectInvalid(answer, field)
    expectData(await partner.book(bookingWith(quoteId, field, shortest)), 202)
  })

  it('has a body of 64 KiB at most, to the byte', async () => {
    const quoteId = await aQuote()
    const bodyOf = (bytes: number) => {
      const bare = JSON.stringify({ quoteId, customer, unknown: '' })
      return { quoteId, customer, unknown: 'x'.repeat(bytes - bare.length) }
    }
    expectError(await partner.book(bodyOf(65_537)), 413, 'PAYLOAD_TOO_LARGE')
    expectData(await partner.book(bodyOf(65_536)), 202)
  })
})

describe('a quote', () => {
  it('takes twenty extras of a hundred each, and one more of neither', async () => {
    const { database } = server.deps
    const extras = await Promise.all(
      Array.from({ length: 21 }, async () => ({
        extraId: await anExtra(database, tenantId),
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

  // From winter to winter, with a 29 February between.
  it.each([
    ['366 days', '2031-11-01T10:00:00.000Z', '2032-11-01T10:00:00.000Z', 201],
    ['366 days and a minute', '2031-11-01T10:00:00.000Z', '2032-11-01T10:01:00.000Z', 400],
    ['a millisecond', '2031-11-01T10:00:00.000Z', '2031-11-01T10:00:00.001Z', 201],
    ['no time at all', '2031-11-01T10:00:00.000Z', '2031-11-01T10:00:00.000Z', 400],
  ])('of %s is answered as decided', async (_, pickupDatetime, dropoffDatetime, status) => {
    const answer = await quote({ pickupDatetime, dropoffDatetime })
    if (status === 201) expectData(answer, 201)
    else expectInvalid(answer, 'dropoffDatetime')
    const range = new URLSearchParams({ from: pickupDatetime, to: dropoffDatetime })
    const count = await partner.get(`/asset-groups/${groupId}/availability?${range}`)
    if (status === 201) expectData(count, 200)
    else expectInvalid(count, 'query.to')
  })

  it.each([0, 90])('is for a pickup %i minutes from now at the earliest', async (lead) => {
    const { database, clock } = server.deps
    const tenant = await aTenant(database, { minLeadMinutes: lead })
    const patient = aServer(server, (await aKey(database, tenant)).key)
    const assetGroupId = await aGroup(database, tenant)
    const earliestMs = clock.now().getTime() + lead * 60_000
    const ask = (atMs: number) => {
      const [pickupDatetime, dropoffDatetime] = [atMs, atMs + 86_400_000].map((ms) =>
        new Date(ms).toISOString(),
      )
      return patient.post('/quotes', { assetGroupId, pickupDatetime, dropoffDatetime })
    }
    expectInvalid(await ask(earliestMs - 1), 'pickupDatetime')
    expectData(await ask(earliestMs), 201)
  })
})

describe('the years', () => {
  // 2000 to 2100, of UTC and nowhere else: the tenant is in Oslo.
  it.each([
    ['2000-01-01T00:00:00.000Z', '2000-01-02T00:00:00.000Z', []],
    ['1999-12-31T23:59:59.999Z', '2000-01-02T00:00:00.000Z', ['query.from']],
    ['2100-12-30T00:00:00.000Z', '2100-12-31T23:59:59.999Z', []],
    ['2100-12-30T00:00:00.000Z', '2101-01-01T00:00:00.000Z', ['query.to']],
  ])('from %s to %s', async (from, to, wrong) => {
    const range = new URLSearchParams({ from, to })
    const answer = await partner.get(`/asset-groups/${groupId}/availability?${range}`)
    if (wrong.length === 0) expectData(answer, 200)
    else expectInvalid(answer, ...wrong)
  })
})

describe('an Idempotency-Key', () => {
  it.each([
    ['of one character', 'k', 202],
    ['of 255', 'k'.repeat(255), 202],
    ['of 256', 'k'.repeat(256), 400],
    ['of the first and last visible character', '!~', 202],
  ])('%s', async (_, key, status) => {
    const body = { quoteId: await aQuote(), customer }
    expect((await partner.book(body, key)).status).toBe(status)
  })
})
