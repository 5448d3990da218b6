import { randomUUID } from 'node:crypto'
import { booking, payloadOf, quote, refusal } from './responses.ts'
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

/** Creates a quote and returns its id. */
export async function newQuote({ api, groupId }: RunContext, headers = {}): Promise<string> {
  const response = await api.call('/quotes', { method: 'POST', body: rental(groupId), headers })
  return payloadOf(response, 201, quote).quoteId
}

export const bookingChecks: Checks = {
  async 'a booking without Idempotency-Key is 400 and names the header'({ api, quoteId }) {
    const body = { quoteId, customer: { ...customer, email: 'none' } }
    const response = await api.call('/bookings', { method: 'POST', body })
    const paths = refusal(response, 400, 'VALIDATION_ERROR')
    assert(paths.join().toLowerCase().includes('idempotency-key'), 'the header is not named')
    assert(paths.includes('customer.email'), 'the bad e-mail address is not named with it')
  },
  async 'a booking is 202, pending, and can be polled where Location says'(context) {
    const response = await book(context, context.attempt, { quoteId: context.quoteId })
    const made = payloadOf(response, 202, booking)
    // Stored before it is checked, so that a failure here does not fail later checks.
    Object.assign(context, { bookingId: made.bookingId, bookingText: response.text })
    assert(made.status === 'pending', `its status is ${made.status}`)
    const location = response.headers.get('location') ?? ''
    assert(location.endsWith(`/bookings/${made.bookingId}`), `Location is "${location}"`)
    const polled = payloadOf(await context.api.call(`/bookings/${made.bookingId}`), 200, booking)
    assert(polled.bookingId === made.bookingId, 'another booking is there')
  },
  async 'the same request again gets the same bytes, marked, and books nothing'(context) {
    // Empty and null optional fields count as missing, so this is the same request.
    const nothing = { notes: '', pickupLocation: null }
    const response = await book(context, context.attempt, { quoteId: context.quoteId, ...nothing })
    assert(response.status === 202, `expected 202, got ${response.status}`)
    assert(response.text === context.bookingText, 'the answer is not the first one to the byte')
    assert(response.headers.get('idempotent-replayed') === 'true', 'it is not marked as a replay')
  },
  async 'the same key with another body is 422 IDEMPOTENCY_KEY_REUSED'(context) {
    // A key in quotation marks is the same key.
    const response = await book(context, `"${context.attempt}"`, { quoteId: randomUUID() })
    refusal(response, 422, 'IDEMPOTENCY_KEY_REUSED')
  },
  async 'a quote is redeemed once: 409 QUOTE_ALREADY_USED afterwards'(context) {
    refusal(
      await book(context, randomUUID(), { quoteId: context.quoteId }),
      409,
      'QUOTE_ALREADY_USED',
    )
  },
  async 'of two requests at once for one quote, one books and one is refused'(context) {
    const quoteId = await newQuote(context)
    const responses = await Promise.all([
      book(context, randomUUID(), { quoteId }),
      book(context, randomUUID(), { quoteId }),
    ])
    const statuses = responses.map(({ status }) => status).sort()
    assert(statuses.join() === '202,409', `the answers were ${statuses.join(' and ')}`)
  },
  async 'an unknown quote is 404 QUOTE_NOT_FOUND'(context) {
    refusal(await book(context, randomUUID(), { quoteId: randomUUID() }), 404, 'QUOTE_NOT_FOUND')
  },
}
