import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite } from '../../src/demo/site.ts'

const host = '127.0.0.1'
const silent = pino({ level: 'silent' })
let site: NonNullable<Awaited<ReturnType<typeof openSite>>>
let url: string

const open = (port = 0, log = silent) => openSite({ host, port, log })

beforeAll(async () => {
  const opened = await open()
  if (opened === undefined) throw new Error('The website did not start')
  site = opened
  url = `http://${host}:${site.port}`
  site.configure({
    baseUrl: 'http://127.0.0.1:3999',
    apiKey: 'pk_live_x',
    read: async () => ({ config: { name: 'Fjord Cars' } }),
  })
})
afterAll(() => site.close())

/** Requests a path without normalising it. */
async function rawStatus(port: number, path: string): Promise<number | undefined> {
  const [response] = await once(request({ host, port, path }).end(), 'response')
  response.resume()
  return response.statusCode
}

/** Collects warnings of a server. */
function keepingLog() {
  const lines: string[] = []
  return { lines, log: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) }
}

describe('the example website', () => {
  it('restricts its page to its own origin and the API with a Content-Security-Policy', async () => {
    const { headers, status } = await fetch(url)
    expect(status).toBe(200)
    expect(headers.get('Content-Security-Policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' http://127.0.0.1:3999",
      "style-src 'self'",
      "img-src 'self' https: http://127.0.0.1:*",
      "connect-src 'self' http://127.0.0.1:3999",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('Cache-Control')).toBe('no-cache')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('same-origin')
  })

  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/page.css', 'text/css; charset=utf-8'],
    ['/config.json?x=1', 'application/json; charset=utf-8'],
    ['/main.js', 'text/javascript; charset=utf-8'],
    ['/photos/economy.svg', 'image/svg+xml'],
  ])('serves %s', async (path, type) => {
    const response = await fetch(url + path)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type])
  })

  it.each([
    '/index.ts',
    '/../../package.json',
    '/photos/../../../package.json',
    '/photos/%2e%2e/%2e%2e/%2e%2e/package.json',
    '//etc/passwd',
    '/__proto__',
  ])('returns the page for unknown addresses with 404 for %s', async (path) => {
    expect(await rawStatus(site.port, path)).toBe(404)
  })

  it('does not start and logs a DEMO_PORT hint when its port is in use', async () => {
    const other = createServer().listen(0, host)
    await once(other, 'listening')
    const { lines, log } = keepingLog()
    expect(await open((other.address() as AddressInfo).port, log)).toBeUndefined()
    expect(lines.join()).toMatch(/EADDRINUSE.*set DEMO_PORT/)
    other.close()
  })

  it('serves the tenant configuration, or 404 when the tenant is missing', async () => {
    const config = async () => (await fetch(`${url}/config.json`)).json()
    expect(await config()).toEqual({
      baseUrl: 'http://127.0.0.1:3999',
      apiKey: 'pk_live_x',
      config: { name: 'Fjord Cars' },
    })
    const other = await open()
    other?.configure({ baseUrl: url, apiKey: 'pk_live_x', read: async () => undefined })
    expect((await fetch(`http://${host}:${other?.port}/config.json`)).status).toBe(404)
    await other?.close()
  })
})
