import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.matches(':focus'))

/** Waits for the focus, which moves after a step is drawn. */
export const reaches = (target: Locator) => expect.poll(() => isFocused(target)).toBe(true)

/** Waits for a step and its focus. Keys pressed before would act on the step before it. */
export async function reachesStep(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { name })
  await heading.waitFor()
  await reaches(heading)
}

/** Chooses a vehicle and goes to the extras. */
export async function chooseVehicle(page: Page, name = 'Economy'): Promise<void> {
  await button(page, 'Show vehicles').click()
  await button(page, `Select ${name}`).click()
  await reachesStep(page, 'Add extras')
}

/** Leaves the sheet of the period with its button, which shows the vehicles. */
export const submitPeriod = (page: Page) => page.locator('.sheet .primary').click()

/** Opens the sheet of the period, runs the changes in it and closes it. */
export async function changePeriod(page: Page, change: () => Promise<unknown>): Promise<void> {
  await page.locator('.when').click()
  await change()
  await page.keyboard.press('Escape')
}

/** Chooses a pickup and a drop-off two days later in the open calendar, with the keyboard. */
export async function chooseTwoDays(page: Page): Promise<void> {
  const day = page.locator('calendar-month button:focus')
  await day.waitFor()
  await page.keyboard.press('Enter')
  for (const _ of ['a day later', 'and another']) {
    const before = await day.innerText()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => day.innerText()).not.toBe(before)
  }
  await page.keyboard.press('Enter')
}

/** Returns the names of the months that the open calendar shows. */
export const monthsOn = (page: Page) =>
  page
    .locator(':is(.month-names select, .months b):visible')
    .evaluateAll((all) =>
      (all as { selectedOptions?: [{ text: string }]; textContent: string }[]).map(
        (name) => name.selectedOptions?.[0].text ?? name.textContent,
      ),
    )

/** Types a date into the open dialog of the period, and leaves the field. */
export async function typeDate(page: Page, moment: string, text: string): Promise<void> {
  const field = page.locator(`[name=${moment}Date]`)
  await field.fill(text)
  await field.blur()
}

/** Returns the card of a vehicle. */
export const cardOf = (page: Page, name: string) => page.locator('.card', { hasText: name })

export async function askForPrice(page: Page): Promise<void> {
  await button(page, 'Continue').click()
  await button(page, /^Book for/).waitFor()
  await reachesStep(page, 'Your price')
}

export async function fillIn(page: Page, email = 'kari@example.com'): Promise<void> {
  await page.getByLabel('First name').fill('Kari')
  await page.getByLabel('Last name').fill('Nordmann')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Notes').fill('Flight SK 263')
}

export async function book(page: Page): Promise<void> {
  await button(page, /^Book for/).click()
}

/** Holds the page's requests for a URL. Returns a function that releases them. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(url, async (route) => {
    await held
    // The page may have ended the request.
    await route.continue().catch(() => {})
  })
  return goOn
}

export const holdBookings = (page: Page) => hold(page, '**/api/v1/bookings')

/** Adds styles of the page, such as a theme of the guide. */
export async function applyTheme(page: Page, css: string): Promise<void> {
  await page.evaluate(`var sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(css)}); document.adoptedStyleSheets = [sheet]`)
}

export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor()
}

export async function bookingIdOn(page: Page): Promise<string> {
  const id = await page.getByTitle(/^[\da-f-]{36}$/).getAttribute('title')
  return id ?? ''
}
