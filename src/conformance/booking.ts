import { randomUUID } from 'node:crypto'
import { booking, payloadOf, quote, refusal } from './responses.ts'
import { assert, type Checks, customer, type RunContext, rental } from './runContext.ts'

export async function book({ api, booked }: RunContext, idempotencyKey: string, request: object) {
  const headers = { 'idempotency-key': idempotencyKey }
  const body = { customer, ...request }
  const answer = await api.call('/bookings', { method: 'POST', body, headers })
  const [, id] = /"bookingId":"([^"]+)"/.exec(answer.text) ?? []
  if (id !== undefined) booked.add(id)
  return answer
}

export async function newQuote({ api, groupId }: RunContext, headers = {}): Promise<string> {
  const answer = await api.call('/quotes', { method: 'POST', body: rental(groupId), headers })
  return payloadOf(answer, 201, quote).quoteId
}

export const bookingChecks: Checks = {
  async 'a booking without Idempotency-Key is 400 and names the header'({ api, quoteId }) {
    const body = { quoteId, customer: { ...customer, email: 'none' } }
    const answer = await api.call('/bookings', { method: 'POST', body })
    const paths = refusal(answer, 400, 'VALIDATION_ERROR')
    assert(paths.join().toLowerCase().includes('idempotency-key'), 'the header is not named')
    assert(paths.includes('customer.email'), 'the bad e-mail address is not named with it')
  },
  async 'a booking is 202, pending, and can be polled where Location says'(walk) {
    const answer = await book(walk, walk.attempt, { quoteId: walk.quoteId })
    const made = payloadOf(answer, 202, booking)
    // Whatever is wrong with it: the rules that follow are not broken by that.
    Object.assign(walk, { bookingId: made.bookingId, bookingText: answer.text })
    assert(made.status === 'pending', `its status is ${made.status}`)
    const location = answer.headers.get('location') ?? ''
    assert(location.endsWith(`/bookings/${made.bookingId}`), `Location is "${location}"`)
    const polled = payloadOf(await walk.api.call(`/bookings/${made.bookingId}`), 200, booking)
    assert(polled.bookingId === made.bookingId, 'another booking is there')
  },
  async 'the same request again gets the same bytes, marked, and books nothing'(walk) {
    // Optional fields with nothing in them are as if they were not there.
    const nothing = { notes: '', pickupLocation: null }
    const answer = await book(walk, walk.attempt, { quoteId: walk.quoteId, ...nothing })
    assert(answer.status === 202, `expected 202, got ${answer.status}`)
    assert(answer.text === walk.bookingText, 'the answer is not the first one to the byte')
    assert(answer.headers.get('idempotent-replayed') === 'true', 'it is not marked as a replay')
  },
  async 'the same key with another body is 422 IDEMPOTENCY_KEY_REUSED'(walk) {
    // A key in quotes is the same key (decision 30), so this is a reuse.
    const answer = await book(walk, `"${walk.attempt}"`, { quoteId: randomUUID() })
    refusal(answer, 422, 'IDEMPOTENCY_KEY_REUSED')
  },
  async 'a quote is redeemed once: 409 QUOTE_ALREADY_USED afterwards'(walk) {
    refusal(await book(walk, randomUUID(), { quoteId: walk.quoteId }), 409, 'QUOTE_ALREADY_USED')
  },
  async 'of two requests at once for one quote, one books and one is refused'(walk) {
    const quoteId = await newQuote(walk)
    const answers = await Promise.all([
      book(walk, randomUUID(), { quoteId }),
      book(walk, randomUUID(), { quoteId }),
    ])
    const statuses = answers.map(({ status }) => status).sort()
    assert(statuses.join() === '202,409', `the answers were ${statuses.join(' and ')}`)
  },
  async 'an unknown quote is 404 QUOTE_NOT_FOUND'(walk) {
    refusal(await book(walk, randomUUID(), { quoteId: randomUUID() }), 404, 'QUOTE_NOT_FOUND')
  },
}
