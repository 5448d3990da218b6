import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installClient, type Project } from '../../clients/installed.ts'
import { useTestApp } from '../../helpers/app.ts'
import { demoKey } from '../../helpers/demoKey.ts'
import { guideSteps } from '../../helpers/guidePrograms.ts'

const server = useTestApp()
const apiUrl = () => `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
const origin = 'https://shop.example'
let key: string
let project: Project

beforeAll(async () => {
  key = await demoKey(server.deps, [origin])
  project = await installClient(apiUrl(), { private: true, type: 'module' })
})
afterAll(() => project.remove())

const program = async (language: string) =>
  (await guideSteps(language, { address: apiUrl(), key })).join('\n')

describe('integration guide', () => {
  it('books with the TypeScript snippet on a server', async () => {
    await project.write('server.ts', await program('ts'))
    const lib = ['es2022', 'dom']
    await project.compile({ target: 'es2022', lib, module: 'nodenext', types: [] }, ['server.ts'])
    expect(await project.node('server.js')).toMatch(
      /^.+: .*\n\d+ available\n\d+\.\d\d NOK\n[\da-f-]{36}\npending\n$/,
    )
  })

  it('books with the JavaScript snippet from a browser origin', async () => {
    const asBrowser = `const plain = globalThis.fetch
globalThis.fetch = (url, init) =>
  plain(url, { ...init, headers: { ...init.headers, Origin: '${origin}' } })\n`
    await project.write('browser.js', asBrowser + (await program('js')))
    expect(await project.node('browser.js')).toBe('pending\n')
  })

  it('shows the address of the server, and a key only in a demo', async () => {
    const read = async (path: string) => (await server.http.get(path)).text
    for (const path of ['/docs/integrate', '/llms.txt']) {
      const text = await read(path)
      expect(text).toContain(`API=${apiUrl()}/api/v1`)
      expect(text).not.toMatch(/\{\{|pk_live_\w|api\.example\.com/)
      server.deps.lifecycle.demo = { siteUrl: undefined, serverKey: 'pk_live_demo' }
      expect(await read(path)).toContain('KEY=pk_live_demo')
      // A page must have the key of a website, not that of a server.
      expect(await read(path)).toContain('Bearer pk_live_...')
      delete server.deps.lifecycle.demo
    }
  })

  it('links the guide from GET /, as HTML for browsers and JSON for programs', async () => {
    const page = await server.http.get('/').set('accept', 'text/html,*/*;q=0.8')
    expect(page.type).toBe('text/html')
    expect(page.text).toContain('href="/docs/integrate">Five minutes to a booking</a>')
    expect(page.text).not.toContain('forPrograms')
    const { body, headers } = await server.http
      .get('/')
      .set('accept', '*/*')
      .expect('content-type', /json/)
    // A cache must not serve HTML to a client that accepts JSON, or the reverse.
    expect([page.headers['vary'], headers['vary']]).toEqual(Array(2).fill('Origin, Accept'))
    // docs.test.ts requests every link of the page.
    const linked = [...page.text.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path)
    expect(linked).toEqual(expect.arrayContaining(Object.values(body)))
    expect(body).toEqual({
      guide: '/docs/integrate',
      reference: '/docs',
      openapi: '/openapi.json',
      forPrograms: '/llms.txt',
    })
  })

  it('creates a quote from the OpenAPI example with the demo fleet', async () => {
    const { body: document } = await server.http.get('/openapi.json')
    const { example } = document.paths['/quotes'].post.requestBody.content['application/json']
    const authorization = `Bearer ${key}`
    const quote = await server.http.post('/api/v1/quotes').set({ authorization }).send(example)
    expect(quote.status).toBe(201)
  })
})
