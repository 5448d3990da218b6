import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { demoKey } from '../helpers/demoKey.ts'
import { useBrowser } from './browser.ts'
import { violationsOn } from './violations.ts'
import { button, sees } from './visitor.ts'

const server = useTestApp()
const browser = useBrowser()

const phone = { width: 375, height: 812 }
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const statusCell = '.live-responses-table .response-col_status'
const address = () => `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`

/** The operations of a booking in order, with their statuses. */
const steps = [
  ['createSession', 201],
  ['createQuote', 201],
  ['createBooking', 202],
  ['getBooking', 200],
] as const

describe('/docs', () => {
  it('books on a phone with the demo key and unchanged examples', async () => {
    const origin = address()
    const key = await demoKey(server.deps, [origin])
    const page = await browser.open(`${origin}/docs`, {
      viewport: phone,
      complaints: /status of 401/,
    })
    await sees(page, origin)
    await button(page, 'Authorize').first().click()
    await page.getByLabel('auth-bearer-value').fill(key)
    await button(page, 'Apply credentials').first().click()
    await button(page, 'Close').first().click()
    expect(await page.locator('.opblock').count()).toBe(7)
    for (const [operation, status] of steps) {
      const block = page.locator(`.opblock[id$="-${operation}"]`)
      await block.locator('.opblock-summary-control').click()
      await button(page, 'Execute').click()
      await block
        .locator(statusCell)
        .filter({ hasText: String(status) })
        .waitFor()
      // Checking the longest operation is enough, because the check is slow.
      if (operation === 'createQuote') expect(await violationsOn(page)).toEqual([])
      expect(await page.evaluate(overflow), operation).toBe(0)
      await block.locator('.opblock-summary-control').click()
    }
    // A token that the reader enters must not be replaced.
    const quote = page.locator('.opblock[id$="-createQuote"]')
    await quote.locator('.opblock-summary-control').click()
    await quote.getByPlaceholder('X-Session-Token').fill('a.b.c')
    await button(page, 'Execute').click()
    await quote.locator(statusCell).filter({ hasText: '401' }).waitFor()
  })

  it.each(
    ['/', '/docs', '/docs/integrate', '/docs/contract'].flatMap((path) =>
      (['light', 'dark'] as const).map((colorScheme) => [path, colorScheme] as const),
    ),
  )(
    'has no accessibility violation and fits a phone and a desktop: %s, %s',
    async (path, colorScheme) => {
      for (const viewport of [phone, { width: 1280, height: 800 }]) {
        const page = await browser.open(address() + path, { viewport, colorScheme })
        if (path === '/docs') await page.locator('.opblock').last().waitFor()
        expect(await violationsOn(page)).toEqual([])
        expect(await page.evaluate(overflow)).toBe(0)
      }
    },
  )

  it('shows one language of the guide at a time, remembers it and copies its program', async () => {
    const page = await browser.open(`${address()}/docs/integrate`)
    const tab = (name: string) => page.getByRole('tab', { name }).first()
    await tab('Python').click()
    expect(await page.locator('[data-tab="curl"]:visible').count()).toBe(0)
    await tab('Python').press('ArrowRight')
    await page.reload()
    expect(await tab('PHP').getAttribute('aria-selected')).toBe('true')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Copy the whole program').click()
    await button(page, 'Copied').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toMatch(/^<\?php.*\['status'\], "\\n";$/s)
  })
})
