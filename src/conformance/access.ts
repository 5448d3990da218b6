import { refusal } from './responses.ts'
import { assert, type Checks } from './runContext.ts'

export const accessChecks: Checks = {
  async 'a request without a key is 401 API_KEY_REQUIRED'({ api }) {
    refusal(await api.call('/asset-groups', { withKey: false }), 401, 'API_KEY_REQUIRED')
  },
  async 'an unknown key is 401 API_KEY_INVALID'({ api }) {
    const headers = { 'x-api-key': `pk_live_${'A'.repeat(38)}` }
    refusal(await api.call('/asset-groups', { withKey: false, headers }), 401, 'API_KEY_INVALID')
  },
  async 'a malformed Authorization: Bearer is 401 API_KEY_INVALID'({ api }) {
    const headers = { authorization: 'Bearer a b' }
    refusal(await api.call('/asset-groups', { withKey: false, headers }), 401, 'API_KEY_INVALID')
  },
  async 'a path that nobody serves is 404 NOT_FOUND in the envelope'({ api }) {
    refusal(await api.call('/no-such-path'), 404, 'NOT_FOUND')
  },
  async 'another method of a known path is 405 METHOD_NOT_ALLOWED with Allow'({ api }) {
    const response = await api.call('/asset-groups', { method: 'DELETE' })
    refusal(response, 405, 'METHOD_NOT_ALLOWED')
    assert(response.headers.get('allow')?.includes('GET') === true, 'Allow does not name GET')
  },
  async 'broken JSON is 400 VALIDATION_ERROR, other media types are 415'({ api }) {
    const broken = await api.call('/quotes', { method: 'POST', body: '{"a":' })
    refusal(broken, 400, 'VALIDATION_ERROR')
    const headers = { 'content-type': 'text/plain' }
    const text = await api.call('/quotes', { method: 'POST', body: 'hello', headers })
    refusal(text, 415, 'UNSUPPORTED_MEDIA_TYPE')
  },
  async 'requests are counted: the remaining ones go down'({ api }) {
    const left = async () =>
      Number((await api.call('/asset-groups')).headers.get('x-ratelimit-remaining'))
    const [before, after] = [await left(), await left()]
    assert(after !== before, `remaining was ${before}, then ${after}`)
  },
}
