import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { useBrowser } from './browser.ts'
import type { useSite } from './site.ts'

/** Provides a third-party page with its own content security policy and styles. */
export function useForeignPage(
  site: ReturnType<typeof useSite>,
  browser: ReturnType<typeof useBrowser>,
) {
  let html = ''
  const foreign = createServer((request, response) => {
    const isStyle = request.url === '/style.css'
    response.setHeader('Content-Type', isStyle ? 'text/css' : 'text/html; charset=utf-8')
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src ${site.apiUrl}; connect-src ${site.apiUrl}; img-src 'self' ${site.url};
       style-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'`
        .split('\n')
        .join(''),
    )
    const rude = 'button, input, label, p, h2 { all: unset !important; color: red !important }'
    response.end(isStyle ? rude : html)
  })
  let url: string
  let key: string
  beforeAll(async () => {
    foreign.listen(0, '127.0.0.1')
    await once(foreign, 'listening')
    url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
    key = await site.useKey({}, [url])
  })
  afterAll(() => {
    foreign.close()
    foreign.closeAllConnections()
  })
  return {
    get url() {
      return url
    },
    get key() {
      return key
    },
    /** Opens the page with one widget per argument. Of duplicate attributes the first counts. */
    async open(...widgets: readonly string[]): Promise<Page> {
      const tags = widgets.map(
        (attributes) =>
          `<rental-booking ${attributes} base-url="${site.apiUrl}" api-key="${key}"></rental-booking>`,
      )
      html = `<!doctype html><html lang="en"><title>Elsewhere</title>
    <link rel="stylesheet" href="/style.css">
    <main><h1>Elsewhere</h1>${tags.join('')}</main>
    <script type="module" src="${site.apiUrl}/widget/v1.js"></script>`
      return browser.open(url, { complaints: /ERR_INTERNET_DISCONNECTED/ })
    },
  }
}
