import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { customer } from '../../helpers/actors.ts'
import { inDays } from '../../helpers/dates.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectInvalid } from '../../helpers/responses.ts'

const clients = useHttpClients()

/** Sends a body that is not serialized. */
const send = (path: string, body: string) =>
  clients.server.http
    .post(`/api/v1${path}`)
    .set({ 'x-api-key': clients.key, 'content-type': 'application/json' })
    .send(body)

it('returns 400 with a message about JSON when the body is not JSON', async () => {
  const response = await send('/bookings', '{"quoteId":')
  expectInvalid(response, '')
  expect(response.body.error.details[0].message).toBe('must be valid JSON in UTF-8')
})

it.each([
  ['/quotes', 'quantity', '{ "extras": [{ "quantity": 1, "quantity": 9 }] }'],
  ['/bookings', 'quoteId', '{ "quoteId": "a", "customer": {}, "quote\\u0049d": "b" }'],
  ['/bookings', 'x'.repeat(100), `{ "${'x'.repeat(101)}": 1, "${'x'.repeat(101)}": 2 }`],
])('rejects a body of %s that has "%s" twice in one object', async (path, name, body) => {
  const response = await send(path, body)
  expectInvalid(response, '')
  expect(response.body.error.details[0].message).toBe(`has "${name}" twice in one object`)
})

describe('validation errors', () => {
  it('reports every invalid value in path and query at once', async () => {
    const response = await clients.partner.get(
      '/asset-groups/42/availability?from=2038-02-30T10:00:00Z',
    )
    expectInvalid(response, 'params.id', 'query.from', 'query.to')
  })

  it('reports every invalid value in headers and body at once', async () => {
    const response = await clients.partner.post('/bookings', {
      customer: { ...customer, email: 'kari' },
    })
    expectInvalid(response, 'headers.idempotency-key', 'quoteId', 'customer.email')
  })

  it('reports invalid fields and conflicts between fields at once', async () => {
    const extras = [
      { extraId: randomUUID(), quantity: 101 },
      { extraId: 'seat', quantity: 1.5 },
    ]
    const response = await clients.partner.post('/quotes', {
      assetGroupId: 'car',
      pickupDatetime: inDays(3),
      dropoffDatetime: inDays(2),
      extras,
    })
    expectInvalid(
      response,
      'assetGroupId',
      'dropoffDatetime',
      'extras.0.quantity',
      'extras.1.extraId',
      'extras.1.quantity',
    )
  })
})

describe('unknown fields', () => {
  const rental = () => ({
    assetGroupId: randomUUID(),
    pickupDatetime: inDays(2),
    dropoffDatetime: inDays(3),
  })
  const seat = { extraId: randomUUID(), quantity: 1 }
  const booking = { quoteId: randomUUID(), customer }

  it.each([
    ['/quotes', { ...rental(), extra: [seat] }, 'extra', '; did you mean extras?'],
    ['/quotes', { ...rental(), colour: 'red' }, 'colour', ''],
    ['/quotes', { ...rental(), constructor: {} }, 'constructor', ''],
    [
      '/quotes',
      { ...rental(), extras: [seat, { ...seat, extraId: randomUUID(), qantity: 1 }] },
      'extras.1.qantity',
      '; did you mean quantity?',
    ],
    ['/bookings', { ...booking, note: 'x' }, 'note', '; did you mean notes?'],
    [
      '/bookings',
      { ...booking, customer: { ...customer, phoneNumber: '+47 12 34 56 78' } },
      'customer.phoneNumber',
      '; did you mean phone?',
    ],
  ])('rejects %s with %o', async (path, body, field, hint) => {
    const response = await clients.partner.post(path, body, { 'idempotency-key': randomUUID() })
    expectInvalid(response, field)
    expect(response.body.error).toMatchObject({
      message: `The request is not valid: ${field} is not a field${hint}`,
      details: [{ path: field, message: `is not a field${hint}` }],
    })
  })

  it('cuts a long name at 100 characters', async () => {
    const response = await clients.partner.post('/quotes', { ...rental(), ['x'.repeat(30_000)]: 1 })
    expectInvalid(response, 'x'.repeat(100))
    expect(JSON.stringify(response.body).length).toBeLessThan(600)
  })

  it('lists an unknown field beside other problems, and at most 20 of one object', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, n]))
    const response = await clients.partner.post('/quotes', {
      ...rental(),
      assetGroupId: 'x',
      ...unknown,
    })
    const { details, message } = response.body.error
    expect([details.length, details[0].path]).toEqual([21, 'assetGroupId'])
    expect(message).toBe(
      'The request is not valid: assetGroupId must be a UUID (and 20 more, see details)',
    )
  })
})
