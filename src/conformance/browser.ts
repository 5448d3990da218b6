import { book, newQuote } from './booking.ts'
import { expectError, payloadOf, session } from './responses.ts'
import { assert, type Checks, rental } from './runContext.ts'

const foreignOrigin = 'https://conformance.invalid'

export const browserChecks: Checks = {
  async 'a preflight needs no key and allows the headers of the API and of monitoring scripts'({
    api,
  }) {
    const names = ['authorization', 'x-session-token', 'idempotency-key', 'traceparent', 'baggage']
    const response = await api.call('/bookings', {
      method: 'OPTIONS',
      withKey: false,
      headers: {
        origin: foreignOrigin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': names.join(),
      },
    })
    assert(response.status === 204, `expected 204, got ${response.status}`)
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
    for (const name of names) assert(allowed.includes(name), `${name} is not allowed`)
  },
  async 'an origin outside the allow list gets 403 ORIGIN_NOT_ALLOWED, which its scripts can read'({
    api,
  }) {
    const response = await api.call('/asset-groups', { headers: { origin: foreignOrigin } })
    expectError(response, 403, 'ORIGIN_NOT_ALLOWED')
    const readable = response.headers.get('access-control-allow-origin')
    assert(readable === foreignOrigin, "the page's scripts cannot read the error response")
  },
  async 'a session request without Origin gets 400, with the header in its details'({ api }) {
    const response = await api.call('/sessions', { method: 'POST' })
    const paths = expectError(response, 400, 'VALIDATION_ERROR')
    assert(paths.join().includes('origin'), 'details does not name the header')
  },
}

/** Checks that need an origin on the key's allow list. */
export const originChecks: Checks = {
  async "a browser's write needs a valid session: 401 SESSION_REQUIRED or SESSION_INVALID"(
    context,
  ) {
    const { api, groupId, origin = '' } = context
    const send = (headers: Record<string, string>) =>
      api.call('/quotes', { method: 'POST', body: rental(groupId), headers })
    expectError(await send({ origin }), 401, 'SESSION_REQUIRED')
    expectError(await send({ origin, 'x-session-token': 'a.b.c' }), 401, 'SESSION_INVALID')
  },
  async 'a booking from another session gets 403 QUOTE_SESSION_MISMATCH'(context) {
    const { api, origin = '' } = context
    const made = await api.call('/sessions', { method: 'POST', headers: { origin } })
    const { sessionToken } = payloadOf(made, 201, session)
    const quoteId = await newQuote(context, { origin, 'x-session-token': sessionToken })
    expectError(
      await book(context, `conform-${quoteId}`, { quoteId }),
      403,
      'QUOTE_SESSION_MISMATCH',
    )
  },
}
