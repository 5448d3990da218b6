import { describe, expect, it } from 'vitest'
import { readSiteConfig } from '../../src/services/readSiteConfig.ts'
import { useTestApp } from '../helpers/app.ts'
import { aGroup, aKey, anExtra, aTenant } from '../helpers/seed.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import {
  askForPrice,
  book,
  button,
  cardOf,
  chooseVehicle,
  fillIn,
  holdBookings,
  sees,
} from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

const widget = "document.querySelector('rental-booking')"

describe('chosen vehicle', () => {
  it('shows no price for a chosen vehicle that is sold out on other dates', async () => {
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
    expect(await button(page, 'Select Economy').getAttribute('aria-current')).toBe('true')
    await button(page, 'Dates').click()
    await database.pool.query('update assets set archived_at = now() where asset_group_id = $1', [
      assetGroupId,
    ])
    await button(page, 'Show vehicles').click()
    await sees(page, 'Sold out on these dates')
    expect(await button(page, 'Select Economy').count()).toBe(0)
    expect(await cardOf(page, 'Economy').innerText()).not.toContain('NOK')
    await sees(page, 'Nothing is free on these dates.')
    await sees(page, '0 of 1 available')
    await button(page, 'Choose other dates').click()
    await page.getByRole('dialog', { name: 'Pickup and drop-off' }).waitFor()
  })
})

describe('order of the vehicles', () => {
  it('is offered once all vehicles of the catalog are loaded', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database)
    for (let at = 1; at <= 13; at++) {
      const rate = { dailyMinor: BigInt(14 - at) * 10_000n }
      await aGroup(database, tenantId, { name: `Class ${String(at).padStart(2, '0')}`, rate })
    }
    const { key } = await aKey(database, tenantId, { origins: [site.url] })
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`${widget}.setAttribute('api-key', '${key}')`)
    await button(page, 'Show vehicles').click()
    await sees(page, '12 vehicles')
    const [order, name] = [page.getByLabel('Sort by'), page.locator('.card h3').first()]
    expect([await order.count(), await name.innerText()]).toEqual([0, 'Class 01'])
    await button(page, 'Show more vehicles').click()
    await sees(page, '13 vehicles')
    expect([await order.inputValue(), await name.innerText()]).toEqual(['up', 'Class 13'])
  })
})

describe('filter', () => {
  it('offers other dates when all vehicles of a category are sold out', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database)
    await aGroup(database, tenantId, { name: 'Car' })
    await aGroup(database, tenantId, { name: 'Van', category: 'van', assets: 0 })
    const { key } = await aKey(database, tenantId, { origins: [site.url] })
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`${widget}.setAttribute('api-key', '${key}')`)
    await button(page, 'Show vehicles').click()
    const otherDates = button(page, 'Choose other dates')
    await page.getByLabel('van').check()
    await otherDates.waitFor()
    await sees(page, '0 of 1 available')
    await page.getByLabel('All').check()
    await sees(page, '2 vehicles')
    expect(await otherDates.isVisible()).toBe(false)
  })
})

describe('offered extras', () => {
  it('offers only extras in the currency of the vehicle', async () => {
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
    const config = await readSiteConfig(database, 'border')
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`var widget = ${widget}
      widget.config = ${JSON.stringify(config)}; widget.setAttribute('api-key', '${key}')`)
    await button(page, 'Show vehicles').click()
    await sees(page, '4 vehicles')
    await button(page, 'Dates').click()
    await chooseVehicle(page, 'Car')
    expect(await page.getByLabel('Toll pass').count()).toBe(0)
    await page.getByLabel('Child seat', { exact: true }).fill('2')
    await button(page, 'Back').click()
    await button(page, 'Select Van').click()
    await page.getByLabel('Toll pass', { exact: true }).fill('1')
    // 3 × 499 and 3 × 50 plus 25 % tax, without the seats.
    await page.getByRole('row', { name: 'Total €2,058.75' }).waitFor()
    await askForPrice(page)
    await button(page, 'Book for €2,058.75').waitFor()
    await button(page, 'Back').click()
    await button(page, 'Back').click()
    await button(page, 'Select Moped').click()
    await button(page, /^Book for/).waitFor()
    await fillIn(page)
    const goOn = await holdBookings(page)
    await book(page)
    // A new price during the request would lead to a second booking.
    expect(await button(page, 'Back').count()).toBe(0)
    await page.evaluate(`${widget}.show('vehicle')`)
    await button(page, 'Sending your booking…').waitFor()
    goOn()
    await sees(page, 'Received.')
  })
})

describe('language of the catalog', () => {
  it('shows names in the language of the page, and marks names of another language', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database)
    const assetGroupId = await aGroup(database, tenantId, { name: 'Small car' })
    await aGroup(database, tenantId, { name: 'Van' })
    await database.pool.query('update asset_groups set translations = $2 where id = $1', [
      assetGroupId,
      { de: { name: 'Kleinwagen' } },
    ])
    const extraId = await anExtra(database, tenantId)
    const { key } = await aKey(database, tenantId, { origins: [site.url] })
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').waitFor()
    const texts = { description: 'Up to 36 kg', category: 'For children' }
    const translations = { fr: { category: 'Pour enfants', name: null } }
    const facts = { facts: ['From 21 years'], translations: { fr: { facts: ['Dès 21 ans'] } } }
    await page.evaluate(`var widget = ${widget}
      var extra = { ...widget.config.extras[0], ...${JSON.stringify({ ...texts, translations })} }
      widget.config = { ...widget.config, ...${JSON.stringify(facts)}, extras: [{ ...extra, id: '${extraId}' }] }
      widget.setAttribute('api-key', '${key}')`)
    const nameOf = async (language: string, find: string) => {
      await page.evaluate(`${widget}.setAttribute('lang', '${language}')`)
      await button(page, find).click()
      const heading = page.locator('.card h3 bdi').first()
      await heading.waitFor()
      const shown = { name: await heading.innerText(), lang: await heading.getAttribute('lang') }
      await page.evaluate(`${widget}.show('dates')`)
      return shown
    }
    expect(await nameOf('de', 'Fahrzeuge anzeigen')).toEqual({ name: 'Kleinwagen', lang: null })
    expect(await nameOf('fr', 'Afficher les véhicules')).toEqual({ name: 'Small car', lang: 'en' })
    await button(page, 'Afficher les véhicules').click()
    await sees(page, 'Dès 21 ans')
    await button(page, 'Choisir Small car').click()
    await page.getByRole('heading', { name: 'Pour enfants' }).waitFor()
    await sees(page, 'Up to 36 kg')
    await page.getByLabel('Child seat', { exact: true }).fill('1')
    await button(page, 'Continuer').click()
    const marked = page.locator('.bill table [lang=en], .bill div > b [lang=en]')
    await marked.first().waitFor()
    expect(await marked.allTextContents()).toEqual(['Small car', '1 × Child seat'])
  })
})
