import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { askForPrice, button, chooseVehicle, sees } from './visitor.ts'

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

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.matches(':focus'))

/** Polls, because the focus moves after the step is drawn. */
const isReached = (target: Locator) => expect.poll(() => isFocused(target)).toBe(true)

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label))
  await page.keyboard.type(text)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name })

describe('keyboard', () => {
  it('books with the keyboard alone and moves the focus with each step', async () => {
    const page = await browser.open(site.url)
    await tabTo(page, button(page, 'Show vehicles'))
    await page.keyboard.press('Enter')
    await heading(page, 'Choose a vehicle').waitFor()
    await isReached(heading(page, 'Choose a vehicle'))

    await tabTo(page, button(page, 'Select Economy'))
    await page.keyboard.press('Enter')
    await heading(page, 'Anything else?').waitFor()
    await tabTo(page, page.getByLabel('Child seat', { exact: true }))
    await page.keyboard.press('ArrowUp')
    await tabTo(page, button(page, 'Continue'))
    await page.keyboard.press('Enter')
    await heading(page, 'Your price').waitFor()
    await isReached(heading(page, 'Your price'))

    await tabTo(page, button(page, /^Book for/))
    await page.keyboard.press('Enter')
    // The focus moves to the first missing field.
    await isReached(page.getByLabel('First name'))
    await page.keyboard.type('Kari')
    await type(page, 'Last name', 'Nordmann')
    await type(page, 'E-mail', 'kari@example.com')
    await page.keyboard.press('Enter')
    await sees(page, 'Received.')
    await isReached(heading(page, 'Your booking'))
  })

  it('keeps the focused field above the button bar on a phone', async () => {
    const page = await browser.open(site.url, { viewport: { width: 390, height: 844 } })
    await chooseVehicle(page)
    await askForPrice(page)
    await page.getByLabel('First name').focus()
    for (const label of ['Last name', 'E-mail', 'Phone', 'Where to pick up', 'Where to drop off']) {
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
    await isReached(skip)
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')
    expect(outline).toBe('3px')
  })
})
