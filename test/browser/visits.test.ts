import { describe, expect, it } from 'vitest'
import { en } from '../../clients/widget/messages/en.ts'
import { commandLineOn } from '../cli/commandLine.ts'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import {
  askForPrice,
  book,
  bookingIdOn,
  button,
  chooseVehicle,
  fillIn,
  hold,
  sees,
} from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

const widget = "document.querySelector('rental-booking')"
/** Returns a script that records the names of events in `events`. */
const listen = (...names: readonly string[]) => `window.events = []
  for (const name of ${JSON.stringify(names)}) addEventListener(name, () => events.push(name))`

describe('accepted booking', () => {
  it('shows an accepted booking after a reload, even without its group, and emits the event "decided" once', async () => {
    const page = await browser.open(site.url, { complaints: /status of 429/ })
    await page.addInitScript(listen('decided'))
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    // The booking must be stored before the event, because a listener may leave the page.
    await page.evaluate(`window.events = []
      addEventListener('booked', ({ detail: { bookingId } }) =>
        events.push(JSON.stringify(sessionStorage).includes(bookingId)))`)
    await page.route('**/asset-groups', () => {})
    await book(page)
    await expect.poll(() => page.evaluate('events')).toEqual([true])
    await page.unroute('**/asset-groups')
    // Without the booking id, as on a page that does not add the id to its URL.
    await page.evaluate("history.replaceState(null, '', '/')")
    await page.reload()
    await sees(page, 'Received.')
    await sees(page, en.nextPending)
    const bookingId = await bookingIdOn(page)
    // Staff confirm while the page is closed.
    await page.goto('about:blank')
    await (await commandLineOn(server.databaseUrl))(['bookings', 'confirm', bookingId])
    // The last visit uses a saved link in a tab without stored state.
    for (const [path, events] of [
      ['', ['decided']],
      ['', []],
      [`/#booking=${bookingId}`, []],
    ] as const) {
      if (path !== '') {
        await page.evaluate('sessionStorage.clear()')
        await page.goto('about:blank')
      }
      await page.goto(site.url + path)
      await sees(page, 'Confirmed.')
      expect(await page.evaluate('events')).toEqual(events)
    }
    // The page works without the name of the group.
    await page.route('**/asset-groups', async (route) => {
      const error = { code: 'RATE_LIMITED', message: 'Later.' }
      const response = await route.fetch()
      await route.fulfill({
        response,
        status: 429,
        json: { error },
        headers: { ...response.headers(), 'retry-after': '60' },
      })
    })
    for (const [status, next] of [
      ['rejected', 'nextOver'],
      ['cancelled', 'nextOver'],
      ['confirmed', 'nextConfirmed'],
    ] as const) {
      await page.route(`**/bookings/${bookingId}`, async (route) => {
        const response = await route.fetch()
        const { data } = await response.json()
        await route.fulfill({ response, json: { data: { ...data, status } } })
      })
      await page.goto(site.url)
      await sees(page, en[status])
      await sees(page, en[next])
    }
  })

  it('polls an accepted booking only while the booking is shown, recovers from errors and emits the event "decided" once', async () => {
    const page = await browser.open('about:blank', { complaints: /ERR_FAILED|status of 405/ })
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    await book(page)
    await sees(page, 'Received.')
    const bookingId = await bookingIdOn(page)
    await page.evaluate(listen('decided'))
    const status = `**/bookings/${bookingId}`
    await page.route(status, (route) => route.abort())
    await page.clock.runFor(20_000)
    await sees(page, 'The connection is lost. We keep trying.')
    await page.unroute(status)
    await page.clock.runFor(20_000)
    await expect.poll(() => page.getByText('The connection is lost.').count()).toBe(0)
    // A permanent error stops the polling until the visitor tries again.
    await page.route(status, async (route) => {
      const error = { code: 'METHOD_NOT_ALLOWED', message: 'Wrong.' }
      await route.fulfill({ response: await route.fetch(), status: 405, json: { error } })
    })
    await page.clock.runFor(40_000)
    await sees(page, /The booking service is busy/)
    await page.unroute(status)
    await button(page, 'Try again').click()
    await expect.poll(() => page.getByText('is busy').count()).toBe(0)
    const polls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(`/bookings/${bookingId}`)) polls.push(request.url())
    })
    await page.evaluate(`${widget}.show('dates')`)
    await button(page, 'Show vehicles').waitFor()
    polls.length = 0
    await page.clock.runFor(60_000)
    expect(polls).toEqual([])
    await (await commandLineOn(server.databaseUrl))(['bookings', 'confirm', bookingId])
    await page.evaluate(`${widget}.show('booking')`)
    await sees(page, 'Confirmed.')
    const again = page.waitForResponse((response) => response.url().includes(bookingId))
    await page.evaluate(`${widget}.show('booking')`)
    await (await again).finished()
    await page.clock.runFor(1_000)
    expect(await page.evaluate('events')).toEqual(['decided'])
    // A late response must not return the visitor to a step already left.
    const lists = '**/asset-groups'
    const goOn = await hold(page, lists)
    const sent = page.waitForRequest(lists)
    await page.evaluate(`${widget}.show('booking')`)
    await sent
    const ended = page.waitForEvent('requestfailed')
    await page.evaluate(`${widget}.show('dates')`)
    await ended
    await button(page, 'Show vehicles').waitFor()
    goOn()
    await page.evaluate("fetch('/config.json').then((answer) => answer.text())")
    expect(await page.locator('#title').innerText()).toBe(en.titleDates)
  })
})

describe('visitor input', () => {
  it('restores visitor input after a reload, but not in another tab', async () => {
    const page = await browser.open(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await fillIn(page)
    await page.reload()
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Kari')
    const next = await page.context().newPage()
    await next.goto(site.url)
    await next.getByRole('button', { name: /Show vehicles|Book for/ }).waitFor()
    expect(await next.getByLabel('First name').count()).toBe(0)
  })
})
