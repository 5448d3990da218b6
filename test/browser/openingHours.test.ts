import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { de } from '../../clients/widget/messages/de.ts'
import type { StationHours } from '../../src/domain/openingHours.ts'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { expectFit } from './fit.ts'
import { useSite } from './site.ts'
import { setTextSize } from './steps.ts'
import {
  askForPrice,
  button,
  chooseVehicle,
  reaches,
  sees,
  submitPeriod,
  typeDate,
} from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

const weekdays = ['tuesday', 'wednesday', 'thursday', 'friday'] as const
const hours: StationHours = {
  openingHours: [
    { days: weekdays, opens: '07:00', closes: '12:00' },
    { days: weekdays, opens: '13:00', closes: '22:00' },
    { days: ['saturday'], opens: '08:00', closes: '24:00' },
  ],
  specialDays: [
    {
      from: '2035-12-24',
      to: '2035-12-24',
      opens: '08:00',
      closes: '12:00',
      name: 'Christmas Eve',
    },
    { from: '2035-12-25', to: '2035-12-26', opens: null, closes: null, name: 'Christmas' },
  ],
}

const setHours = ({ openingHours, specialDays }: StationHours) =>
  server.deps.database.pool.query('update tenants set opening_hours = $1, special_days = $2', [
    JSON.stringify(openingHours),
    JSON.stringify(specialDays),
  ])

beforeAll(() => setHours(hours))

/** Opens the site at a time of the visitor's clock. */
async function openAt(time: string, path = '', options = {}): Promise<Page> {
  const page = await browser.open('about:blank', { locale: 'en-GB', ...options })
  await page.clock.setFixedTime(time)
  await page.goto(site.url + path)
  return page
}

const when = (page: Page) => page.locator('.when')
const day = (page: Page, name: string) => page.locator(`calendar-month [aria-label="${name}"]`)
const timesOf = async (page: Page, moment: string) =>
  (await page.locator(`[name=${moment}Time] option`).allInnerTexts()).join(' ')

describe('visit within opening hours', () => {
  it('books over closed days on a Saturday, and cannot begin or end on them', async () => {
    const page = await openAt('2035-12-15T14:40:00+01:00')
    await when(page).getByText('15:00').first().waitFor()
    expect(await when(page).innerText()).toMatch(/Sat 15 Dec.*15:00.*Tue 18 Dec.*15:00/s)
    const lines = await page.locator('#hours dd div').allInnerTexts()
    expect(lines).toEqual([
      'Monday: closed',
      'Tuesday – Friday: 07:00–12:00, 13:00–22:00',
      'Saturday: 08:00–24:00',
      'Sunday: closed',
      expect.stringContaining('(Christmas Eve): 08:00–12:00'),
      expect.stringContaining('(Christmas): closed'),
    ])
    await when(page).click()
    await page.locator('calendar-month button:focus').waitFor()
    await page.keyboard.press('ArrowRight')
    await sees(page, /16 December 2035: Closed/)
    // The focus follows the announcement.
    await reaches(day(page, '16 December'))
    await page.keyboard.press('Enter')
    expect(await page.locator('[name=pickupDate]').inputValue()).toBe('15/12/2035')
    await day(page, '15 December').click()
    await day(page, '17 December').dispatchEvent('click')
    await sees(page, /17 December 2035: Closed/)
    await day(page, '18 December').click()
    await sees(page, 'Open 07:00–12:00, 13:00–22:00')
    expect(await timesOf(page, 'dropoff')).toMatch(/^07:00 07:30 .* 12:00 13:00 .* 22:00$/)
    await page.keyboard.press('Escape')
    await chooseVehicle(page)
    await askForPrice(page)
    await button(page, /^Book for/).waitFor()
  })

  it('adds no hour if the last day opens later, and keeps the wanted time for other days', async () => {
    const page = await openAt('2035-12-17T22:30:00+01:00')
    await when(page).click()
    const shown = async (drop: string) => {
      await day(page, '19 December').click()
      await day(page, drop).click()
      const times = page.locator('[name=pickupTime], [name=dropoffTime]')
      const values = await times.evaluateAll((all) => all.map((each) => Reflect.get(each, 'value')))
      return [await page.locator('#sheet-status').innerText(), ...values]
    }
    expect(await shown('22 December')).toEqual(['3 days', '08:00', '08:00'])
    expect(await shown('21 December')).toEqual(['2 days', '07:00', '07:00'])
  })

  it('offers the last hour of today on a phone', async () => {
    const phone = { viewport: { width: 320, height: 844 } }
    const page = await openAt('2035-12-14T21:05:00+01:00', '', phone)
    await setTextSize(page, 200)
    await when(page).getByText('21:30').first().waitFor()
    await when(page).click()
    await page.locator('calendar-range').waitFor()
    expect(await timesOf(page, 'pickup')).toBe('21:30 22:00')
    await expectFit(page, 'calendar')
    await page.keyboard.press('Escape')
    await chooseVehicle(page)
  })

  it('says in German why a typed date at Christmas cannot be chosen, and what a changed hour means', async () => {
    const page = await openAt('2035-12-24T11:40:00+01:00', '/?lang=de', {
      locale: 'de-DE',
      complaints: /status of 400/,
    })
    await when(page).getByText('12:00').first().waitFor()
    await when(page).click()
    await sees(page, 'Geöffnet 08:00–12:00 (Christmas Eve)')
    await typeDate(page, 'dropoff', '26.12.2035')
    await sees(page, 'Geschlossen (Christmas)')
    await submitPeriod(page)
    const next = 'Wieder geöffnet: Donnerstag, 27. Dezember 2035.'
    await sees(page, `Am Mittwoch, 26. Dezember 2035 haben wir geschlossen. ${next}`)
    await typeDate(page, 'dropoff', '27.12.35')
    await submitPeriod(page)
    await when(page).getByText('3 Tage').waitFor()
    await button(page, `${de.select} Economy`).click()
    const closed = { from: '2035-12-27', to: '2035-12-27', opens: null, closes: null, name: null }
    await setHours({ ...hours, specialDays: [...hours.specialDays, closed] })
    await button(page, de.onward).click()
    await sees(page, de.closedTime)
    await page.reload()
    await sees(page, 'Am Donnerstag, 27. Dezember 2035 haben wir geschlossen.')
    await page.goto(`${site.url}/?lang=de&pickup=2035-12-25T10:00&dropoff=2035-12-28T10:00`)
    await sees(page, 'Am Dienstag, 25. Dezember 2035 haben wir geschlossen.')
    await setHours(hours)
  })
})
