import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { snippetsOf } from '../helpers/snippets.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { askForPrice, book, button, chooseVehicle, fillIn, sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

/** Bundled scripts and other files by path. */
const files = new Map<string, string | Uint8Array>()
let attributes = ''
let body = ''
const pages = createServer(({ url = '' }, response) => {
  const file = files.get(url)
  response.setHeader('Content-Type', file ? 'text/javascript' : 'text/html; charset=utf-8')
  const built = `<main data-attributes='${attributes}'></main><script type="module" src="${url}.js"></script>`
  const head = '<title>Built</title><link rel="icon" href="data:,">'
  response.end(file ?? `<!doctype html><html lang="en">${head}${url === '/' ? body : built}`)
})
let pagesUrl: string
let apiKey: string

beforeAll(async () => {
  const here = (name: string) => join(import.meta.dirname, name)
  const { outputFiles } = await build({
    entryPoints: ['react', 'vue'].map((name) => here(`frameworks/${name}.mjs`)),
    alias: { '@rental-booking/widget': here('../../clients/widget/dist/v1.js') },
    define: { 'process.env.NODE_ENV': '"production"' },
    bundle: true,
    format: 'esm',
    write: false,
    outdir: '/',
    minify: true,
  })
  for (const { path, contents } of outputFiles) files.set(path, contents)
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  apiKey = await site.useKey({}, [pagesUrl])
  const extras = [{ id: crypto.randomUUID(), name: 'Sledge', price: '1.00', pricing: 'per_day' }]
  const config = { timeZone: 'Europe/Oslo', extras }
  files.set('/rental.json', JSON.stringify({ ...config, taxPercent: '12' }))
  attributes = JSON.stringify({ 'base-url': site.apiUrl, 'api-key': apiKey, config })
})
afterAll(() => {
  pages.close()
  pages.closeAllConnections()
})

describe('bundled widget', () => {
  it.each([
    ['React', '/react'],
    ['Vue', '/vue'],
  ])(
    'takes its config from %s, survives a new render and emits the booked event',
    async (name, path) => {
      const page = await browser.open(pagesUrl + path)
      let quotes = 0
      page.on('response', (response) => {
        if (response.url().endsWith('/quotes') && response.status() === 201) quotes += 1
      })
      await chooseVehicle(page)
      await sees(page, 'Sledge')
      await askForPrice(page)
      await fillIn(page)
      await sees(page, `${name} received: nothing`)
      await book(page)
      await sees(page, `${name} received: booked pending`)
      expect(quotes).toBe(1)
    },
  )
})

describe('HTML snippets of the documents', () => {
  it.each([
    ['docs/integrate.md', '12% tax'],
    ['clients/widget/README.md', '25% tax'],
    ['README.md', '25% tax'],
  ])('runs the snippet of %s without changes', async (document, tax) => {
    const [html = ''] = await snippetsOf(document, 'html')
    body = html.replaceAll('https://api.example.com', site.apiUrl).replaceAll('pk_live_...', apiKey)
    const page = await browser.open(pagesUrl)
    await button(page, 'Show vehicles').click()
    await sees(page, new RegExp(tax))
  })
})
