import { randomUUID } from 'node:crypto'
import { booking, expectError, payloadOf, quote } from './responses.ts'
import { assert, type Checks, customer, type RunContext, rental } from './runContext.ts'

/** Requests a booking, and notes its id for the report. */
export async function book({ api, booked }: RunContext, idempotencyKey: string, request: object) {
  const headers = { 'idempotency-key': idempotencyKey }
  const body = { customer, ...request }
  const response = await api.call('/bookings', { method: 'POST', body, headers })
  const [, id] = /"bookingId":"([^"]+)"/.exec(response.text) ?? []
  if (id !== undefined) booked.add(id)
  return response
}

export async function newQuote({ api, groupId }: RunContext, headers = {}): Promise<string> {
  const response = await api.call('/quotes', { method: 'POST', body: rental(groupId), headers })
  return payloadOf(response, 201, quote).quoteId
}

export const bookingChecks: Checks = {
  async 'a booking without Idempotency-Key gets 400, with the header in its details'({
    api,
    quoteId,
  }) {
    const body = { quoteId, customer: { ...customer, email: 'none' } }
    const response = await api.call('/bookings', { method: 'POST', body })
    const paths = expectError(response, 400, 'VALIDATION_ERROR')
    assert(
      paths.join().toLowerCase().includes('idempotency-key'),
      'details does not name the header',
    )
    assert(paths.includes('customer.email'), 'details does not contain the invalid customer.email')
  },
  async 'a booking gets 202, is pending, and can be polled at its Location'(context) {
    const response = await book(context, context.attempt, { quoteId: context.quoteId })
    const made = payloadOf(response, 202, booking)
    // Stored before it is checked, so that a failure here does not fail later checks.
    Object.assign(context, { bookingId: made.bookingId, bookingText: response.text })
    assert(made.status === 'pending', `the status of the booking is ${made.status}`)
    const location = response.headers.get('location') ?? ''
    assert(location.endsWith(`/bookings/${made.bookingId}`), `Location is "${location}"`)
    const polled = payloadOf(await context.api.call(`/bookings/${made.bookingId}`), 200, booking)
    assert(polled.bookingId === made.bookingId, 'Location returns another booking')
  },
  async 'a retry with the same key and body gets the recorded response, marked as a replay'(
    context,
  ) {
    // Empty and null optional fields count as missing, so this is the same request.
    const nothing = { notes: '', pickupLocation: null }
    const response = await book(context, context.attempt, { quoteId: context.quoteId, ...nothing })
    assert(response.status === 202, `expected 202, got ${response.status}`)
    assert(response.text === context.bookingText, 'the body differs from the recorded response')
    assert(
      response.headers.get('idempotent-replayed') === 'true',
      'the header Idempotent-Replayed is missing',
    )
  },
  async 'the same key with another body gets 422 IDEMPOTENCY_KEY_REUSED'(context) {
    // A key in quotation marks is the same key.
    const response = await book(context, `"${context.attempt}"`, { quoteId: randomUUID() })
    expectError(response, 422, 'IDEMPOTENCY_KEY_REUSED')
  },
  async 'a second booking of a quote gets 409 QUOTE_ALREADY_USED'(context) {
    expectError(
      await book(context, randomUUID(), { quoteId: context.quoteId }),
      409,
      'QUOTE_ALREADY_USED',
    )
  },
  async 'of two concurrent bookings of a quote, one gets 202 and one 409'(context) {
    const quoteId = await newQuote(context)
    const responses = await Promise.all([
      book(context, randomUUID(), { quoteId }),
      book(context, randomUUID(), { quoteId }),
    ])
    const statuses = responses.map(({ status }) => status).sort()
    assert(statuses.join() === '202,409', `the responses were ${statuses.join(' and ')}`)
  },
  async 'an unknown quote gets 404 QUOTE_NOT_FOUND'(context) {
    expectError(
      await book(context, randomUUID(), { quoteId: randomUUID() }),
      404,
      'QUOTE_NOT_FOUND',
    )
  },
}
