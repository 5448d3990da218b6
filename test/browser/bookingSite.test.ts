import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { de } from '../../clients/widget/messages/de.ts'
import { commandLineOn } from '../cli/commandLine.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import {
  askForPrice,
  book,
  bookingIdOn,
  button,
  cardOf,
  changePeriod,
  chooseVehicle,
  fillIn,
  hold,
  reachesStep,
  sees,
  submitPeriod,
  typeDate,
} from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

beforeEach(() => site.useKey())

const staff = async (...argv: string[]) => {
  const run = await commandLineOn(server.databaseUrl)(['bookings', ...argv])
  expect(run.error).toBe('')
}

/** Checks what a page learns about the search, the vehicle and the extras. */
async function expectsEvents(page: Page): Promise<void> {
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  const dates = { pickup: date, dropoff: date, days: 3, hours: 0 }
  const estate = { ...dates, assetGroupId: expect.any(String), name: 'Estate', category: 'car' }
  const id = expect.any(String)
  const seats = (quantity: number) => ({ id, name: 'Child seat', quantity })
  const priced = (total: string, ...extras: readonly object[]) => {
    return { ...estate, extras, total, currency: 'NOK' }
  }
  expect(await page.evaluate('received')).toEqual([
    ['searched', { ...dates, found: 3, available: 2, hasMore: false }],
    ['vehiclechosen', priced('1871.25')],
    ['extraschanged', priced('2058.75', seats(1))],
    ['extraschanged', priced('2246.25', seats(2))],
    ['extraschanged', priced('2308.75', seats(2), { id, name: 'Roof rack', quantity: 1 })],
  ])
}

describe('booking site', () => {
  it('shows the contact and a button to reload when the widget cannot be loaded', async () => {
    const page = await browser.open('about:blank', { complaints: /ERR_FAILED/ })
    await page.route('**/widget/v1.js', (route) => route.abort())
    await page.goto(site.url)
    await sees(page, 'Booking is not available right now.')
    await page.locator('.failed').getByRole('link', { name: 'hello@fjordcars.example' }).waitFor()
    await page.unroute('**/widget/v1.js')
    await button(page, 'Reload').click()
    await button(page, 'Show vehicles').waitFor()
  })

  it('leaves room for the vehicles until they are listed, and leaves them out if they are not', async () => {
    const page = await browser.open('about:blank', { complaints: /status of 503/ })
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/asset-groups', async (route) => {
      await answered
      await route.fulfill({ status: 503 })
    })
    await page.goto(site.url)
    const vehicles = page.locator('#vehicles')
    const { height = 0 } = (await vehicles.boundingBox()) ?? {}
    expect(height).toBeGreaterThan(page.viewportSize()?.height ?? Infinity)
    answer()
    await vehicles.waitFor({ state: 'detached' })
  })

  it('books for the price shown on card and extras, and shows the status set by staff', async () => {
    const page = await browser.open(site.url)
    const card = cardOf(page, 'Estate')
    await page.evaluate(`window.received = []
      for (const name of ['searched', 'vehiclechosen', 'extraschanged'])
        addEventListener(name, ({ detail }) => received.push([name, detail]))`)
    await button(page, 'Show vehicles').click()
    await card.getByText('Only 2 left').waitFor()
    // 3 × 499 plus 25 % tax.
    await card.getByText('NOK 1,871.25').waitFor()
    await card.getByText('NOK 623.75 a day').waitFor()
    await sees(page, 'Prices include 25% tax.')
    await cardOf(page, 'Minibus').getByText('Sold out on these dates').waitFor()
    expect(await page.getByRole('listitem').last().innerText()).toContain('Minibus')
    expect(await button(page, 'Select Minibus').count()).toBe(0)
    await button(page, 'Select Estate').click()
    // The prices of one unit for three days.
    await sees(page, 'NOK 187.50')
    await sees(page, 'NOK 62.50')
    await button(page, 'Child seat: one more').click()
    await button(page, 'Child seat: one more').click()
    await page.getByLabel('Roof rack').check()
    const rows = async () => {
      const texts = await page.locator('.bill tr').allTextContents()
      return texts.map((row) => row.replace(/\s/g, ' '))
    }
    const shown = [
      '3 daysNOK 1,871.25',
      '2 × Child seatNOK 375.00',
      '1 × Roof rackNOK 62.50',
      'TotalNOK 2,308.75',
      'Includes tax (25%)NOK 461.75',
    ]
    expect(await rows()).toEqual(shown)
    await expectsEvents(page)
    await askForPrice(page)
    await button(page, 'Book for NOK 2,308.75').waitFor()
    expect(await rows()).toEqual(shown)
    await fillIn(page)
    await page.getByLabel('Phone').fill('+47 22')
    await page.getByText('Pick up or return elsewhere?').click()
    await page.getByLabel('Where to pick up').fill('Oslo S')
    await page.getByLabel('Where to drop off').fill('Bergen')
    await book(page)
    await sees(page, 'Received.')
    for (const fact of [
      'Estate',
      /, Oslo S$/,
      /, Bergen$/,
      '2 × Child seat, 1 × Roof rack',
      'Kari Nordmann',
      'kari@example.com',
    ]) {
      await page.getByRole('definition').filter({ hasText: fact }).waitFor()
    }
    await page.getByRole('row', { name: 'Total NOK 2,308.75' }).waitFor()
    const bookingId = await bookingIdOn(page)
    const entered = `customer_first_name, customer_last_name, customer_email, customer_phone,
      pickup_location, dropoff_location, notes`
    const { rows: booked } = await server.deps.database.pool.query(
      `select concat_ws('|', ${entered}) as entered from bookings where id = $1`,
      [bookingId],
    )
    expect(booked[0].entered).toBe(
      'Kari|Nordmann|kari@example.com|+47 22|Oslo S|Bergen|Flight SK 263',
    )
    await expect.poll(() => page.url()).toBe(`${site.url}/#booking=${bookingId}`)
    await button(page, 'Copy link').waitFor()
    expect(await page.getByText(bookingId).count()).toBe(0)

    await staff('confirm', bookingId)
    await sees(page, 'Confirmed. Your vehicle is reserved.')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Kari')
    await page.reload()
    await sees(page, 'Confirmed. Your vehicle is reserved.')
    await page
      .getByRole('definition')
      .filter({ hasText: /, Oslo S$/ })
      .waitFor()
    // A returning visitor finds the booking after the decision, too.
    await page.evaluate("document.querySelector('rental-booking').show('dates')")
    await button(page, 'Your booking').click()
    await sees(page, 'Confirmed. Your vehicle is reserved.')
  })

  it('shows on a phone that staff confirm and then cancel a booking', async () => {
    const page = await browser.open('about:blank', { viewport: { width: 390, height: 844 } })
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    // The button stays on the screen even when the step is longer.
    const { y = 0, height = 0 } = (await button(page, /^Book for/).boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(844)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
    const bookingId = await bookingIdOn(page)
    await staff('confirm', bookingId)
    await page.clock.runFor(5_000)
    await sees(page, 'Confirmed.')
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    // The page polls once a minute. 40 s leave a margin, because the fake clock also runs in real time.
    await page.clock.runFor(40_000)
    expect(requested).toEqual([])
    await staff('cancel', bookingId)
    await page.clock.runFor(25_000)
    await sees(page, 'Cancelled.')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  it('has a page for each vehicle and an address for each search, which work as links', async () => {
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').click()
    await button(page, 'Select Economy').waitFor()
    await expect.poll(() => page.url()).toMatch(/\?pickup=[\dT:-]+&dropoff=[\dT:-]+$/)
    const list = await browser.open(page.url())
    await button(list, 'Select Economy').waitFor()
    const home = await browser.open(site.url)
    await home.getByRole('link', { name: 'Economy' }).click()
    await home.getByRole('heading', { name: 'Economy', level: 1 }).waitFor()
    await home.locator('calendar-range').waitFor()
    const one = await browser.open(home.url())
    await one.getByText('Economy').first().waitFor()
    await button(one, 'Continue').click()
    await sees(one, 'Add extras')
  })

  it('has the dates that are shown in its address, and keeps the step in another language', async () => {
    const search = `pickup=${inDays(5).slice(0, 10)}T10:00&dropoff=${inDays(8).slice(0, 10)}T10:00`
    const page = await browser.open(`${site.url}/?${search}`)
    const address = () => page.evaluate('location.search')
    await button(page, 'Select Economy').waitFor()
    await page.locator('.when').click()
    await typeDate(page, 'dropoff', inDays(10).slice(0, 10))
    await submitPeriod(page)
    await page.getByText('5 days').first().waitFor()
    await button(page, 'Select Economy').waitFor()
    const changed = `?${search.replace(inDays(8).slice(0, 10), inDays(10).slice(0, 10))}`
    await expect.poll(address).toBe(changed)
    await button(page, 'Select Economy').click()
    await reachesStep(page, 'Add extras')
    await page.locator('#language').selectOption('de')
    await page.getByRole('heading', { name: de.titleExtras }).waitFor()
    await page.locator('#language').selectOption('en')
    await page.getByRole('heading', { name: 'Add extras' }).waitFor()
    await askForPrice(page)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
    await page.goBack()
    const when = page.locator('.when')
    await when.waitFor()
    const shown = await when.innerText()
    await expect.poll(address).not.toContain(inDays(10).slice(0, 10))
    const other = await browser.open(page.url())
    await other.locator('.when').waitFor()
    expect(await other.locator('.when').innerText()).toBe(shown)
  })

  it('shows the vehicles with their prices, and only the widget after the dates, also after a reload', async () => {
    const page = await browser.open(site.url)
    const parts = page.locator('#lead, .hero .photo, .reasons, #vehicles').filter({ visible: true })
    const areShown = (count: number) => expect.poll(() => parts.count()).toBe(count)
    await page.locator('#vehicles').scrollIntoViewIfNeeded()
    const card = page.locator('#vehicles li', { hasText: 'Economy' })
    await card.getByText('from NOK 623.75 a day').waitFor()
    await areShown(4)
    await button(page, 'Show vehicles').click()
    await button(page, 'Select Economy').waitFor()
    await areShown(0)
    await page.getByText('Our station').first().waitFor()
    const goOn = await hold(page, '**/widget/v1.js')
    await page.reload({ waitUntil: 'domcontentloaded' })
    await areShown(0)
    goOn()
    await button(page, 'Select Economy').waitFor()
    await page.goBack()
    await button(page, 'Show vehicles').waitFor()
    await areShown(4)
    await page.goForward()
    await button(page, 'Select Economy').waitFor()
    await areShown(0)
    const shared = await browser.open(page.url())
    const home = page.getByRole('link', { name: 'Fjord Cars' })
    await home.click()
    await areShown(4)
    await expect.poll(() => page.evaluate('scrollY')).toBe(0)
    await button(shared, 'Select Economy').waitFor()
    expect(await shared.locator('#vehicles').isVisible()).toBe(false)
  })

  it('keeps all input when the visitor goes back, forward or reloads', async () => {
    const page = await browser.open(site.url)
    const when = page.locator('.when')
    await changePeriod(page, () => page.locator('[name=pickupTime]').selectOption('12:30'))
    await sees(page, '2 days and 22 hours')
    await chooseVehicle(page)
    await page.getByLabel('Child seat', { exact: true }).fill('3')
    await askForPrice(page)
    await page.locator('.bill', { hasText: '2 days and 22 hours' }).waitFor()
    await fillIn(page)
    await page.reload()
    expect(await page.getByLabel('E-mail').inputValue()).toBe('kari@example.com')
    await page.goBack()
    expect(await page.getByLabel('Child seat', { exact: true }).inputValue()).toBe('3')
    await page.goBack()
    await page.goBack()
    await button(page, 'Show vehicles').waitFor()
    expect(await when.innerText()).toContain('12:30')
    await page.goForward()
    expect(await button(page, 'Select Economy').getAttribute('aria-current')).toBe('true')
  })
})
