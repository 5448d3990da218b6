import puppeteer, { type KeyInput } from 'puppeteer-core'
import { expect, it, onTestFinished } from 'vitest'
import { commandLineOn } from '../cli/commandLine.ts'
import { useTestApp } from '../helpers/app.ts'
import { programOnPath } from '../helpers/programOnPath.ts'
import { useSite } from './site.ts'

const server = useTestApp()
const site = useSite(server)

/** Opens a page in the installed Firefox. Playwright uses commands that Firefox ESR does not have. */
async function openFirefox() {
  const executablePath = process.env['FIREFOX_PATH'] ?? programOnPath('firefox-esr', 'firefox')
  if (executablePath === undefined) throw new Error('Install Firefox, or set FIREFOX_PATH.')
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, timeout: 120_000 })
  onTestFinished(() => browser.close())
  return browser.newPage()
}

const root = "document.querySelector('rental-booking').shadowRoot"

/** The text of the focused element, in any shadow tree. */
const focusedText = `(() => {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element?.textContent
})()`

it('books in Firefox, from the dates to the decision', async () => {
  const page = await openFirefox()
  const errors: unknown[] = []
  page.on('pageerror', (error) => errors.push(error))
  // Polls from outside: locators do not detect changes in shadow trees.
  const focus = (selector: string) => {
    const focused = `${root}?.querySelector('${selector}')?.matches(':focus')`
    const script = `${root}?.querySelector('${selector}')?.focus(), ${focused}`
    return expect.poll(() => page.evaluate(script), { message: selector }).toBe(true)
  }
  const press = async (selector: string, key: KeyInput = 'Enter') => {
    await focus(selector)
    await page.keyboard.press(key)
  }
  const type = async (name: string, text: string) => {
    await focus(`[name=${name}]`)
    await page.keyboard.type(text)
  }
  const sees = (text: string) =>
    expect.poll(() => page.evaluate(`${root}.textContent`)).toContain(text)
  const focusedDay = () => page.evaluate(focusedText)

  await page.goto(site.url)
  await page.bringToFront()
  await press('.when')
  await expect.poll(focusedDay).toMatch(/^\d+$/)
  await page.keyboard.press('Enter')
  for (const _ of ['a day later', 'and another']) {
    const before = await focusedDay()
    await page.keyboard.press('ArrowRight')
    await expect.poll(focusedDay).not.toBe(before)
  }
  await page.keyboard.press('Enter')
  await sees('2 days')
  await press('.sheet-foot .primary')
  await press('.search .primary')
  await press('.choose')
  await press('.stepper input', 'ArrowUp')
  await press('.bar .primary')
  await type('firstName', 'Kari')
  await type('lastName', 'Nordmann')
  await type('email', 'kari@example.com')
  await page.keyboard.press('Enter')
  await sees('Received.')
  const hash = String(await page.evaluate('location.hash'))
  const run = await commandLineOn(server.databaseUrl)
  const { error } = await run(['bookings', 'confirm', hash.replace('#booking=', '')])
  expect(error).toBe('')
  await sees('Confirmed. Your vehicle is reserved.')
  expect(errors).toEqual([])
})
