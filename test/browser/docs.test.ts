import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { importFleet } from '../../src/services/importFleet.ts'
import { createApiKey } from '../../src/services/manageKeys.ts'
import { useTestApp } from '../helpers/app.ts'
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

async function demoKey(origin: string): Promise<string> {
  const { database, clock } = server.deps
  const file = new URL('../../examples/fleet.json', import.meta.url)
  const { slug } = await importFleet(database, parseFleetFile(await readFile(file, 'utf8')))
  const request = { tenant: slug, name: 'docs', scopes: ['all'], origins: [origin] }
  return (await createApiKey(database, request, clock.now())).key
}

describe('/docs', () => {
  it('books on a phone with the demo key and unchanged examples', async () => {
    const origin = address()
    const key = await demoKey(origin)
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
    ['/', '/docs', '/docs/integrate'].flatMap((path) =>
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
})
