import { describe, expect, it } from 'vitest'
import { siteConfig } from '../../src/services/siteConfig.ts'
import { useTestApp } from '../helpers/app.ts'
import { aGroup, aKey, anExtra, aTenant } from '../helpers/seed.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { askForPrice, book, button, chooseVehicle, fillIn, holdBookings, sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

const hourMs = 3_600_000
const widget = "document.querySelector('rental-booking')"

describe('a price that was left', () => {
  it('is not said to expire', async () => {
    const page = await browser.open('about:blank')
    await page.clock.install()
    await page.goto(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await button(page, 'Back').click()
    await page.getByLabel('Child seat').waitFor()
    await page.clock.fastForward('30:01')
    expect(await page.locator('.unseen').textContent()).toBe('')
  })
})

describe('a date', () => {
  it('begins where it is today at the station', async () => {
    const page = await browser.open('about:blank')
    await page.clock.install({ time: '2038-01-31T12:00:00Z' })
    await page.goto(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`${widget}.config = { timeZone: 'Pacific/Kiritimati' }`)
    const pickup = page.getByLabel('Date').first()
    await expect.poll(() => pickup.getAttribute('min')).toBe('2038-02-01')
    const times = await page.getByLabel('Time').first().locator('option').allTextContents()
    expect([times.length, times[0], times.at(-1)]).toEqual([30, '07:00', '21:30'])
  })

  it('that is half typed is suggested anew after a reload', async () => {
    const page = await browser.open(site.url)
    const pickup = page.getByLabel('Date').first()
    const usual = await pickup.inputValue()
    // Tomorrow: today's ten o'clock may be over.
    const today = (await pickup.getAttribute('min')) ?? ''
    expect(Date.parse(usual) - Date.parse(today)).toBe(24 * hourMs)
    await pickup.fill('')
    await page.reload()
    await button(page, 'Show vehicles').waitFor()
    expect(await pickup.inputValue()).toBe(usual)
  })

  it('can be typed digit by digit, one too many included', async () => {
    const page = await browser.open(site.url)
    const dates = page.getByLabel('Date')
    await dates.nth(1).focus()
    await page.keyboard.type('04042038')
    await dates.first().focus()
    await page.keyboard.type('030320389')
    await dates.first().fill('2038-03-03')
    await sees(page, /3 Mar 2038, 10:00 –.*4 Apr 2038, 10:00/)
    // A drop-off that is not after the pickup comes along.
    await dates.first().fill('2038-04-04')
    await sees(page, /4 Apr 2038, 10:00 –.*7 Apr 2038, 10:00/)
    await dates.first().fill('0203-03-03')
    await button(page, 'Show vehicles').click()
    await sees(page, 'This time has passed. Choose a later time.')
  })

  it('of today can be had where the clock of the page is three hours ahead', async () => {
    const hour = new Date().getUTCHours()
    // Where it is between ten and eleven in the morning.
    const east = hour > 21 ? 34 - hour : 10 - hour
    const timeZone = `Etc/GMT${east < 0 ? '+' : '-'}${Math.abs(east)}`
    const page = await browser.open('about:blank')
    await page.clock.install({ time: Date.now() + 3 * hourMs })
    await page.goto(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`${widget}.config = { timeZone: '${timeZone}' }`)
    const pickup = page.getByLabel('Date').first()
    await sees(page, new RegExp(timeZone.replace('+', '\\+')))
    await pickup.fill(new Date(Date.now() + east * hourMs).toISOString().slice(0, 10))
    await page.getByLabel('Time').first().selectOption('07:00')
    await button(page, 'Show vehicles').click()
    await sees(page, 'This time has passed. Choose a later time.')
    await page.getByLabel('Time').first().selectOption('11:30')
    await button(page, 'Show vehicles').click()
    await page.getByRole('radio', { name: 'Economy' }).waitFor()
  })
})

describe('a vehicle that was chosen', () => {
  it('and is sold out on other dates has no price there', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database)
    const assetGroupId = await aGroup(database, tenantId)
    const { key } = await aKey(database, tenantId, { origins: [site.url] })
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`${widget}.setAttribute('api-key', '${key}')`)
    await chooseVehicle(page)
    await button(page, 'Back').click()
    await sees(page, /Only 1 left/)
    expect(await page.locator('.summary').innerText()).toContain('Economy')
    await button(page, 'Back').click()
    await database.pool.query('update assets set archived_at = now() where asset_group_id = $1', [
      assetGroupId,
    ])
    await button(page, 'Show vehicles').click()
    await sees(page, 'Sold out on these dates')
    expect(await page.locator('.summary').innerText()).toBe('')
  })
})

describe('extras', () => {
  it('of which fewer may be had than were chosen are as many as may', async () => {
    const page = await browser.open(site.url)
    await chooseVehicle(page)
    const seats = page.getByLabel('Child seat')
    await seats.selectOption('3')
    const limit = (quantityMax: number, pricesIncludeTax?: boolean) =>
      page.evaluate(`var widget = ${widget}; var [seat, ...others] = widget.config.extras
        widget.config = { ...widget.config, pricesIncludeTax: ${pricesIncludeTax},
          extras: [{ ...seat, quantityMax: ${quantityMax} }, ...others] }`)
    await limit(2)
    await expect.poll(() => seats.inputValue()).toBe('2')
    await sees(page, 'NOK 62.50 a day, at most NOK 375.00, with 25% tax')
    await limit(1, true)
    await expect.poll(() => seats.isChecked()).toBe(true)
    await sees(page, 'NOK 50.00 a day, at most NOK 300.00, tax included')
    // Three days of 499 and 50, and a quarter on top.
    await askForPrice(page)
    await button(page, 'Book for NOK 2,058.75').waitFor()
    await button(page, 'Back').click()
    await seats.uncheck()
    await askForPrice(page)
    await button(page, 'Book for NOK 1,871.25').waitFor()
  })

  it('in another currency than the vehicle are not offered, and never in the way', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database, { slug: 'border' })
    const assets = { assets: 5 }
    await aGroup(database, tenantId, { ...assets, name: 'Car' })
    await aGroup(database, tenantId, { ...assets, name: 'Van', currency: 'EUR' })
    await aGroup(database, tenantId, { ...assets, name: 'Moped', currency: 'SEK' })
    await aGroup(database, tenantId, { assets: 4, name: 'Scooter', currency: 'SEK' })
    await anExtra(database, tenantId)
    await anExtra(database, tenantId, { name: 'Toll pass', currency: 'EUR' })
    const { key } = await aKey(database, tenantId, { origins: [site.url] })
    const config = await siteConfig(database, 'border')
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`var widget = ${widget}
      widget.config = ${JSON.stringify(config)}; widget.setAttribute('api-key', '${key}')`)
    await button(page, 'Show vehicles').click()
    await sees(page, '4 available')
    await button(page, 'Back').click()
    await chooseVehicle(page, 'Car')
    expect(await page.getByLabel('Toll pass').count()).toBe(0)
    await page.getByLabel('Child seat').selectOption('2')
    await button(page, 'Back').click()
    await page.getByRole('radio', { name: 'Van' }).check()
    await button(page, 'Continue').click()
    await page.getByLabel('Toll pass').selectOption('1')
    // 3 × 499, 3 × 50 and a quarter on top: nothing of the seats.
    await sees(page, '€2,058.75 for 3 days')
    await askForPrice(page)
    await button(page, 'Book for €2,058.75').waitFor()
    await button(page, 'Back').click()
    await button(page, 'Back').click()
    await page.getByRole('radio', { name: 'Moped' }).check()
    await askForPrice(page)
    await fillIn(page)
    const goOn = await holdBookings(page)
    await book(page)
    await button(page, 'Back').click()
    // Without extras in between, too, another price would be a second booking.
    await page.getByRole('radio', { name: 'Scooter' }).check()
    await button(page, 'Continue').click()
    await button(page, 'Sending your booking…').waitFor()
    goOn()
    await sees(page, 'Received.')
  })
})
