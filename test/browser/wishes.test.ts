import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { en } from '../../clients/widget/messages/en.ts'
import { periodOf } from '../../clients/widget/period.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { book, button, fillIn, hold, submitPeriod } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

const widget = "document.querySelector('rental-booking')"
const timeZone = 'Europe/Oslo'
/** The prices of a day with 25 % tax. */
const dayPrice = 499 * 1.25
const seatPrice = 50 * 1.25

interface Stored {
  readonly step: string
  readonly fields: Readonly<Record<string, string>>
  readonly sent?: unknown
}

let apiKey: string
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  apiKey = await site.useKey()
  const { rows } = await server.deps.database.pool.query(
    'select name, id from asset_groups union all select name, id from extras',
  )
  ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]))
})

const storageKey = () => `rental-booking:${apiKey}:0`

/** Opens the site at a step, as after a reload. */
async function resume(page: Page, step: string): Promise<void> {
  const fields = {
    pickupDate: inDays(5).slice(0, 10),
    dropoffDate: inDays(8).slice(0, 10),
    pickupTime: '10:00',
    dropoffTime: '10:00',
    assetGroupId: ids['Economy'],
  }
  await page.evaluate(
    `sessionStorage.setItem('${storageKey()}', '${JSON.stringify({ step, fields })}')`,
  )
  await page.goto(`${site.url}/?lang=en`)
  await page.locator('#title').waitFor()
}

const show = (step: string) => (page: Page) => page.evaluate(`${widget}.show('${step}')`)

async function changePeriod(page: Page): Promise<void> {
  await page.locator('.when').click()
  await page.locator('[name=dropoffDate]').fill(inDays(10).slice(0, 10))
  await submitPeriod(page)
}

const select = (name: string) => (page: Page) => button(page, `Select ${name}`).click()
const press = (text: string | RegExp) => (page: Page) => button(page, text).first().click()
const pressBusy = (page: Page) =>
  page.locator('button[aria-busy=true]').first().dispatchEvent('click')

type Action = readonly [name: string, act: (page: Page) => Promise<unknown>]

const leave: readonly Action[] = [
  ['goes to the dates', show('dates')],
  ['goes to the vehicles', show('vehicle')],
  ['reloads', (page) => page.reload()],
]
const again: Action = ['presses the button again', pressBusy]
const otherPeriod: Action = ['changes the period', changePeriod]
const searches = ['**/asset-groups', '**/availability**', '**/rates']

/** Every request of a visit: where the visitor is, what sends it, and what the visitor can do meanwhile. */
const visits: readonly [
  name: string,
  step: string,
  start: (page: Page) => Promise<unknown>,
  requests: readonly string[],
  actions: readonly Action[],
][] = [
  ['the first search', 'dates', press(en.find), searches, [...leave, again, otherPeriod]],
  ['the later steps', 'dates', press(en.find), ['**/v1-steps.js'], [...leave, again]],
  [
    'a search for another period',
    'vehicle',
    async (page) => {
      await page.locator('.when').click()
      await page.locator('[name=dropoffDate]').fill(inDays(9).slice(0, 10))
      await submitPeriod(page)
      // The search begins when the dialog is gone. Requests before that look for other dates.
      await page.locator('.sheet').waitFor({ state: 'detached' })
    },
    ['**/asset-groups', '**/availability**'],
    [...leave, otherPeriod],
  ],
  [
    'a price after Continue',
    'extras',
    press(en.onward),
    ['**/sessions', '**/quotes'],
    [...leave, again, ['adds an extra', press('Child seat: one more')]],
  ],
  [
    'a price after Select',
    'vehicle',
    async (page) => {
      await page.evaluate(`${widget}.config = { ...${widget}.config, extras: [] }`)
      await select('Economy')(page)
    },
    ['**/quotes'],
    [
      ...leave,
      again,
      otherPeriod,
      ['selects another vehicle', select('Estate')],
      ['sorts', (page) => page.getByLabel('Sort by').selectOption('name')],
    ],
  ],
  [
    'a booking',
    'details',
    async (page) => {
      await fillIn(page)
      await book(page)
    },
    ['**/api/v1/bookings', '**/asset-groups'],
    [...leave, again],
  ],
]

/** Requests by the end of their path, the newest last. */
function watch(page: Page) {
  const sent: Request[] = []
  page.on('request', (request) => {
    // Browsers also ask whether they may send a request.
    if (request.method() !== 'OPTIONS') sent.push(request)
  })
  /** Returns the newest request to a path, and with a range of at most some days. */
  return (path: RegExp, daysMax = Number.POSITIVE_INFINITY) =>
    sent.findLast((request) => {
      const { pathname, searchParams } = new URL(request.url())
      const instantOf = (name: string) => Date.parse(searchParams.get(name) ?? '0')
      const days = (instantOf('to') - instantOf('from')) / 86_400_000
      return path.test(pathname) && days <= daysMax
    })
}

const isCalm = `(() => {
  const root = ${widget}?.shadowRoot
  return Boolean(root?.querySelector('#title')) && !root.querySelector('[aria-busy=true], .ghost, dialog')
})()`

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const money = (amount: number) =>
  plain(new Intl.NumberFormat('en', { style: 'currency', currency: 'NOK' }).format(amount))

/** Checks that the page shows what the tab stores, and that the newest request was for it. */
async function expectAgreement(page: Page, last: ReturnType<typeof watch>): Promise<void> {
  await expect.poll(() => page.evaluate(isCalm)).toBe(true)
  const stored = JSON.parse(
    (await page.evaluate(`sessionStorage.getItem('${storageKey()}')`)) as string,
  ) as Stored
  const { step, fields, sent } = stored
  const titles: Readonly<Record<string, string>> = {
    dates: en.titleDates,
    vehicle: en.titleVehicle,
    extras: en.titleExtras,
    details: en.titleDetails,
    booking: en.titleBooking,
  }
  expect(await page.locator('#title').innerText()).toBe(titles[step])
  expect(await page.getByRole('alert').count()).toBe(0)
  if (sent) {
    await button(page, en.retry).click()
    await page.getByText(en.stateReview).waitFor()
  }
  if (sent || step === 'booking') return
  const period = periodOf({ timeZone }, fields)
  const days =
    (Date.parse(period?.dropoffDatetime ?? '') - Date.parse(period?.pickupDatetime ?? '')) /
    86_400_000
  const seats = Number(fields[`extra-${ids['Child seat']}`] ?? 0)
  const total = Math.round(days) * (dayPrice + seats * seatPrice)
  if (step === 'dates' || step === 'vehicle') {
    expect(await page.locator('.when').innerText()).toContain(`${Math.round(days)} days`)
  }
  if (step === 'vehicle') {
    // Sold-out vehicles are asked for other dates, and the calendar for months.
    const range = () => {
      const asked = last(new RegExp(`${ids['Economy']}/availability$`), 28)
      const { searchParams } = new URL(asked?.url() ?? '')
      return {
        pickupDatetime: searchParams.get('from'),
        dropoffDatetime: searchParams.get('to'),
      }
    }
    await expect.poll(range).toEqual(period)
    for (const price of await page.locator('.card.free .price strong').allInnerTexts()) {
      expect(plain(price)).toBe(money(Math.round(days) * dayPrice))
    }
    const chosen = await page.locator('.choose[aria-current=true]').getAttribute('id')
    expect(chosen).toBe(`choose-${fields['assetGroupId']}`)
  }
  if (step === 'extras') {
    expect(await page.getByLabel('Child seat', { exact: true }).inputValue()).toBe(`${seats}`)
    expect(plain(await page.locator('.bill .total td').innerText())).toBe(money(total))
  }
  if (step === 'details') {
    const quoted = last(/quotes$/)?.postDataJSON()
    expect(quoted).toMatchObject({ assetGroupId: fields['assetGroupId'], ...period })
    expect(quoted.extras).toEqual(seats ? [{ extraId: ids['Child seat'], quantity: seats }] : [])
    await button(page, `Book for ${money(total)}`).waitFor()
  }
}

describe('an action during a request', () => {
  it.each(visits)('shows, stores and sends the newest wish: %s', async (...visit) => {
    const [, step, start, requests, actions] = visit
    const page = await browser.open(`${site.url}/?lang=en`, { reducedMotion: 'reduce' })
    const last = watch(page)
    for (const request of requests) {
      for (const [action, act] of actions) {
        // The page requests its own files before the visitor does anything.
        const isFile = request.endsWith('.js')
        if (!isFile) await resume(page, step)
        const goOn = await hold(page, request)
        const held = page.waitForRequest(request)
        if (isFile) await resume(page, step)
        await start(page)
        await held
        await act(page)
        // The route stays: Playwright loses requests that are sent while it is removed.
        goOn()
        await expectAgreement(page, last).catch((error: Error) => {
          error.message = `${action} during ${request}: ${error.message}`
          throw error
        })
      }
    }
  })
})
