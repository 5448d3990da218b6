import { book, newQuote } from './booking.ts'
import { payloadOf, refusal, session } from './responses.ts'
import { assert, type Checks, rental } from './runContext.ts'

const foreignOrigin = 'https://conformance.invalid'

export const browserChecks: Checks = {
  async 'a preflight needs no key and allows the headers of the contract'({ api }) {
    const response = await api.call('/bookings', {
      method: 'OPTIONS',
      withKey: false,
      headers: { origin: foreignOrigin, 'access-control-request-method': 'POST' },
    })
    assert(response.status === 204, `expected 204, got ${response.status}`)
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
    for (const name of ['authorization', 'x-session-token', 'idempotency-key']) {
      assert(allowed.includes(name), `${name} is not allowed`)
    }
  },
  async 'an origin that is not listed is 403 ORIGIN_NOT_ALLOWED, readable by its script'({ api }) {
    const response = await api.call('/asset-groups', { headers: { origin: foreignOrigin } })
    refusal(response, 403, 'ORIGIN_NOT_ALLOWED')
    const readable = response.headers.get('access-control-allow-origin')
    assert(readable === foreignOrigin, "the page's script can't read the refusal")
  },
  async 'a session without Origin is 400 and names the header'({ api }) {
    const response = await api.call('/sessions', { method: 'POST' })
    const paths = refusal(response, 400, 'VALIDATION_ERROR')
    assert(paths.join().includes('origin'), 'the header is not named')
  },
}

/** Checks that need an origin on the key's allow list. */
export const originChecks: Checks = {
  async "a browser's write needs a session: 401 SESSION_REQUIRED, SESSION_INVALID"(context) {
    const { api, groupId, origin = '' } = context
    const ask = (headers: Record<string, string>) =>
      api.call('/quotes', { method: 'POST', body: rental(groupId), headers })
    refusal(await ask({ origin }), 401, 'SESSION_REQUIRED')
    refusal(await ask({ origin, 'x-session-token': 'a.b.c' }), 401, 'SESSION_INVALID')
  },
  async "a quote belongs to its session: 403 QUOTE_SESSION_MISMATCH in another's"(context) {
    const { api, origin = '' } = context
    const made = await api.call('/sessions', { method: 'POST', headers: { origin } })
    const { sessionToken } = payloadOf(made, 201, session)
    const quoteId = await newQuote(context, { origin, 'x-session-token': sessionToken })
    refusal(await book(context, `conform-${quoteId}`, { quoteId }), 403, 'QUOTE_SESSION_MISMATCH')
  },
}
