import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { openDemo } from '../../src/demo/openDemo.ts'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'

const server = useTestApp()
const browser = useBrowser()
const screenshots = join(import.meta.dirname, '../../docs/screenshots')
let dataDir: string
let demo: Awaited<ReturnType<typeof openDemo>>
let address: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pictures-'))
  const { port } = server.app.server.address() as AddressInfo
  const config = { ...server.deps.config, dataDir, port, demoPort: 0 }
  address = `http://127.0.0.1:${port}`
  demo = await openDemo({ ...server.deps, config })
  demo?.start(address)
})
afterAll(async () => {
  await demo?.close()
  await rm(dataDir, { recursive: true })
})

const desktop = { viewport: { width: 1280, height: 930 } }
const darkPhone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
}
const submit = (page: Page) => page.locator('button[type=submit]:visible').click()
const economy = (page: Page) => page.getByRole('button', { name: /Yaris/ }).first()

it('takes the pictures of the README', async () => {
  const save = (page: Page, name: string) =>
    page.screenshot({ path: join(screenshots, `${name}.png`) })
  const reference = await browser.open(`${address}/docs`, desktop)
  await reference.locator('.opblock').last().waitFor()
  await save(reference, 'docs')

  const site = await browser.open(demo?.siteUrl ?? '', desktop)
  await submit(site)
  await economy(site).waitFor()
  await save(site, 'site-desktop')

  const phone = await browser.open(`${demo?.siteUrl}/?lang=de`, darkPhone)
  await submit(phone)
  await economy(phone).click()
  await phone.locator('.stepper input').first().fill('2')
  await submit(phone)
  await phone.getByRole('button', { name: /buchen/ }).waitFor()
  await phone.locator('summary:visible').click()
  await save(phone, 'site-phone')
})
