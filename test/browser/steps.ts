import type { Page } from 'playwright-core'
import { en, type Messages } from '../../clients/widget/messages/en.ts'
import type { TestBrowser } from './browser.ts'
import { button, submitPeriod } from './visitor.ts'

/** A size of the window and the text, with a colour scheme. */
export interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  /** The size of the text. */
  readonly percent: 100 | 200
}

export const widths = [320, 390, 768, 1280]

/** All looks in which each step is checked and photographed. */
export const looks: readonly Look[] = widths.flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ([100, 200] as const).map((percent) => ({ width, colorScheme, percent })),
  ),
)

export async function openLook(
  browser: TestBrowser,
  url: string,
  { width, colorScheme, percent }: Look,
): Promise<Page> {
  const viewport = { width, height: width < 700 ? 844 : 800 }
  const page = await browser.open(url, {
    viewport,
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await setTextSize(page, percent)
  return page
}

/** Sets the text size of the browser. A screenshot of the whole page resets it. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  const settings = await page.context().newCDPSession(page)
  const fontSizes = { standard: (16 * percent) / 100 }
  await settings.send('Page.setFontSizes', { fontSizes })
}

/** Books an Economy with the texts of one language, and calls `check` in each step. */
export async function visitSteps(
  page: Page,
  check: (step: string) => Promise<void>,
  words: Messages = en,
): Promise<void> {
  const isShown = (title: string) =>
    page.getByRole('region', { name: title, exact: true }).waitFor()
  const book = button(page, new RegExp(words.book.replace('{price}', '.+')))
  await isShown(words.titleDates)
  await check('dates')
  await page.locator('.when').click()
  await page.getByRole('dialog', { name: words.period }).waitFor()
  await page.locator('calendar-range').waitFor()
  await check('calendar')
  await submitPeriod(page)
  await isShown(words.titleVehicle)
  await check('vehicle')
  await button(page, `${words.select} Economy`).click()
  await isShown(words.titleExtras)
  await page.getByLabel('Child seat', { exact: true }).fill('2')
  await check('extras')
  await button(page, words.onward).click()
  await isShown(words.titleDetails)
  await check('details')
  await book.click()
  await page.getByText(words.missing).first().waitFor()
  await check('errors')
  for (const field of ['firstName', 'lastName', 'email'] as const) {
    await page.getByLabel(words[field], { exact: true }).fill('kari@example.com')
  }
  await book.click()
  await isShown(words.titleBooking)
  await page.getByText(words.pending).waitFor()
  await check('booking')
}
