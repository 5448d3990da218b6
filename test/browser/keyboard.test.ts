import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { commandLineOn } from '../cli/commandLine.ts'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import {
  askForPrice,
  bookingIdOn,
  button,
  chooseTwoDays,
  chooseVehicle,
  isFocused,
  reaches,
  reachesStep,
  sees,
} from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

/** More than the number of tab stops on the page. */
const stopsMax = 60

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < stopsMax; stops++) {
    await page.keyboard.press('Tab')
    if (await isFocused(target)) return
  }
  throw new Error(`The Tab key never comes to ${target}`)
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label))
  await page.keyboard.type(text)
}

const bookingsOf = async (...argv: string[]) =>
  (await commandLineOn(server.databaseUrl))(['bookings', ...argv])

describe('keyboard', () => {
  it('books with at most 60 presses, from the dates to the decision, and moves the focus with each step', async () => {
    const page = await browser.open(site.url)
    const { keyboard } = page
    const presses = vi.spyOn(keyboard, 'press')
    const texts = vi.spyOn(keyboard, 'type')
    await page.locator('.when').waitFor()
    await tabTo(page, page.getByRole('link', { name: 'Skip to booking' }))
    await keyboard.press('Enter')
    await tabTo(page, page.locator('.when'))
    await keyboard.press('Enter')
    await chooseTwoDays(page)
    await tabTo(page, page.locator('.sheet .primary'))
    await keyboard.press('Enter')
    await reachesStep(page, 'Choose a vehicle')

    await tabTo(page, button(page, 'Select Economy'))
    await keyboard.press('Enter')
    await reachesStep(page, 'Add extras')
    await tabTo(page, page.getByLabel('Child seat', { exact: true }))
    await keyboard.press('ArrowUp')
    await tabTo(page, button(page, 'Continue'))
    await keyboard.press('Enter')
    await reachesStep(page, 'Your price')

    await tabTo(page, page.getByLabel('First name'))
    await keyboard.type('Kari')
    await type(page, 'Last name', 'Nordmann')
    await type(page, 'E-mail', 'kari@example.com')
    await keyboard.press('Enter')
    await sees(page, 'Received.')
    await reachesStep(page, 'Your booking')
    const { error } = await bookingsOf('confirm', await bookingIdOn(page))
    expect(error).toBe('')
    await sees(page, 'Confirmed.')
    const typed = texts.mock.calls.map(([text]) => text).join('')
    expect(presses.mock.calls.length + typed.length).toBeLessThanOrEqual(60)
  })

  it('moves the focus to the first missing field', async () => {
    const page = await browser.open(site.url)
    await chooseVehicle(page)
    await askForPrice(page)
    await button(page, /^Book for/).focus()
    await page.keyboard.press('Enter')
    await reaches(page.getByLabel('First name'))
  })

  it('keeps the focused field above the button bar on a phone', async () => {
    const page = await browser.open(site.url, { viewport: { width: 390, height: 844 } })
    await chooseVehicle(page)
    await askForPrice(page)
    await page.getByLabel('First name').focus()
    for (const label of ['Last name', 'E-mail', 'Phone', 'Notes']) {
      const field = page.getByLabel(label)
      await tabTo(page, field)
      const { y = 0, height = 0 } = (await field.boundingBox()) ?? {}
      const bar = await page.locator('.bar').boundingBox()
      expect(y + height, label).toBeLessThanOrEqual(bar?.y ?? 0)
    }
  })

  it('outlines the focused element', async () => {
    const page = await browser.open(site.url)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to booking' })
    await reaches(skip)
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')
    expect(outline).toBe('3px')
  })
})
