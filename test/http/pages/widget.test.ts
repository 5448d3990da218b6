import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../helpers/app.ts'

const server = useTestApp()
const get = (path: string, headers: Record<string, string> = {}) =>
  server.http.get(path).set(headers).buffer(true).parse(bytes)

/** Parses a response into its bytes without decompressing them. */
function bytes(response: unknown, done: (error: null, body: Buffer) => void): void {
  const parts: Buffer[] = []
  const incoming = response as IncomingMessage
  incoming.on('data', (part: Buffer) => parts.push(part))
  incoming.on('end', () => done(null, Buffer.concat(parts)))
}

/** The maximum compressed size of the widget's entry script. */
const bytesMax = 15 * 1024

describe('GET /widget/v1.js', () => {
  it('serves a script to any origin, cacheable for a day', async () => {
    const origin = 'https://anywhere.example'
    const response = await get('/widget/v1.js', { origin, 'accept-encoding': 'identity' })
    expect([response.status, response.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      vary: 'Accept-Encoding',
    })
    expect(response.body.toString()).toContain('rental-booking')
  })

  it('sends less than 15 KiB with br, and returns 304 for a known ETag', async () => {
    const { headers } = await get('/widget/v1.js', { 'accept-encoding': 'gzip, br' })
    expect(headers['content-encoding']).toBe('br')
    expect(Number(headers['content-length'])).toBeLessThan(bytesMax)
    const again = { 'accept-encoding': 'gzip, br', 'if-none-match': headers['etag'] ?? '' }
    expect((await get('/widget/v1.js', again)).status).toBe(304)
  })

  it('takes at most 42 KiB in all, with one language', async () => {
    let bytes = 0
    for (const name of ['v1', 'v1-steps', 'v1-de']) {
      const { headers } = await get(`/widget/${name}.js`, { 'accept-encoding': 'gzip, br' })
      bytes += Number(headers['content-length'])
    }
    expect(bytes).toBeLessThan(42 * 1024)
  })

  it('serves the other scripts and languages of the widget', async () => {
    const languages = ['da', 'de', 'en', 'es', 'fr', 'it', 'nb', 'nl', 'sv']
    for (const name of ['price', 'steps', ...languages]) {
      expect([name, (await get(`/widget/v1-${name}.js`)).status]).toEqual([name, 200])
    }
  })
})

it.each(['/client/v1.tgz', '/widget/v1.tgz'])(
  'serves %s as a package cacheable for a day',
  async (path) => {
    const { status, headers } = await get(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'public, max-age=86400',
    })
    expect(headers).not.toHaveProperty('content-encoding')
    expect((await get(path, { 'if-none-match': headers['etag'] ?? '' })).status).toBe(304)
  },
)
