import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { commandLineOn } from '../operator/commandLine.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { askForPrice, book, bookingIdOn, button, chooseVehicle, fillIn, sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

beforeEach(() => site.useKey())

const staff = async (...argv: string[]) => {
  const run = await commandLineOn(server.databaseUrl)(['bookings', ...argv])
  expect(run.error).toBe('')
}
/** How long the visitor's price is good, as the page counts: "29:58". */
const leftOn = async (page: Page) =>
  /\d+:\d\d/.exec(await page.getByText('This price is good for').innerText())?.[0] ?? ''

describe('a visitor', () => {
  it('books for what the card and the extras said, and hears what the staff decide', async () => {
    const page = await browser.open(site.url)
    const card = page.locator('label', { hasText: 'Estate' })
    await button(page, 'Show vehicles').click()
    await card.getByText('Only 2 left').waitFor()
    // 3 × 499, and a quarter on top.
    await card.getByText('NOK 1,871.25 for 3 days').waitFor()
    await card.getByText('NOK 623.75 a day, with 25% tax').waitFor()
    await sees(page, 'Sold out on these dates')
    expect(await page.getByRole('radio', { name: 'Minibus' }).isDisabled()).toBe(true)
    await page.getByRole('radio', { name: 'Estate' }).check()
    await button(page, 'Continue').click()
    await sees(page, 'NOK 62.50 a day, with 25% tax')
    await page.getByLabel('Child seat').selectOption('2')
    await page.getByLabel('Roof rack').check()
    await sees(page, 'NOK 2,308.75 for 3 days')
    await askForPrice(page)
    await button(page, 'Book for NOK 2,308.75').waitFor()
    await fillIn(page)
    await page.getByLabel('Where to pick up').fill('Oslo S')
    await book(page)
    await sees(page, 'Received.')
    for (const fact of ['Estate', /, Oslo S$/, '2 × Child seat, 1 × Roof rack', 'NOK 2,308.75']) {
      await page.getByRole('definition').filter({ hasText: fact }).waitFor()
    }
    const bookingId = await bookingIdOn(page)
    expect(page.url()).toBe(`${site.url}/#booking=${bookingId}`)
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Kari')

    await staff('confirm', bookingId)
    await sees(page, 'Confirmed. Your vehicle is reserved.')
    await page.reload()
    await sees(page, 'Confirmed. Your vehicle is reserved.')
    await page
      .getByRole('definition')
      .filter({ hasText: /, Oslo S$/ })
      .waitFor()
  })

  it('is told as well when the staff decline, or change their mind, on a phone too', async () => {
    const page = await browser.open('about:blank', { viewport: { width: 390, height: 844 } })
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    // The way onward is in reach, however long the step is.
    const { y = 0, height = 0 } = (await button(page, /^Book for/).boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(844)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
    const bookingId = await bookingIdOn(page)
    await staff('confirm', bookingId)
    await page.clock.runFor(5_000)
    await sees(page, 'Confirmed.')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.runFor(55_000)
    expect(asked).toEqual([])
    await staff('cancel', bookingId)
    await page.clock.runFor(6_000)
    await sees(page, 'Cancelled.')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  it('goes back and forth by the browser, and loses nothing by a reload', async () => {
    const page = await browser.open(site.url)
    const pickupTime = page.getByLabel('Time').first()
    await pickupTime.selectOption('12:30')
    await chooseVehicle(page)
    await page.getByLabel('Child seat').selectOption('3')
    await askForPrice(page)
    await fillIn(page)
    await page.reload()
    expect(await page.getByLabel('E-mail').inputValue()).toBe('kari@example.com')
    await page.goBack()
    expect(await page.getByLabel('Child seat').inputValue()).toBe('3')
    await page.goBack()
    await page.goBack()
    expect(await pickupTime.inputValue()).toBe('12:30')
    await page.goForward()
    expect(await page.getByRole('radio', { name: 'Economy' }).isChecked()).toBe(true)
  })

  it('finds the booking again by Forward, after a reload and after a new search too', async () => {
    const page = await browser.open(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
    const bookingId = await bookingIdOn(page)
    const returns = async () => {
      await page.goForward()
      await sees(page, 'Received.')
      expect(await bookingIdOn(page)).toBe(bookingId)
    }
    await page.goBack()
    await button(page, 'Show vehicles').waitFor()
    await returns()
    await page.reload()
    await sees(page, 'Received.')
    await page.goBack()
    await button(page, 'Show vehicles').waitFor()
    await page.reload()
    await button(page, 'Show vehicles').waitFor()
    await returns()
    await button(page, 'Book another vehicle').click()
    await button(page, 'Show vehicles').waitFor()
    await page.goBack()
    await sees(page, 'Received.')
    expect(await bookingIdOn(page)).toBe(bookingId)
  })

  it('costs a search no more requests than it shows vehicles, once their rates are known', async () => {
    const page = await browser.open(site.url)
    const asked: string[] = []
    page.on('request', (request) => {
      const [, path] = request.url().split('/api/v1')
      if (path !== undefined && request.method() !== 'OPTIONS') asked.push(path.replace(/\?.*/, ''))
    })
    await button(page, 'Show vehicles').click()
    await page.getByRole('radio').first().waitFor()
    expect(asked.filter((path) => path.endsWith('/rates'))).toHaveLength(3)
    await button(page, 'Back').click()
    await page.getByLabel('Time').first().selectOption('08:00')
    asked.length = 0
    await button(page, 'Show vehicles').click()
    await page.getByRole('radio').first().waitFor()
    expect(asked.filter((path) => path !== '/asset-groups')).toHaveLength(3)
  })
})

describe('when something is in the way, the visitor', () => {
  it('gets a new price for one that has expired, and types nothing again', async () => {
    const page = await browser.open(site.url, { complaints: /status of 409/ })
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    // The database's clock decides, and nobody can turn that.
    await server.deps.database.pool.query('update quotes set expires_at = now()')
    await book(page)
    await sees(page, 'This price is no longer good. Everything you entered is still here.')
    expect(await button(page, /^Book for/).count()).toBe(0)
    await button(page, 'Get a new price').click()
    await book(page)
    await sees(page, 'Received.')
  })

  it('sees a price last as long as it does, by a clock that is three hours ahead', async () => {
    const page = await browser.open('about:blank')
    await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    expect(await leftOn(page)).toMatch(/^(30:00|29:5\d)$/)
    await fillIn(page)
    await page.clock.fastForward('30:01')
    await sees(page, 'This price has expired.')
    await button(page, 'Get a new price').click()
    await book(page)
    await sees(page, 'Received.')
  })

  it('sees how long a rate limit lasts', async () => {
    await site.useKey({ quotes: 1 })
    const page = await browser.open(site.url, { complaints: /status of 429/ })
    await chooseVehicle(page)
    await askForPrice(page)
    await button(page, 'Back').click()
    await page.getByLabel('Child seat').selectOption('1')
    await button(page, 'Continue').click()
    await sees(page, /a lot of requests/)
    const again = button(page, /^Try again in \d+ second/)
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    const seconds = async () => Number(/\d+/.exec(await again.innerText())?.[0])
    const first = await seconds()
    expect(first).toBeGreaterThan(5)
    await waitFor(async () => (await seconds()) < first, 5_000)
    expect(await page.getByLabel('Child seat').inputValue()).toBe('1')
  })

  it('hears that no more is booked today, when the limit is that of the day', async () => {
    await site.useKey({ bookingsPerDay: 1 })
    const page = await browser.open(site.url, { complaints: /status of 429/ })
    for (const seen of ['Received.', /no more bookings online today/]) {
      await chooseVehicle(page)
      await askForPrice(page)
      await fillIn(page)
      await book(page)
      await sees(page, seen)
      if (seen === 'Received.') await button(page, 'Book another vehicle').click()
    }
  })

  it('does not notice that a session has expired', async () => {
    const page = await browser.open(site.url, { complaints: /status of 401/ })
    const made = () =>
      page.evaluate(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/sessions')).length`)
    await chooseVehicle(page)
    await askForPrice(page)
    expect(await made()).toBe(1)
    server.clock.advanceSeconds(3600)
    await button(page, 'Back').click()
    await page.getByLabel('Child seat').selectOption('1')
    await askForPrice(page)
    expect(await made()).toBe(2)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
  })

  it('whose answer is lost keeps the offer, and is told when nobody can find out any more', async () => {
    const complaints = /ERR_FAILED|status of 401/
    const page = await browser.open('about:blank', { complaints })
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    const bookings = '**/api/v1/bookings'
    let sent = 0
    await page.route(bookings, async (route) => {
      await route.fetch()
      // The price ends while nobody knows yet.
      if (sent++ === 0) await page.clock.fastForward('30:01')
      await route.abort()
    })
    await book(page)
    // Between its requests the client waits, by the page's clock.
    await waitFor(async () => {
      await page.clock.runFor(1_000)
      return page.getByText("can't reach the booking service").isVisible()
    }, 20_000)
    expect(await page.getByText('This price has expired.').count()).toBe(0)
    expect(await button(page, 'Get a new price').count()).toBe(0)
    // Nor after a look at the step before: a second price would be a second booking.
    await button(page, 'Back').click()
    await page.getByRole('heading', { name: 'Anything else?' }).waitFor()
    await askForPrice(page)
    await page.clock.runFor(2_000)
    expect(await button(page, 'Get a new price').count()).toBe(0)
    await page.unroute(bookings)
    server.clock.advanceSeconds(3600)
    await book(page)
    await sees(page, /may have reached us.+contact us before you book again/)
    expect(await button(page, 'Get a new price').count()).toBe(0)
  })

  it('is shown what to correct, at the field, until it is mended', async () => {
    const page = await browser.open(site.url, { complaints: /status of 400/ })
    await chooseVehicle(page)
    await askForPrice(page)
    await book(page)
    const firstName = page.getByLabel('First name')
    expect(await firstName.getAttribute('aria-invalid')).toBe('true')
    await fillIn(page, 'kari@')
    expect(await firstName.getAttribute('aria-invalid')).toBe(null)
    await book(page)
    await sees(page, 'Please enter an e-mail address.')
    const email = page.getByLabel('E-mail')
    expect(await email.getAttribute('aria-describedby')).toBe('email-error')
    expect(await firstName.inputValue()).toBe('Kari')
    await email.fill('jörg@blåbær.no')
    expect(await page.locator('.error').count()).toBe(0)
    await book(page)
    await sees(page, 'Received.')
  })

  it('is told that a pickup has passed, and that a drop-off is before it', async () => {
    const page = await browser.open(site.url)
    const [pickup, dropoff] = [page.getByLabel('Date').first(), page.getByLabel('Date').nth(1)]
    const usual = await pickup.inputValue()
    // Whichever order a browser gives day and month in its fields, the page writes them out.
    await dropoff.fill('2038-03-04')
    await sees(page, /–.*4 Mar 2038, 10:00/)
    await pickup.fill('2020-01-01')
    await button(page, 'Show vehicles').click()
    await sees(page, 'This time has passed. Choose a later time.')
    expect(await pickup.getAttribute('aria-invalid')).toBe('true')
    await pickup.fill(usual)
    await dropoff.fill('2020-01-01')
    await button(page, 'Show vehicles').click()
    await sees(page, 'This is before the pickup. Choose a later time.')
    expect(await dropoff.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.error').count()).toBe(1)
  })

  it('may ask for 366 days, is told that more cannot be, and to choose a vehicle', async () => {
    const page = await browser.open(site.url)
    const dropoff = page.getByLabel('Date').nth(1)
    const usual = await dropoff.inputValue()
    const pickupMs = Date.parse(await page.getByLabel('Date').first().inputValue())
    const daysLater = (days: number) =>
      new Date(pickupMs + days * 86_400_000).toISOString().slice(0, 10)
    await dropoff.fill(daysLater(366))
    await button(page, 'Show vehicles').click()
    await button(page, 'Back').click()
    await dropoff.fill(daysLater(367))
    await button(page, 'Show vehicles').click()
    await sees(page, 'The drop-off must be within a year of the pickup.')
    await dropoff.fill(usual)
    expect(await page.locator('.error').count()).toBe(0)
    await button(page, 'Show vehicles').click()
    await button(page, 'Continue').click()
    expect(await page.locator('.error').count()).toBe(1)
    await page.getByRole('radio', { name: 'Estate' }).check()
    expect(await page.locator('.error').count()).toBe(0)
  })

  it('can try again when the network is back', async () => {
    const page = await browser.open(site.url, { complaints: /ERR_INTERNET_DISCONNECTED/ })
    await button(page, 'Show vehicles').waitFor()
    await page.context().setOffline(true)
    await button(page, 'Show vehicles').click()
    await button(page, 'Looking for vehicles…').waitFor()
    await sees(page, /can't reach the booking service/)
    await button(page, 'Show vehicles').waitFor()
    await page.context().setOffline(false)
    await button(page, 'Try again').click()
    await page.getByRole('radio', { name: 'Economy' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('with the link of a booking that is not there is told so, and can begin anew', async () => {
    const unknown = `${site.url}/#booking=00000000-0000-4000-8000-000000000000`
    const page = await browser.open(unknown, { complaints: /status of 404/ })
    await sees(page, "We don't know this booking.")
    await button(page, 'Start over').click()
    await button(page, 'Show vehicles').waitFor()
    expect(page.url()).toBe(`${site.url}/`)
  })
})
