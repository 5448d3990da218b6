import { mkdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { openDemo } from '../../src/demo/openDemo.ts'
import { useTestApp } from '../helpers/app.ts'
import { snippetsOf } from '../helpers/snippets.ts'
import { useBrowser } from './browser.ts'
import { looks, openLook, setTextSize, visitSteps } from './steps.ts'
import { applyTheme, button } from './visitor.ts'

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
  const settings = { ...config, dataDir, host: '127.0.0.1', demoPort: 0 }
  const demo = await openDemo({ config: settings, database, log, now: () => new Date() })
  apiUrl = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  demo?.start(apiUrl)
  siteUrl = demo?.siteUrl ?? ''
  return () => demo?.close()
})

it.each(looks.filter((look) => JSON.stringify(look).includes(only)))(
  'photographs the steps at $width px, $colorScheme, $percent % text',
  async (look) => {
    const page = await openLook(browser, siteUrl, look)
    let number = 0
    const take = async (name: string, fullPage: boolean) => {
      number += 1
      const path = `${look.width}-${look.colorScheme}-${look.percent}-${number}-${name}.png`
      await page.screenshot({ path: join(directory, path), fullPage })
      await setTextSize(page, look.percent)
    }
    await visitSteps(page, async (step) => {
      if (step === 'extras') await page.getByLabel('GPS navigation').check()
      await page.waitForLoadState('networkidle')
      await take(step, step !== 'calendar')
      if (step === 'vehicle' || step === 'details') await take(`${step}-view`, false)
    })
  },
)

const documents = join(import.meta.dirname, '../../docs/screenshots')
// Without motion, so that no transition is photographed.
const still = { reducedMotion: 'reduce' } as const
const desktop = { ...still, viewport: { width: 1280, height: 930 } }
const darkPhone = { ...still, viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
const small = { ...still, viewport: { width: 900, height: 620 }, locale: 'en-GB' }

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
  await phone.locator('.bill summary').click()
  await shoot(phone, 'site-phone')

  const themes = await snippetsOf('clients/widget/README.md', 'css')
  for (const [at, theme] of themes.entries()) {
    const themed = await browser.open(siteUrl, small)
    await applyTheme(themed, theme)
    await submit(themed)
    await economy(themed).waitFor()
    await themed.waitForLoadState('networkidle')
    await shoot(themed, `theme-${at + 1}`)
  }
})
