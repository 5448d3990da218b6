import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from '../../../src/domain/errors.ts'
import { parseFleetFile } from '../../../src/fleet/parseFleetFile.ts'
import { importFleet } from '../../../src/services/importFleet.ts'
import { createApiKey } from '../../../src/services/manageKeys.ts'
import { installClient, type Project } from '../../clients/installed.ts'
import { useTestApp } from '../../helpers/app.ts'
import { snippetsOf } from '../../helpers/snippets.ts'

const guide = 'docs/integrate.md'
const server = useTestApp()
const apiUrl = () => `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
const origin = 'https://shop.example'
let key: string
let project: Project

beforeAll(async () => {
  const { database, clock } = server.deps
  const file = new URL('../../../examples/fleet.json', import.meta.url)
  const { slug } = await importFleet(database, parseFleetFile(await readFile(file, 'utf8')))
  const request = { tenant: slug, name: 'guide', scopes: ['all'], origins: [origin] }
  key = (await createApiKey(database, request, clock.now())).key
  project = await installClient(apiUrl(), { private: true, type: 'module' })
})
afterAll(() => project.remove())

/** Returns a snippet of the guide with the URL and key of the test. */
async function snippet(language: string): Promise<string> {
  const [text = ''] = await snippetsOf(guide, language)
  return text.replaceAll('https://api.example.com', apiUrl()).replaceAll('pk_live_...', key)
}

describe('integration guide', () => {
  it('books with the TypeScript snippet on a server', async () => {
    await project.write('server.ts', await snippet('ts'))
    const lib = ['es2022', 'dom']
    await project.compile({ target: 'es2022', lib, module: 'nodenext', types: [] }, ['server.ts'])
    expect(await project.node('server.js')).toMatch(/^pending \d+\.\d\d NOK\n$/)
  })

  it('books with the JavaScript snippet from a browser origin', async () => {
    const asBrowser = `const plain = globalThis.fetch
globalThis.fetch = (url, init) =>
  plain(url, { ...init, headers: { ...init.headers, Origin: '${origin}' } })\n`
    await project.write('browser.js', asBrowser + (await snippet('js')))
    expect(await project.node('browser.js')).toBe('pending\n')
  })

  it('lists every error code in its table', async () => {
    const text = await readFile(new URL(`../../../${guide}`, import.meta.url), 'utf8')
    const [, table = ''] = text.split('\n## Errors\n')
    for (const code of Object.keys(errorTable)) expect(table).toContain(`\`${code}\``)
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
