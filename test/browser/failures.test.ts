import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { askForPrice, book, button, changePeriod, chooseVehicle, fillIn, sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

beforeEach(() => site.useKey())

/** Returns the last announcement for screen readers. */
const announcementOn = (page: Page) => page.locator('.unseen').textContent()

describe('widget after failures', () => {
  it('offers a new price when the price has expired, and keeps all input', async () => {
    const page = await browser.open(site.url, { complaints: /status of 409/ })
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    // Expiry follows the clock of the database, which a test cannot set.
    await server.deps.database.pool.query('update quotes set expires_at = now()')
    await book(page)
    await sees(page, 'This price is no longer valid. Everything you entered is still here.')
    expect(await button(page, /^Book for/).count()).toBe(0)
    await button(page, 'Get a new price').click()
    await book(page)
    await sees(page, 'Received.')
  })

  it('strikes out the price and offers a new one when the time of the price is over', async () => {
    const page = await browser.open('about:blank')
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await page.clock.fastForward('30:01')
    await page.clock.runFor(1_000)
    await page.getByRole('alert').getByText('This price has expired.').waitFor()
    await button(page, 'Get a new price').waitFor()
    const decoration = `getComputedStyle(document.querySelector('rental-booking').shadowRoot
      .querySelector('.bill .total td')).textDecorationLine`
    expect(await page.evaluate(decoration)).toBe('line-through')
  })

  it('shows the remaining seconds of a rate limit', async () => {
    await site.useKey({ quotes: 1 })
    const page = await browser.open('about:blank', { complaints: /status of 429/ })
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await button(page, 'Back').click()
    await page.getByLabel('Child seat', { exact: true }).fill('1')
    await button(page, 'Continue').click()
    await sees(page, /many requests right now/)
    const again = button(page, /^Try again in \d+ second/)
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    let quoteRequests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/quotes')) quoteRequests += 1
    })
    await again.dispatchEvent('click')
    const seconds = async () => Number(/\d+/.exec(await again.innerText())?.[0])
    const first = await seconds()
    expect(first).toBeGreaterThan(5)
    await page.clock.runFor(1_500)
    expect(await seconds()).toBeLessThan(first)
    expect(quoteRequests).toBe(0)
    await page.clock.runFor(61_000)
    await button(page, 'Try again').waitFor()
    expect(await announcementOn(page)).toBe('You can try again now.')
    expect(await page.getByLabel('Child seat', { exact: true }).inputValue()).toBe('1')
    await button(page, 'Try again').click()
    await waitFor(() => quoteRequests === 1)
  })

  it('keeps the offer after lost responses and shows a message when the outcome stays unknown', async () => {
    const complaints = /ERR_FAILED|status of 401/
    const page = await browser.open('about:blank', { complaints })
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    const bookings = '**/api/v1/bookings'
    let sent = 0
    let unsure = -1
    await page.route(bookings, async (route) => {
      await route.fetch()
      // The price expires while the outcome is unknown.
      if (sent++ === 0) {
        await page.clock.fastForward('30:01')
        unsure = await page.getByText('may have reached us').count()
      }
      await route.abort()
    })
    await book(page)
    // The client waits between its requests by the clock of the page.
    await waitFor(async () => {
      await page.clock.runFor(1_000)
      return page.getByText("can't reach the booking service").isVisible()
    })
    expect(unsure).toBe(0)
    expect(await page.getByText('This price has expired.').count()).toBe(0)
    expect(await button(page, 'Get a new price').count()).toBe(0)
    // Another choice would lead to a second booking.
    await sees(page, /may have reached us.+will not book twice/)
    expect(await button(page, 'Back').count()).toBe(0)
    await page.evaluate("document.querySelector('rental-booking').show('vehicle')")
    await button(page, 'Try again').waitFor()
    await page.unroute(bookings)
    server.clock.advanceSeconds(3600)
    await button(page, 'Try again').click()
    await sees(page, /may have reached us.+contact us before you book again/)
    expect(await button(page, 'Get a new price').count()).toBe(0)
    await button(page, 'Start over').click()
    await button(page, 'Show vehicles').waitFor()
  })

  it.each(['never left', 'was lost on its way back'])(
    'books once after a reload when the request %s, with what was sent',
    async (fate) => {
      const page = await browser.open(site.url, { complaints: /ERR_FAILED/ })
      await chooseVehicle(page)
      await askForPrice(page)
      await fillIn(page)
      const { pool } = server.deps.database
      const count = async () => (await pool.query('select 1 from bookings')).rowCount ?? 0
      const before = await count()
      const bodies: (string | null)[] = []
      await page.route('**/api/v1/bookings', async (route) => {
        bodies.push(route.request().postData())
        if (fate !== 'never left') await route.fetch()
        await route.abort()
      })
      await book(page)
      await sees(page, /can't reach the booking service/)
      // Until the outcome is known, the form that was sent stays as it is.
      expect(await page.getByLabel('First name').isEditable()).toBe(false)
      await page.unroute('**/api/v1/bookings')
      await page.reload()
      await sees(page, /may have reached us.+will not book twice/)
      expect(await page.getByLabel('First name').inputValue()).toBe('Kari')
      const sent = page.waitForRequest('**/api/v1/bookings')
      await button(page, 'Try again').click()
      bodies.push((await sent).postData())
      await sees(page, 'Received.')
      expect(new Set(bodies).size).toBe(1)
      expect(await count()).toBe(before + 1)
    },
  )

  it('starts over after a reload during a booking', async () => {
    const page = await browser.open(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    await page.route('**/api/v1/bookings', () => {})
    const sent = page.waitForRequest('**/api/v1/bookings')
    await book(page)
    await sent
    await page.reload()
    await button(page, 'Try again').waitFor()
    await button(page, 'Start over').click()
    // Start over clears all input.
    await chooseVehicle(page)
    await askForPrice(page)
    expect(await page.getByLabel('First name').inputValue()).toBe('')
  })

  it.each(['v1-en', 'v1-steps'])('requests a lost file of the widget again: %s', async (file) => {
    const page = await browser.open('about:blank', { complaints: /ERR_FAILED/ })
    let requests = 0
    await page.route(`**/${file}.js*`, (route) =>
      requests++ === 0 ? route.abort() : route.continue(),
    )
    await page.goto(site.url)
    await changePeriod(page, () => sees(page, 'Choose the pickup day.'))
    await button(page, 'Show vehicles').click()
    await sees(page, 'NOK 623.75 a day')
    expect(requests).toBe(2)
  })

  it('shows the text of the page while no messages can be loaded, and starts when the network is back', async () => {
    const page = await browser.open('about:blank', { complaints: /ERR_FAILED/ })
    await page.route('**/v1-en.js*', (route) => route.abort())
    await page.goto(site.url)
    await sees(page, 'Booking is not available right now.')
    const contact = page.locator('rental-booking').getByRole('link', { name: /hello@/ })
    await contact.first().waitFor()
    await page.unroute('**/v1-en.js*')
    for (const isOffline of [true, false]) await page.context().setOffline(isOffline)
    await button(page, 'Show vehicles').waitFor()
    expect(await contact.count()).toBe(1)
  })

  it('offers a retry after a network failure and shows long waits in minutes', async () => {
    const complaints = /ERR_INTERNET_DISCONNECTED|status of 503|<rental-price>/
    const page = await browser.open(site.url, { complaints })
    await button(page, 'Show vehicles').waitFor()
    await page.context().setOffline(true)
    await button(page, 'Show vehicles').click()
    await button(page, 'Looking for vehicles…').waitFor()
    await sees(page, /can't reach the booking service/)
    await button(page, 'Try again').waitFor()
    expect(await button(page, 'Show vehicles').count()).toBe(0)
    // The search goes on by itself.
    await page.context().setOffline(false)
    await button(page, 'Select Economy').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.route('**/quotes', async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), 'retry-after': '300' }
      const error = { code: 'SERVICE_UNAVAILABLE', message: 'Later.' }
      await route.fulfill({ response, status: 503, headers, json: { error } })
    })
    await button(page, 'Select Economy').click()
    await button(page, 'Continue').click()
    await button(page, 'Try again in 5 minutes').waitFor()
  })
})
