import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { askForPrice, book, chooseVehicle, fillIn, sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

/** The scripts of pages that others build, by their names. */
const scripts = new Map<string, Uint8Array>()
let attributes = ''
const pages = createServer(({ url = '' }, response) => {
  const script = scripts.get(url)
  response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html; charset=utf-8')
  const page = `<!doctype html><html lang="en"><title>Built</title><link rel="icon" href="data:,">
    <main data-attributes='${attributes}'></main><script type="module" src="${url}.js"></script>`
  response.end(script ?? page)
})
let pagesUrl: string

beforeAll(async () => {
  const here = (name: string) => join(import.meta.dirname, name)
  const { outputFiles } = await build({
    entryPoints: ['react', 'vue'].map((name) => here(`frameworks/${name}.mjs`)),
    alias: { '@rental-booking/widget': here('../../clients/widget') },
    define: { 'process.env.NODE_ENV': '"production"' },
    ...{ bundle: true, format: 'esm', write: false, outdir: '/', minify: true },
  })
  for (const { path, contents } of outputFiles) scripts.set(path, contents)
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  const apiKey = await site.useKey({}, [pagesUrl])
  const extras = [{ id: crypto.randomUUID(), name: 'Sledge', price: '1.00', pricing: 'per_day' }]
  const config = { timeZone: 'Europe/Oslo', extras }
  attributes = JSON.stringify({ 'base-url': site.apiUrl, 'api-key': apiKey, config })
})
afterAll(() => {
  pages.close()
  pages.closeAllConnections()
})

describe('the widget, bundled', () => {
  it.each([
    ['React', '/react'],
    ['Vue', '/vue'],
  ])('takes its config from %s, and tells it of a booking', async (name, path) => {
    const page = await browser.open(pagesUrl + path)
    await chooseVehicle(page)
    await sees(page, 'Sledge')
    await askForPrice(page)
    await fillIn(page)
    await sees(page, `${name} heard: nothing`)
    await book(page)
    await sees(page, `${name} heard: booked pending`)
  })
})
