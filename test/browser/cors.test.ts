import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()
// A test leaves a key that has no requests left.
beforeEach(() => site.useKey())

/** Serves a page whose origin no key allows. */
const foreign = createServer((_request, response) =>
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Elsewhere</title>'),
)
let foreignUrl: string
beforeAll(async () => {
  foreign.listen(0, '127.0.0.1')
  await once(foreign, 'listening')
  foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
})
afterAll(() => {
  foreign.close()
  foreign.closeAllConnections()
})

/** Returns the parts of a response that a script can read. Runs in the browser. */
async function readResponse([url, key]: readonly [string, string]) {
  // Bypasses the browser cache. Typed as object because the types of Node lack `cache`.
  const noStore: object = { cache: 'no-store' }
  const response = await fetch(url, { ...noStore, headers: { Authorization: `Bearer ${key}` } })
  const { error } = (await response.json()) as { error?: { code: string } }
  const header = (name: string) => response.headers.get(name)
  return {
    status: response.status,
    code: error?.code,
    limit: Number(header('X-RateLimit-Limit')),
    remaining: Number(header('X-RateLimit-Remaining')),
    reset: Number(header('X-RateLimit-Reset')),
    retryAfter: header('Retry-After'),
    requestId: header('X-Request-Id'),
  }
}

/** Books with the headers that monitoring scripts add to every fetch. Runs in the browser. */
async function bookWithTracing([url, key]: readonly [string, string]) {
  const tracing = {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=1',
    baggage: 'sentry-environment=production',
    'sentry-trace': '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1',
    'x-datadog-trace-id': '1',
    newrelic: 'e30=',
  }
  const call = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${key}`,
        ...tracing,
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    return ((await response.json()) as { data: never }).data
  }
  const group = (await call('/asset-groups'))[0] as { id: string }
  const { sessionToken } = (await call('/sessions', {})) as { sessionToken: string }
  const session = { 'X-Session-Token': sessionToken }
  const [pickupDatetime, dropoffDatetime] = ['2035-06-01T10:00:00Z', '2035-06-02T10:00:00Z']
  const rental = { assetGroupId: group.id, pickupDatetime, dropoffDatetime }
  const { quoteId } = (await call('/quotes', rental, session)) as { quoteId: string }
  const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
  const attempt = { ...session, 'Idempotency-Key': quoteId }
  const booking = await call('/bookings', { quoteId, customer }, attempt)
  return (booking as { status: string }).status
}

const groups = () => `${site.apiUrl}/api/v1/asset-groups`

describe('page scripts', () => {
  it('allows a script of an unlisted origin to read the error and its limit headers', async () => {
    const page = await browser.open(foreignUrl, { complaints: /status of 403/ })
    const response = await page.evaluate(readResponse, [groups(), await site.useKey()] as const)
    // The headers report the windows of the key, which the request does not use.
    expect(response).toMatchObject({ status: 403, code: 'ORIGIN_NOT_ALLOWED' })
    expect(response).toMatchObject({ limit: 100_000, remaining: 100_000, retryAfter: null })
    expect(response.reset).toBeGreaterThan(1_700_000_000)
    expect(response.requestId).toMatch(/^[\da-f-]{36}$/)
  })

  it('allows a script to read Retry-After when the limit is exhausted', async () => {
    const key = await site.useKey({ reads: 1 })
    const page = await browser.open(site.url, { complaints: /status of 429/ })
    const read = () => page.evaluate(readResponse, [groups(), key] as const)
    // A window may end between two requests, so repeat until the limit applies.
    let response = await read()
    while (response.status === 200) response = await read()
    expect(response).toMatchObject({ status: 429, code: 'RATE_LIMITED', limit: 1, remaining: 0 })
    expect(Number(response.retryAfter)).toBeGreaterThan(0)
  })

  it('books from a page whose monitoring adds tracing headers to every request', async () => {
    const key = await site.useKey()
    const page = await browser.open(site.url)
    const status = await page.evaluate(bookWithTracing, [site.apiUrl, key] as const)
    expect(status).toBe('pending')
  })

  it('prevents a script from reading a server without CORS headers', async () => {
    const page = await browser.open(foreignUrl, { complaints: /CORS policy|ERR_FAILED/ })
    const reading = page.evaluate(readResponse, [`${site.url}/config.json`, 'none'] as const)
    await expect(reading).rejects.toThrow('Failed to fetch')
  })

  it('allows the booking site to reach only the API and blocks inline scripts', async () => {
    const page = await browser.open(site.url, { complaints: /Content Security Policy/ })
    await expect(page.evaluate(readResponse, [foreignUrl, 'none'] as const)).rejects.toThrow(
      'fetch',
    )
    await page.evaluate(`document.body.append(Object.assign(document.createElement('script'),
      { textContent: 'document.title = "taken over"' }))`)
    expect(await page.title()).not.toBe('taken over')
  })
})
