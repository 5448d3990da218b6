import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { de } from '../../clients/widget/messages/de.ts'
import { en } from '../../clients/widget/messages/en.ts'
import { nb } from '../../clients/widget/messages/nb.ts'
import { commandLineOn } from '../cli/commandLine.ts'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { expectFit } from './fit.ts'
import { useForeignPage } from './foreignPage.ts'
import { useSite } from './site.ts'
import { openLook, visitSteps } from './steps.ts'
import { violationsOn } from './violations.ts'
import { book, bookingIdOn, button, fillIn, sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

const foreign = useForeignPage(site, browser)
const openForeign = foreign.open

const widget = "document.querySelector('rental-booking')"

/** Reads the computed style of the submit button into variables. */
const lookOfButton = `{
  var onward = document.querySelector('rental-booking').shadowRoot.querySelector('[type=submit]')
  var { backgroundColor, color, cursor, direction } = getComputedStyle(onward)
}`

describe('widget steps', () => {
  it.each([
    ['en', en, { width: 1280, colorScheme: 'light', percent: 100 }],
    ['de', de, { width: 320, colorScheme: 'dark', percent: 200 }],
    ['nb', nb, { width: 768, colorScheme: 'light', percent: 200 }],
    ['constructor', en, { width: 390, colorScheme: 'dark', percent: 100 }],
  ] as const)('fit and have no accessibility violation in the language "%s"', async (...row) => {
    const [language, words, look] = row
    const page = await openLook(browser, `${site.url}/?lang=${language}`, look)
    await visitSteps(page, (step) => expectFit(page, step), words)
  })
})

describe('widget on a page with a strict policy and hostile styles', () => {
  it('emits an event for each step and shows a receipt', async () => {
    const config = { pollSeconds: 0.2, name: 'Fjord; Cars', address: 'Kai 1,\nOslo' }
    const attributes = `config='${JSON.stringify(config)}' contact="+47 22"`
    const page = await openForeign(`id="one" reference="PO 7" ${attributes}`)
    await sees(page, 'Our station: Kai 1, Oslo')
    await page.evaluate(`window.received = []
      addEventListener('booked', ({ detail }) => (window.reference = detail.reference))
      for (const name of ['stepped', 'searched', 'vehiclechosen', 'quoted', 'booked', 'decided', 'failed'])
        addEventListener(name, ({ detail }) =>
          received.push([name, detail.step ?? detail.total ?? detail.status ?? detail.found]))`)
    await button(page, 'Show vehicles').click()
    await button(page, 'Select Economy').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await button(page, 'Select Economy').click()
    await button(page, /^Book for/).waitFor()
    // The tax is added to the subtotal, not included in it.
    await sees(page, /^Tax \(25%\)$/)
    expect(await violationsOn(page)).toEqual([])
    await fillIn(page)
    // Setting an attribute to the same value must not restart the widget.
    await page.evaluate(`for (const { name, value } of ${widget}.attributes)
      if (name !== 'id') ${widget}.setAttribute(name, value)`)
    await book(page)
    await sees(page, 'Received.')
    const { error } = await bookingsOf('confirm', await bookingIdOn(page))
    expect(error).toBe('')
    await sees(page, 'Confirmed.')
    expect(await violationsOn(page)).toEqual([])
    await expectsReceipt(page, await bookingIdOn(page))
    expect(await page.evaluate('reference')).toBe('PO 7')
    await expect
      .poll(() => page.evaluate('received'))
      .toEqual([
        ['searched', 3],
        ['stepped', 'vehicle'],
        ['vehiclechosen', '1497.00'],
        ['quoted', '1871.25'],
        ['stepped', 'details'],
        ['booked', 'pending'],
        ['stepped', 'booking'],
        ['decided', 'confirmed'],
      ])
    expect(page.url()).toBe(`${foreign.url}/`)
  })

  it('shows a booking by the saved link, and keeps the entries after a rejection', async () => {
    const page = await openForeign('id="two" config=\'{ "pollSeconds": 0.2 }\'')
    await button(page, 'Show vehicles').click()
    await button(page, 'Select Economy').click()
    await button(page, /^Book for/).waitFor()
    await fillIn(page)
    await book(page)
    await sees(page, 'Save this link')
    const bookingId = await bookingIdOn(page)
    const link = `${foreign.url}/#booking=${bookingId}`
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Copy link').click()
    await button(page, 'Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
    const { error } = await bookingsOf('reject', bookingId, '--message', 'Try June.')
    expect(error).toBe('')
    await sees(page, 'Declined.')
    await sees(page, 'Try June.')
    await button(page, 'Choose other dates').click()
    await button(page, 'Show vehicles').click()
    await button(page, 'Select Estate').click()
    await button(page, /^Book for/).waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe('kari@example.com')
    const other = await page.context().newPage()
    await other.goto(link)
    await sees(other, 'Declined.')
  })

  it('shows a custom right-to-left language', async () => {
    const page = await openForeign('lang="he" messages=\'{ "find": "הצג רכבים" }\'')
    const find = button(page, 'הצג רכבים')
    await find.waitFor()
    expect(await page.evaluate(`${lookOfButton}; direction`)).toBe('rtl')
    expect(await violationsOn(page)).toEqual([])
  })
})

describe('widget whose properties are set before its module is loaded', () => {
  it('uses the last value of each property', async () => {
    const page = await openForeign()
    await page.evaluate(`var { baseUrl, apiKey } = ${JSON.stringify({ baseUrl: site.apiUrl, apiKey: foreign.key })}
      var early = document.implementation.createHTMLDocument().createElement('rental-booking')
      early.config = { timeZone: 'Asia/Tokyo' }
      early.messages = { find: 'Go and look' }
      early.setAttribute('base-url', baseUrl)
      early.setAttribute('api-key', apiKey)
      document.body.append(early)
      early.config = { timeZone: 'Asia/Kathmandu' }`)
    await button(page, 'Go and look').waitFor()
    expect(await page.evaluate('Object.keys(early).length')).toBe(0)
    expect(await page.evaluate('early.config.timeZone')).toBe('Asia/Kathmandu')
  })
})

describe('widget with an invalid attribute', () => {
  it.each([
    ['config', '{ timeZone: Oslo }', 'config is not JSON'],
    [
      'config',
      '[object Object]',
      'config is not JSON: [object Object] was set before the widget was loaded; use JSON.stringify',
    ],
    [
      'config',
      '{ "timeZone": "Mars/Base" }',
      'config.timeZone must be a time zone such as "Europe/Oslo", not "Mars/Base"',
    ],
    ['config', '{ "timezone": "Europe/Oslo" }', 'config.timezone must be spelled timeZone'],
    ['config', '{ "extras": [{ "price": 50 }] }', 'config.extras[0].price must be a text'],
    ['config', '{ "taxPercent": "25 %" }', 'config.taxPercent must be a percentage such as "25"'],
    ['messages', 'find', 'messages is not JSON'],
    ['base-url', '', 'base-url is missing'],
    ['base-url', 'rental.example', 'not "rental.example"'],
    ['api-key', '', 'api-key is missing'],
    ['terms-url', 'javascript:alert(1)', 'terms-url is not a web address'],
    ['privacy-url', 'data:text/html,hi', 'privacy-url is not a web address'],
    ['terms-url', 'https://[', 'terms-url is not a web address'],
  ])(
    'shows and logs the error, emits the event "failed" and works once it is corrected: %s="%s"',
    async (...wrong) => {
      const [name, value, reason] = wrong
      const page = await openForeign(`lang="de" ${name === 'config' ? "config='{'" : ''}`)
      const logged: string[] = []
      page.on('console', (message) => logged.push(message.text()))
      if (name === 'config') await sees(page, 'Online-Buchung ist hier nicht möglich.')
      await page.evaluate(`window.received = []
      addEventListener('failed', ({ detail }) => received.push(detail.message))
      var widget = document.querySelector('rental-booking')
      var right = widget.getAttribute('${name}')
      widget.setAttribute('${name}', '${value}')`)
      const [before] = de.errorClosed.split('{reference}')
      const shown = page.getByRole('alert').filter({ hasText: before as string })
      await shown.filter({ hasText: reason }).waitFor()
      const received = () => page.evaluate('received')
      await expect.poll(received).toEqual([expect.stringContaining(reason)])
      expect(logged.at(-1)).toMatch(/^<rental-booking>: /)
      expect(logged.at(-1)).toContain(reason)
      expect(await violationsOn(page)).toEqual([])
      const good = name === 'config' ? "'{}'" : "right ?? '{}'"
      await page.evaluate(`widget.setAttribute('${name}', ${good})`)
      await button(page, de.find).waitFor()
    },
  )
})

/** Checks the short reference, the copied reference and the calendar file. */
async function expectsReceipt(page: Page, bookingId: string): Promise<void> {
  expect(await page.getByTitle(bookingId).innerText()).toBe(bookingId.slice(0, 8))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await button(page, 'Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(bookingId)
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Add to calendar' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe(`booking-${bookingId.slice(0, 8)}.ics`)
  const file = await readFile(await download.path(), 'utf8')
  expect(file.replaceAll('\r\n ', '').split('\r\n')).toEqual(
    expect.arrayContaining([
      `UID:${bookingId}`,
      'SUMMARY:Economy\\, Fjord\\; Cars',
      `DESCRIPTION:Reference: ${bookingId}\\nFjord\\; Cars\\n+47 22`,
      'LOCATION:Kai 1\\,\\nOslo',
    ]),
  )
  const station = page.getByRole('definition').filter({ hasText: 'Kai 1,' })
  await station.getByRole('link', { name: '+47 22' }).waitFor()
}

const bookingsOf = async (...argv: string[]) =>
  (await commandLineOn(server.databaseUrl))(['bookings', ...argv])
