import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../helpers/app.ts'
import { operations } from '../../helpers/operations.ts'
import { expectLimitHeaders } from '../../helpers/responses.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const server = useTestApp()
const origin = 'https://shop.example'
/** Header names that monitoring scripts add, after our own. */
const requested =
  'authorization,idempotency-key,x-session-token,baggage,sentry-trace,traceparent,tracestate,x-datadog-trace-id,newrelic'

describe('preflight', () => {
  it.each([...operations.map(({ path }) => path), '/nowhere'])(
    'returns 204 to a preflight for %s without a key',
    async (path) => {
      const response = await server.http.options(`/api/v1${path}`).set({
        origin: 'https://anywhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': requested,
      })
      expect(response.status).toBe(204)
      expect(response.headers['access-control-allow-origin']).toBe('https://anywhere.example')
      expect(response.headers['access-control-allow-methods']).toContain('POST')
      expect(response.headers['access-control-allow-headers']).toBe(requested)
      expect(Number(response.headers['access-control-max-age'])).toBeGreaterThanOrEqual(600)
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
      expectLimitHeaders(response)
    },
  )

  it('counts no preflight against a limit', async () => {
    const send = () =>
      server.http.options('/api/v1/quotes').set({
        origin,
        'access-control-request-method': 'POST',
      })
    const [first, second] = await waitFor(async () => {
      const both = [(await send()).headers, (await send()).headers] as const
      // Repeats when a window ended between the two requests.
      return both[0]['x-ratelimit-reset'] === both[1]['x-ratelimit-reset'] && both
    })
    expect(second['x-ratelimit-remaining']).toBe(first['x-ratelimit-remaining'])
  })
})
