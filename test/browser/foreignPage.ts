import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { OpenOptions, useBrowser } from './browser.ts'
import type { useSite } from './site.ts'

/** The parts of a third-party page. */
export interface Foreign {
  /** The attributes of the root element. */
  readonly root?: string
  readonly style?: string
  readonly script?: string
  /** Returns the content of the body. */
  body(widget: string): string
}

const html = ({ root = 'lang="en"', body }: Foreign, widget: string, scriptUrl: string) =>
  `<!doctype html><html ${root}><meta charset="utf-8"><title>Elsewhere</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
    <script src="/script.js"></script>
    <body>${body(widget)}<script type="module" src="${scriptUrl}"></script></body>`

/** A page that resets all elements, and permits only what the widget needs. */
const rude: Foreign = {
  style: 'button, input, label, p, h2 { all: unset !important; color: red !important }',
  body: (widget) => `<main><h1>Elsewhere</h1>${widget}</main>`,
}

/** Provides third-party pages on an origin of their own. */
export function useForeignPage(
  site: ReturnType<typeof useSite>,
  browser: ReturnType<typeof useBrowser>,
) {
  let files: Readonly<Record<string, readonly [type: string, content: string]>> = {}
  let policy = ''
  const foreign = createServer((request, response) => {
    const [type, content] = files[request.url ?? ''] ?? files['/'] ?? ['', '']
    response.setHeader('Content-Type', `text/${type}; charset=utf-8`)
    if (policy) response.setHeader('Content-Security-Policy', policy)
    response.end(content)
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
  function show(shown: Foreign, ...widgets: readonly string[]): void {
    const tags = widgets.map(
      (attributes) =>
        `<rental-booking ${attributes} base-url="${site.apiUrl}" api-key="${key}"></rental-booking>`,
    )
    files = {
      '/': ['html', html(shown, tags.join(''), `${site.apiUrl}/widget/v1.js`)],
      '/style.css': ['css', shown.style ?? ''],
      '/script.js': ['javascript', shown.script ?? ''],
    }
  }
  return {
    get url() {
      return url
    },
    get key() {
      return key
    },
    /** Opens a strict page with one widget per argument. Of duplicate attributes the first counts. */
    async open(...widgets: readonly string[]): Promise<Page> {
      policy = `default-src 'none'; script-src 'self' ${site.apiUrl}; connect-src ${site.apiUrl};
        img-src 'self' data: ${site.url}; style-src 'self'; base-uri 'none'; form-action 'none';
        require-trusted-types-for 'script'`.replaceAll('\n', '')
      show(rude, ...widgets)
      return browser.open(url, { complaints: /ERR_INTERNET_DISCONNECTED|<rental-booking>/ })
    },
    /** Opens a page with one widget, which has the config of the site. */
    async openPage(page: Foreign, options: OpenOptions = {}): Promise<Page> {
      policy = ''
      const { config } = (await (await fetch(`${site.url}/config.json`)).json()) as {
        config: object
      }
      show(page, `config='${JSON.stringify(config)}'`)
      return browser.open(url, options)
    },
  }
}
