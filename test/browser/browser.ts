import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { findChromium } from '../helpers/chromium.ts'

/** Nothing here weakens what a browser enforces between origins; tests about CORS prove it. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Far beyond what any page takes: a slow machine is no failure. */
const patienceMs = 120_000
/** Visitors are seldom where UTC is the time: a page that reads a time by their clock is seen to. */
const usual = { viewport: { width: 1280, height: 800 }, timezoneId: 'America/New_York' }

interface OpenOptions extends BrowserContextOptions {
  /** What the page's console may complain about: Chromium itself notes every refused request. */
  readonly complaints?: RegExp
}

export interface TestBrowser {
  /** Opens a page as a visitor of its own; it is closed after the test. */
  open(url: string, options?: OpenOptions): Promise<Page>
}

/** A Chromium for the tests of one file. Whatever a page complains about fails its test. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  let complaints: string[] = []
  beforeAll(async () => {
    const { executablePath, env } = await findChromium()
    browser = await chromium.launch({
      ...{ executablePath, args, env: { ...process.env, ...env }, timeout: patienceMs },
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
