import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { en } from '../../clients/widget/messages/en.ts'
import { projectRoot } from '../../src/config/projectRoot.ts'
import { useTestApp } from '../helpers/app.ts'
import { importFile } from '../helpers/fleet.ts'
import { aKey } from '../helpers/seed.ts'
import { useBrowser } from './browser.ts'
import { expectFit } from './fit.ts'
import { useSite } from './site.ts'
import { button, monthsOn, reachesStep, sees, submitPeriod } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

const widget = "document.querySelector('rental-booking')"
let key: string
let campers: string

/** One camper that is sold out from 10 July 10:00 until 13 July 10:00 in Oslo. */
const fleet = {
  tenant: {
    slug: 'campers',
    name: 'Campers',
    timezone: 'Europe/Oslo',
    currency: 'NOK',
    taxPercent: '25',
  },
  assetGroups: [
    {
      ref: 'camper',
      name: 'Camper',
      category: 'camper',
      assets: [
        {
          ref: 'CA 1',
          blocks: [{ from: '2035-07-10T08:00:00Z', to: '2035-07-13T08:00:00Z', reason: 'rented' }],
        },
      ],
      rates: [{ ref: 'standard', name: 'Standard', dailyRate: '1000.00' }],
    },
  ],
}

beforeAll(async () => {
  const { tenantId, assetGroups } = await importFile(server.deps.database, fleet)
  campers = assetGroups[0]?.id ?? ''
  key = (await aKey(server.deps.database, tenantId, { origins: [site.url] })).key
})

/** Opens the widget of the campers with attributes, on 2 July 2035. */
async function open(attributes: Record<string, string> = {}, options = {}): Promise<Page> {
  const page = await browser.open('about:blank', { locale: 'en-GB', ...options })
  await page.clock.setFixedTime('2035-07-02T10:00:00+02:00')
  await page.goto(site.url)
  await button(page, en.find).waitFor()
  await change(page, {
    'api-key': key,
    config: '{ "timeZone": "Europe/Oslo", "taxPercent": "25" }',
    ...attributes,
  })
  return page
}

const change = (page: Page, attributes: Record<string, string>) =>
  page.evaluate(`for (const [name, value] of Object.entries(${JSON.stringify(attributes)}))
    ${widget}.setAttribute(name, value)`)

const day = (page: Page, name: string) => page.locator(`calendar-month [aria-label="${name}"]`)
const isTaken = (page: Page, name: string) => day(page, name).getAttribute('aria-disabled')

/** Counts the availability requests of a page. */
function countRequests(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.url().includes('/availability') && request.method() === 'GET') count += 1
  })
  return () => count
}

describe('calendar', () => {
  it('shows sold-out days, one request a month, and ends a period before the first of them', async () => {
    const page = await open()
    const requests = countRequests(page)
    await page.locator('.when').click()
    await expect.poll(() => isTaken(page, '11 July')).toBe('true')
    expect([await isTaken(page, '10 July'), await isTaken(page, '13 July')]).toEqual([null, null])
    await day(page, '12 July').dispatchEvent('click')
    await sees(page, /12 July 2035: Sold out/)
    await day(page, '9 July').click()
    await day(page, '15 July').click()
    await sees(page, /11 July 2035 is sold out/)
    const dropoff = page.locator('[name=dropoffDate]')
    expect(await dropoff.inputValue()).toBe('10/07/2035')
    await dropoff.fill('20.7.')
    await dropoff.blur()
    await expect.poll(() => dropoff.inputValue()).toBe('10/07/2035')
    await expect.poll(requests).toBe(2)
    await button(page, en.nextMonth).click()
    await expect.poll(requests).toBe(4)
    await button(page, en.previousMonth).click()
    await day(page, '11 July').waitFor()
    expect(requests()).toBe(4)
  })

  it.each([
    { width: 1280, months: ['July 2035', 'August 2035'], month: 'September 2035' },
    { width: 390, months: ['July 2035'], month: 'October 2035' },
  ])(
    'says what to press next until the vehicles are shown at $width px',
    async ({ width, months, month }) => {
      const page = await open({}, { viewport: { width, height: 844 } })
      await page.locator('.when').click()
      await sees(page, en.choosePickup)
      expect(await monthsOn(page)).toEqual(months)
      // Monday is the 2nd of July.
      await expect.poll(() => day(page, '1 July').isVisible()).toBe(false)
      await page.getByLabel(en.month, { exact: true }).first().selectOption(month)
      await day(page, '6 October').click()
      await sees(page, en.chooseDropoff)
      await day(page, '9 October').click()
      await sees(page, '3 days')
      await submitPeriod(page)
      await button(page, 'Select Camper').waitFor()
      expect(await page.locator('.when').innerText()).toMatch(/Sat 6 Oct.*Tue 9 Oct/s)
    },
  )

  it('opens on a page that has defined the same elements', async () => {
    const page = await open()
    const cally = await readFile(join(projectRoot, 'node_modules/cally/dist/cally.js'), 'utf8')
    await page.addInitScript(cally.slice(0, cally.indexOf('export {')))
    await page.reload()
    await page.locator('.when').click()
    await day(page, '11 July').click()
    await sees(page, en.chooseDropoff)
  })

  it('lets all days be chosen once a rate limit is reached', async () => {
    const page = await open({}, { complaints: /status of 429/ })
    await page.route(/availability.*from=2035-07-31/, async (route) => {
      await expect.poll(() => isTaken(page, '11 July')).toBe('true')
      const error = { code: 'RATE_LIMITED', message: 'Later.' }
      const response = await route.fetch()
      const headers = { ...response.headers(), 'retry-after': '60' }
      await route.fulfill({ response, status: 429, json: { error }, headers })
    })
    const refused = page.waitForResponse((response) => response.status() === 429)
    await page.locator('.when').click()
    await refused
    await expect.poll(() => isTaken(page, '11 July')).toBe(null)
  })
})

describe('dates of the page', () => {
  it('lead straight to the vehicles, and a sold-out one offers when it is free', async () => {
    const page = await open({ pickup: '2035-07-09T10:00', dropoff: '2035-07-12T10:00' })
    const requests = countRequests(page)
    await sees(page, en.soldOut)
    await button(page, 'Free from Fri 13 Jul').click()
    await button(page, 'Select Camper').waitFor()
    expect(await page.locator('.when').innerText()).toMatch(/Fri 13 Jul.*Mon 16 Jul/s)
    expect(requests()).toBeLessThanOrEqual(2 + 3)
  })

  it('are ignored and logged if they are wrong, and followed when they change', async () => {
    const page = await open()
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await change(page, { pickup: '2035-02-30T10:00' })
    await expect.poll(() => logged.join()).toContain('pickup cannot be booked')
    await change(page, { pickup: '2034-07-20T10:00', dropoff: '2035-07-22T10:00' })
    await expect.poll(() => logged.length).toBe(2)
    await button(page, en.find).waitFor()
    await page.evaluate(`${widget}.pickup = '2035-07-20T10:00'`)
    await button(page, 'Select Camper').waitFor()
    expect(await page.locator('.when').innerText()).toMatch(/Fri 20 Jul.*Sun 22 Jul/s)
  })
})

describe('page of one vehicle', () => {
  it.each([
    { width: 1280, height: 900 },
    { width: 320, height: 844 },
  ])('has an open calendar and no step to choose a vehicle at $width px', async (viewport) => {
    const page = await open({ 'asset-group': campers }, { viewport })
    await expect.poll(() => isTaken(page, '11 July')).toBe('true')
    await sees(page, /3,750.00 for 3/)
    await expectFit(page, 'calendar')
    await day(page, '9 July').click()
    await day(page, '10 July').click()
    await sees(page, /1,250.00 for 1/)
    expect(await page.locator('.trail').innerText()).not.toContain(en.stepVehicle)
    await button(page, en.onward).click()
    await reachesStep(page, en.titleDetails)
    await button(page, en.back).click()
    await day(page, '9 July').waitFor()
  })

  it('offers the next free dates if it is sold out', async () => {
    const dates = { pickup: '2035-07-09T10:00', dropoff: '2035-07-12T10:00' }
    const page = await open({ 'asset-group': campers, ...dates })
    await sees(page, en.soldOut)
    await button(page, 'Free from Fri 13 Jul').click()
    await sees(page, /3,750.00 for 3/)
    expect(await page.locator('[name=pickupDate]').inputValue()).toBe('13/07/2035')
  })

  it('says that an unknown vehicle is not offered, above the list', async () => {
    const page = await open({ 'asset-group': '00000000-0000-4000-8000-000000000000' })
    await sees(page, en.errorGone)
    await button(page, 'Select Camper').waitFor()
  })
})
