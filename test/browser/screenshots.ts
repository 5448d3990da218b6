import { mkdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { openDemo } from '../../src/demo/openDemo.ts'
import { useTestApp } from '../helpers/app.ts'
import { snippetsOf } from '../helpers/snippets.ts'
import { useBrowser } from './browser.ts'
import { askForPrice, book, button, fillIn, sees } from './visitor.ts'

/**
 * `npm run screenshots` writes a picture of each step to this directory; SCREENSHOTS chooses cases, for
 * example `"width":390`. `npm run pictures` writes the pictures of the documents.
 */
const directory = join(import.meta.dirname, '../../.cache/screenshots')
const only = process.env['SCREENSHOTS'] ?? ''

const server = useTestApp()
const browser = useBrowser()
let siteUrl: string
let apiUrl: string

beforeAll(async () => {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  const { config, database, log } = server.deps
  const dataDir = join(directory, 'data')
  const clock = { now: () => new Date() }
  const settings = { ...config, dataDir, host: '127.0.0.1', demoPort: 0 }
  const demo = await openDemo({ config: settings, database, log, clock })
  apiUrl = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  demo?.start(apiUrl)
  siteUrl = demo?.siteUrl ?? ''
  return () => demo?.close()
})

const largeText = 'document.documentElement.style.fontSize = "200%"'

const widths = [320, 390, 768, 1280]
const cases = widths.flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [100, 200].map((percent) => ({ width, colorScheme, percent })),
  ),
)

it.each(cases.filter((each) => JSON.stringify(each).includes(only)))(
  'photographs the steps at $width px, $colorScheme, $percent % text',
  async ({ width, colorScheme, percent }) => {
    const height = width < 700 ? 844 : 800
    const page = await browser.open('about:blank', {
      viewport: { width, height },
      colorScheme,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    page.setDefaultTimeout(20_000)
    await page.goto(siteUrl)
    if (percent === 200) await page.evaluate(largeText)
    let number = 0
    const take = async (name: string, fullPage = true) => {
      number += 1
      const path = `${width}-${colorScheme}-${percent}-${number}-${name}.png`
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: join(directory, path), fullPage })
    }
    await visit(page, take)
  },
)

async function visit(page: Page, take: (name: string, fullPage?: boolean) => Promise<void>) {
  await button(page, 'Show vehicles').waitFor()
  await take('dates')
  await page.locator('.when').click()
  await page.locator('calendar-range').waitFor()
  await take('calendar', false)
  await button(page, 'Done').click()
  await button(page, 'Show vehicles').click()
  await page.getByRole('heading', { name: 'Choose a vehicle' }).waitFor()
  await take('vehicles')
  await take('vehicles-view', false)
  await button(page, /^Select Economy/).click()
  await page.getByRole('heading', { name: 'Anything else?' }).waitFor()
  await page.getByLabel('Child seat', { exact: true }).fill('2')
  await page.getByLabel('GPS navigation').check()
  await take('extras')
  await askForPrice(page)
  await take('details')
  await take('details-view', false)
  await book(page)
  await take('errors')
  await fillIn(page)
  await book(page)
  await sees(page, 'Received.')
  await take('booking')
}

const documents = join(import.meta.dirname, '../../docs/screenshots')
const desktop = { viewport: { width: 1280, height: 930 } }
const darkPhone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
const small = { viewport: { width: 900, height: 620 }, locale: 'en-GB' }

it('photographs the pictures of the documents', async () => {
  const submit = (page: Page) => page.locator('button[type=submit]:visible').click()
  const economy = (page: Page) => button(page, /Yaris/).first()
  const shoot = (page: Page, name: string) =>
    page.screenshot({ path: join(documents, `${name}.png`) })
  const reference = await browser.open(`${apiUrl}/docs`, desktop)
  await reference.locator('.opblock').last().waitFor()
  await shoot(reference, 'docs')

  const site = await browser.open(siteUrl, desktop)
  await submit(site)
  await economy(site).waitFor()
  await shoot(site, 'site-desktop')

  const phone = await browser.open(`${siteUrl}/?lang=de`, darkPhone)
  await submit(phone)
  await economy(phone).click()
  await phone.locator('.stepper input').first().fill('2')
  await submit(phone)
  await button(phone, /buchen/).waitFor()
  await phone.locator('summary:visible').click()
  await shoot(phone, 'site-phone')

  const themes = await snippetsOf('clients/widget/README.md', 'css')
  for (const [at, theme] of themes.entries()) {
    const themed = await browser.open(siteUrl, small)
    await themed.evaluate(`var sheet = new CSSStyleSheet()
      sheet.replaceSync(${JSON.stringify(theme)}); document.adoptedStyleSheets = [sheet]`)
    await submit(themed)
    await economy(themed).waitFor()
    await themed.waitForLoadState('networkidle')
    await shoot(themed, `theme-${at + 1}`)
  }
})
