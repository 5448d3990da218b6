import { beforeEach, describe, expect, it } from 'vitest'
import { en } from '../../clients/widget/messages/en.ts'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { askForPrice, book, button, chooseVehicle, fillIn, sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

beforeEach(() => site.useKey())

describe('corrections of the customer form', () => {
  it('shows an error at each invalid field until the visitor corrects the field', async () => {
    const page = await browser.open(site.url, { complaints: /status of 400/ })
    await chooseVehicle(page)
    // An error of a field that is not shown appears as a general message.
    await page.route('**/quotes', async (route) => {
      const details = [{ path: 'extras', message: 'is wrong' }]
      const error = { code: 'VALIDATION_ERROR', message: 'Wrong.', details }
      await route.fulfill({ response: await route.fetch(), status: 400, json: { error } })
    })
    await button(page, 'Continue').click()
    await sees(page, en.errorChoice)
    await page.unroute('**/quotes')
    await askForPrice(page)
    for (const _ of ['once', 'and again']) await book(page)
    // One error for each required field.
    expect(await page.locator('.error').count()).toBe(3)
    const firstName = page.getByLabel('First name')
    expect(await firstName.getAttribute('aria-invalid')).toBe('true')
    // The maximum lengths of the API; phone allows characters that are removed before sending.
    const longest = await page.locator('[maxlength]').evaluateAll((fields) => {
      const named = fields as unknown as { name: string; maxLength: number; autocomplete: string }[]
      return named.map((field) => `${field.name} ${field.maxLength} ${field.autocomplete}`.trim())
    })
    // The third value is `autocomplete`.
    expect(longest).toEqual([
      ...[
        'firstName 100 given-name',
        'lastName 100 family-name',
        'email 254 email',
        'phone 64 tel',
      ],
      'pickupLocation 200',
      'dropoffLocation 200',
      'notes 2000',
    ])
    await fillIn(page, 'kari@')
    expect(await firstName.getAttribute('aria-invalid')).toBe(null)
    await book(page)
    await sees(page, 'Please enter an e-mail address.')
    const email = page.getByLabel('E-mail')
    expect(await email.getAttribute('aria-describedby')).toBe('email-error')
    expect(await email.evaluate((field) => field.matches(':focus'))).toBe(true)
    const { y = -1 } = (await email.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    // The visitor corrects the field and needs no contact.
    expect(await page.getByRole('alert').count()).toBe(0)
    // A rejected booking must not appear as possibly booked after a reload.
    await page.reload()
    await button(page, /^Book for/).waitFor()
    expect(await firstName.inputValue()).toBe('Kari')
    await email.fill('jörg@blåbær.no')
    // A letter without a visible glyph.
    await firstName.fill('\u3164')
    await book(page)
    await sees(page, 'Please correct this: must have at least one visible character')
    expect(await page.getByRole('alert').count()).toBe(1)
    await firstName.fill('Kari')
    expect(await page.locator('.error').count()).toBe(0)
    await book(page)
    await sees(page, 'Received.')
  })
})
