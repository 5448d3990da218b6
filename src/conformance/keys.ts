import { expectError } from './responses.ts'
import { assert, type Checks } from './runContext.ts'

export const accessChecks: Checks = {
  async 'a request without a key gets 401 API_KEY_REQUIRED'({ api }) {
    expectError(await api.call('/asset-groups', { withKey: false }), 401, 'API_KEY_REQUIRED')
  },
  async 'an unknown key gets 401 API_KEY_INVALID'({ api }) {
    const headers = { 'x-api-key': `pk_live_${'A'.repeat(38)}` }
    expectError(
      await api.call('/asset-groups', { withKey: false, headers }),
      401,
      'API_KEY_INVALID',
    )
  },
  async 'a malformed Authorization header gets 401 API_KEY_INVALID'({ api }) {
    const headers = { authorization: 'Bearer a b' }
    expectError(
      await api.call('/asset-groups', { withKey: false, headers }),
      401,
      'API_KEY_INVALID',
    )
  },
  async 'an unknown path gets 404 NOT_FOUND in the error envelope'({ api }) {
    expectError(await api.call('/no-such-path'), 404, 'NOT_FOUND')
  },
  async 'an unsupported method gets 405 METHOD_NOT_ALLOWED with an Allow header'({ api }) {
    const response = await api.call('/asset-groups', { method: 'DELETE' })
    expectError(response, 405, 'METHOD_NOT_ALLOWED')
    assert(response.headers.get('allow')?.includes('GET') === true, 'Allow does not name GET')
  },
  async 'malformed JSON gets 400 VALIDATION_ERROR, other media types get 415'({ api }) {
    const broken = await api.call('/quotes', { method: 'POST', body: '{"a":' })
    expectError(broken, 400, 'VALIDATION_ERROR')
    const headers = { 'content-type': 'text/plain' }
    const text = await api.call('/quotes', { method: 'POST', body: 'hello', headers })
    expectError(text, 415, 'UNSUPPORTED_MEDIA_TYPE')
  },
  async 'X-RateLimit-Remaining decreases with each request'({ api }) {
    const left = async () =>
      Number((await api.call('/asset-groups')).headers.get('x-ratelimit-remaining'))
    const [before, after] = [await left(), await left()]
    assert(after !== before, `remaining was ${before}, then ${after}`)
  },
}
