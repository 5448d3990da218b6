import { describe, expect, it } from 'vitest'
import { exampleIds } from '../../../src/http/schemas/examples.ts'
import { useTestApp } from '../../helpers/app.ts'

const server = useTestApp({ TRUST_PROXY: '127.0.0.1' })

it.each<[path: string, type: string, vary?: string]>([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/openapi.yaml', 'application/yaml'],
  ['/arazzo.yaml', 'application/yaml'],
  ['/llms.txt', 'text/plain; charset=utf-8', 'Origin'],
  ['/docs/integrate', 'text/html; charset=utf-8', 'Origin'],
  ['/docs/widget', 'text/html; charset=utf-8', 'Origin'],
  ['/docs/contract', 'text/html; charset=utf-8'],
])('serves %s with CORS headers, Vary and revalidation', async (path, type, vary) => {
  const { headers } = await server.http.get(path).set({ origin: 'https://a.example' })
  expect(headers).toMatchObject({
    'content-type': type,
    'access-control-allow-origin': 'https://a.example',
    vary: vary ?? 'Origin, Accept-Encoding',
    'cache-control': 'public, no-cache',
  })
})

it('links only to existing pages from GET /', async () => {
  const { text, headers } = await server.http.get('/').set({ accept: 'text/html' })
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; img-src data:; style-src 'self'",
  )
  const paths = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(3)
  expect(text).toMatch(/curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/quotes/)
  for (const path of paths)
    expect([path, (await server.http.get(path)).status]).toEqual([path, 200])
})

const proto = (value: string) => ({ 'x-forwarded-proto': value })
const host = (value: string) => ({ 'x-forwarded-host': value })

const homePage = async (headers: object) =>
  (await server.http.get('/').set({ accept: 'text/html', host: 'api.example', ...headers })).text

it.each<[headers: object, address: string]>([
  [{}, 'http://api.example'],
  [proto('https'), 'https://api.example'],
  [{ ...proto('https'), ...host('[2001:db8::1]:8443') }, 'https://[2001:db8::1]:8443'],
])('shows the address that a proxy forwards in GET / for %o', async (headers, address) => {
  expect(await homePage(headers)).toContain(`curl ${address}/api/v1/quotes`)
})

it.each([
  ...['"><b>x</b>', 'javascript', 'https:', 'https, x'].map(proto),
  ...['a"><b>', 'a/b', 'a@b', 'a b', ':80', 'a:b', '[a'].map(host),
])('shows no address in GET / for %o', async (headers) => {
  const text = await homePage(headers)
  expect(text).toContain('curl /api/v1/quotes')
  expect(text).not.toContain('<b>')
})

it('redirects /guide to the guide', async () => {
  expect((await server.http.get('/guide')).headers['location']).toBe('/docs/integrate')
})

describe('/docs', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/docs/integrate', 'text/html'],
    ['/docs/contract', 'text/html'],
    ['/docs/guide.css', 'text/css'],
    ['/docs/guide.js', 'text/javascript'],
    ['/docs/page.css', 'text/css'],
    ['/docs/reference.css', 'text/css'],
    ['/docs/page.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
  ])('serves %s with a policy that allows only its own origin', async (path, type) => {
    const response = await server.http.get(path)
    expect([response.status, response.type]).toEqual([200, type])
    // The reader enters an API key on the page, so it must not connect to other origins.
    expect(response.headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(Number(response.headers['content-length'])).toBeGreaterThan(100)
  })

  it('contains the example ids of quote and booking in page.js', async () => {
    const { text } = await server.http.get('/docs/page.js')
    for (const id of [exampleIds.quote, exampleIds.booking]) expect(text).toContain(`'${id}'`)
  })
})
