import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { findChromium } from '../helpers/chromium.ts'

/** These options must not weaken the same-origin policy, which the CORS tests depend on. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Far longer than any page takes, so that tests pass on slow machines. */
const patienceMs = 120_000
/** A time zone other than UTC, so that times in the wrong zone are detected. */
const usual = { viewport: { width: 1280, height: 800 }, timezoneId: 'America/New_York' }

export interface OpenOptions extends BrowserContextOptions {
  /** Errors that the console may show. Chromium logs every rejected request. */
  readonly complaints?: RegExp
}

export interface TestBrowser {
  /** Opens a page as a new visitor. The page is closed after the test. */
  open(url: string, options?: OpenOptions): Promise<Page>
}

/** Provides a Chromium for the tests of one file. Errors in a page's console fail the test. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  let complaints: string[] = []
  beforeAll(async () => {
    const { executablePath, env } = await findChromium()
    browser = await chromium.launch({
      executablePath,
      args,
      env: { ...process.env, ...env },
      timeout: patienceMs,
    })
  })
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    const all = complaints
    complaints = []
    expect(all).toEqual([])
  })
  afterAll(() => browser?.close())
  return {
    async open(url, { complaints: allowed = /^$/, ...options } = {}) {
      if (browser === undefined) throw new Error('The browser is opened before the tests')
      const context = await browser.newContext({ ...usual, ...options })
      context.setDefaultTimeout(patienceMs)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        const text = message.text()
        if (message.type() === 'error' && !allowed.test(text)) complaints.push(text)
      })
      await page.goto(url)
      return page
    },
  }
}
