import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

/** A page that is on nobody's allow list. */
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

/** What the script of a page can read of an answer. Runs in the browser. */
async function readAnswer([url, key]: readonly [string, string]) {
  // Every time from the server: a list may be kept for half a minute. (Node's types know no caches.)
  const unkept: object = { cache: 'no-store' }
  const answer = await fetch(url, { ...unkept, headers: { Authorization: `Bearer ${key}` } })
  const { error } = (await answer.json()) as { error?: { code: string } }
  const header = (name: string) => answer.headers.get(name)
  return {
    status: answer.status,
    code: error?.code,
    limit: Number(header('X-RateLimit-Limit')),
    remaining: Number(header('X-RateLimit-Remaining')),
    reset: Number(header('X-RateLimit-Reset')),
    retryAfter: header('Retry-After'),
    requestId: header('X-Request-Id'),
  }
}

const groups = () => `${site.apiUrl}/api/v1/asset-groups`

describe('the script of a page', () => {
  it('on a foreign origin reads why it is refused, and how its limit stands', async () => {
    const page = await browser.open(foreignUrl, { complaints: /status of 403/ })
    const answer = await page.evaluate(readAnswer, [groups(), await site.useKey()] as const)
    // It sees the windows of the key, and has used nothing up of them.
    expect(answer).toMatchObject({ status: 403, code: 'ORIGIN_NOT_ALLOWED' })
    expect(answer).toMatchObject({ limit: 100_000, remaining: 100_000, retryAfter: null })
    expect(answer.reset).toBeGreaterThan(1_700_000_000)
    expect(answer.requestId).toMatch(/^[\da-f-]{36}$/)
  })

  it('reads how long to wait when its limit is used up', async () => {
    const key = await site.useKey({ reads: 1 })
    const page = await browser.open(site.url, { complaints: /status of 429/ })
    const read = () => page.evaluate(readAnswer, [groups(), key] as const)
    // A window may end between two requests, but not for ever.
    let answer = await read()
    while (answer.status === 200) answer = await read()
    expect(answer).toMatchObject({ status: 429, code: 'RATE_LIMITED', limit: 1, remaining: 0 })
    expect(Number(answer.retryAfter)).toBeGreaterThan(0)
  })

  it('reads nothing of a server that does not let it: this browser enforces CORS', async () => {
    const page = await browser.open(foreignUrl, { complaints: /CORS policy|ERR_FAILED/ })
    const reading = page.evaluate(readAnswer, [`${site.url}/config.json`, 'none'] as const)
    await expect(reading).rejects.toThrow('Failed to fetch')
  })

  it('can reach nobody but the API from the website, and nothing inline runs there', async () => {
    const page = await browser.open(site.url, { complaints: /Content Security Policy/ })
    await expect(page.evaluate(readAnswer, [foreignUrl, 'none'] as const)).rejects.toThrow('fetch')
    await page.evaluate(`document.body.append(Object.assign(document.createElement('script'),
      { textContent: 'document.title = "taken over"' }))`)
    expect(await page.title()).not.toBe('taken over')
  })
})
