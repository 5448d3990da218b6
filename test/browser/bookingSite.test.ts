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
describe('a visitor', () => {
  it('books, and is told as soon as the staff have confirmed', async () => {
    const page = await browser.open(site.url)
    await chooseVehicle(page, 'Estate')
    await sees(page, 'Only 2 left')
    await sees(page, 'Sold out on these dates')
    expect(await page.getByRole('radio', { name: 'Minibus' }).isDisabled()).toBe(true)
    await page.getByLabel('Child seat').selectOption('2')
    await askForPrice(page)
    // 3 × 499 and 2 × 50 a day for 3 days, and a quarter on top.
    await sees(page, 'NOK 2,246.25')
    await sees(page, /good for \d+:\d\d minutes/)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')

    await staff('confirm', await bookingIdOn(page))
    await sees(page, 'Confirmed. Your vehicle is reserved.')
    await page.reload()
    await sees(page, 'Confirmed. Your vehicle is reserved.')
  })

  it('is told as well when the staff decline, on a phone too', async () => {
    const page = await browser.open(site.url, { viewport: { width: 390, height: 844 } })
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
    await staff('reject', await bookingIdOn(page))
    await sees(page, 'Declined.')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
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
    await sees(page, 'This price has expired. Everything you entered is still here.')
    await button(page, 'Get a new price').click()
    await book(page)
    await sees(page, 'Received.')
  })

  it('can ask for nothing while the page is not ready, on a slow line', async () => {
    const page = await browser.open('about:blank')
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/config.json', async (route) => {
      await arrived
      await route.continue()
    })
    await page.goto(site.url)
    expect(await button(page, 'Show vehicles').isDisabled()).toBe(true)
    arrive()
    await chooseVehicle(page)
    await askForPrice(page)
  })

  it('watches the countdown run out, and is not held up by a clock that is wrong', async () => {
    const page = await browser.open(site.url)
    await page.clock.install()
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    await page.clock.fastForward('30:01')
    await sees(page, 'This price has expired.')
    expect(await button(page, /^Book for/).isVisible()).toBe(false)
    await button(page, 'Get a new price').click()
    // This page's clock is half an hour ahead by now.
    await sees(page, 'This price is good for a limited time.')
    await book(page)
    await sees(page, 'Received.')
  })

  it('sees how long a rate limit lasts', async () => {
    await site.useKey({ quotes: 1 })
    const page = await browser.open(site.url, { complaints: /status of 429/ })
    await chooseVehicle(page)
    await askForPrice(page)
    await page.getByLabel('Child seat').selectOption('1')
    await button(page, 'Get my price').click()
    await sees(page, /very many requests/)
    const again = button(page, /^Try again in \d+ s$/)
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    const seconds = async () => Number(/\d+/.exec(await again.innerText())?.[0])
    const first = await seconds()
    expect(first).toBeGreaterThan(5)
    await waitFor(async () => (await seconds()) < first, 5_000)
    expect(await page.getByLabel('Child seat').inputValue()).toBe('1')
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
    await page.getByLabel('Child seat').selectOption('1')
    await askForPrice(page)
    expect(await made()).toBe(2)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
  })

  it('whose answer is lost keeps the offer, and is told when nobody can find out any more', async () => {
    const complaints = /ERR_FAILED|status of 401/
    const page = await browser.open(site.url, { complaints })
    await page.clock.install()
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    const bookings = '**/api/v1/bookings'
    await page.route(bookings, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await book(page)
    // Between its requests the client waits, by the page's clock.
    await waitFor(async () => {
      await page.clock.runFor(1_000)
      return page.getByText("can't reach the booking service").isVisible()
    }, 20_000)
    await page.clock.fastForward('30:01')
    expect(await button(page, 'Get a new price').isVisible()).toBe(false)
    await page.unroute(bookings)
    server.clock.advanceSeconds(3600)
    await book(page)
    await sees(page, /may have reached us.+contact us before you book again/)
    expect(await button(page, 'Get a new price').isVisible()).toBe(false)
  })

  it('is shown what to correct, at the field', async () => {
    const page = await browser.open(site.url, { complaints: /status of 400/ })
    await chooseVehicle(page)
    await askForPrice(page)
    await book(page)
    const firstName = page.getByLabel('First name')
    expect(await firstName.getAttribute('aria-invalid')).toBe('true')
    await fillIn(page, 'kari@')
    await book(page)
    await sees(page, 'This must be an e-mail address.')
    const email = page.getByLabel('E-mail')
    expect(await email.getAttribute('aria-describedby')).toBe('email-error')
    expect(await firstName.inputValue()).toBe('Kari')
    await email.fill('jörg@blåbær.no')
    await book(page)
    await sees(page, 'Received.')
  })

  it('is told what else does not work', async () => {
    const page = await browser.open(site.url, { complaints: /status of 400/ })
    const dropoff = page.getByLabel('Date').nth(1)
    const usual = await dropoff.inputValue()
    await dropoff.fill('2099-01-01')
    await button(page, 'Show vehicles').click()
    await sees(page, /Please change your choice. The drop-off .+366 days/)
    await dropoff.fill(usual)
    await button(page, 'Show vehicles').click()
    await button(page, 'Get my price').click()
    expect(await page.locator('.field-error').count()).toBe(1)
    await page.getByRole('radio', { name: 'Estate' }).check()
    expect(await page.locator('.field-error').count()).toBe(0)
    await askForPrice(page)
  })

  it('can try again when the network is back', async () => {
    const page = await browser.open(site.url, { complaints: /ERR_INTERNET_DISCONNECTED/ })
    await page.context().setOffline(true)
    await button(page, 'Show vehicles').click()
    await sees(page, /can't reach the booking service/)
    await page.context().setOffline(false)
    await button(page, 'Try again').click()
    await page.getByRole('radio', { name: 'Economy' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
