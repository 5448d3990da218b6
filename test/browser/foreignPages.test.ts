import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { arabic } from './arabic.ts'
import { useBrowser } from './browser.ts'
import { expectFit } from './fit.ts'
import { type Foreign, useForeignPage } from './foreignPage.ts'
import { useSite } from './site.ts'
import { visitSteps } from './steps.ts'
import { button } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()
const foreign = useForeignPage(site, browser)

/** The first rules of the reset that the utility classes of Tailwind are built on. */
const preflight = `*, ::after, ::before, ::backdrop { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid }
  html { line-height: 1.5; -webkit-text-size-adjust: 100%; tab-size: 4; font-family: ui-sans-serif, sans-serif }
  h1, h2 { font-size: inherit; font-weight: inherit } ol, ul { list-style: none }
  button, input, select { font: inherit; letter-spacing: inherit; color: inherit; background: transparent }`

const pages: Readonly<Record<string, Foreign>> = {
  'a WordPress theme with 62.5 % and capitals': {
    root: 'lang="en-US"',
    style: `html { font-size: 62.5% } body { margin: 0; font: 1.6rem/2 Georgia; letter-spacing: 0.2em; word-spacing: 1em }
      .entry { max-width: 80rem; margin: 0 auto; padding: 0 1.6rem; text-transform: uppercase; text-align: center;
      text-indent: 3em; font-style: italic; white-space: pre-line; text-shadow: 0 0 2px red }`,
    body: (widget) => `<main class="entry"><h1>Our cars</h1>${widget}</main>`,
  },
  Bootstrap: {
    style: `*, ::after, ::before { box-sizing: border-box } body { margin: 0; font: 1rem/1.5 system-ui; color: #212529 }
      .container { width: 100%; max-width: 1140px; margin: 0 auto; padding: 0 12px }
      .row { display: flex; flex-wrap: wrap; margin: 0 -12px } .row > * { flex-shrink: 0; width: 100%; max-width: 100%; padding: 0 12px }
      .col { flex: 1 0 0 } label { display: inline-block }`,
    body: (widget) =>
      `<main class="container"><h1>Book</h1><div class="row"><div class="col">${widget}</div></div></main>`,
  },
  "Tailwind's preflight": {
    style: `${preflight} .p-4 { padding: 1rem }`,
    body: (widget) => `<main class="p-4"><h1>Book</h1>${widget}</main>`,
  },
  'an open dialog': {
    script: "addEventListener('load', () => document.querySelector('dialog').showModal())",
    body: (widget) => `<main><h1>Book</h1><dialog aria-label="Book">${widget}</dialog></main>`,
  },
  'a grid that centres its items': {
    style: 'body { margin: 0 } main { display: grid; place-items: center; min-height: 100vh }',
    body: (widget) => `<main><h1>Book</h1>${widget}</main>`,
  },
  'a row': {
    style: 'body { margin: 0 } main { display: flex; flex-wrap: wrap; gap: 1rem }',
    body: (widget) => `<main><h1>Fjord Cars</h1>${widget}</main>`,
  },
  'a centred column': {
    style: 'body { margin: 0 } main { display: flex; flex-direction: column; align-items: center }',
    body: (widget) => `<main><h1>Book</h1>${widget}</main>`,
  },
  'a box as wide as its content': {
    style: 'body { margin: 0 } main { width: fit-content; margin: auto }',
    body: (widget) => `<main><h1>Book</h1>${widget}</main>`,
  },
  'a table': {
    style: 'body, td { margin: 0; padding: 0 }',
    body: (widget) =>
      `<main><h1>Book</h1><table cellspacing="0"><tr><td>${widget}</td></tr></table></main>`,
  },
  'Prototype.js': {
    script: `"use strict"
      Array.prototype.toJSON = function () { return '[' + this.map(String).join(', ') + ']' }
      String.prototype.toJSON = function () { return '"' + this + '"' }
      Number.prototype.toJSON = function () { return this.toString() }
      Array.prototype.entries = function () { return this.slice() }
      Array.from = (list) => { const made = []; for (let at = 0; at < list?.length; at++) made[at] = list[at]; return made }`,
    body: (widget) => `<main><h1>Book</h1>${widget}</main>`,
  },
}

const widths = `(() => {
  const { width } = document.querySelector('rental-booking').getBoundingClientRect()
  return [width, document.documentElement.scrollWidth - innerWidth]
})()`

/** Styles of texts and fields that must be the same on every page. */
const looks = `(() => {
  const root = document.querySelector('rental-booking').shadowRoot
  const when = root.querySelector('.when')
  const { fontSize, letterSpacing, wordSpacing, textTransform, textIndent, fontStyle, textShadow } = getComputedStyle(when)
  return [fontSize, letterSpacing, wordSpacing, textTransform, textIndent, fontStyle, textShadow, when.offsetHeight >= 64]
})()`

const styleOf = (element: Locator, property: string) =>
  element.evaluate((target, name) => {
    type Styles = { getComputedStyle(of: unknown): Record<string, string> }
    return (globalThis as unknown as Styles).getComputedStyle(target)[name]
  }, property)

async function expectUsual(page: Page): Promise<void> {
  await page.locator('.when').waitFor()
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const [own = 0, overflow] = (await page.evaluate(widths)) as number[]
    expect([width, own > Math.min(width * 0.75, 600), overflow]).toEqual([width, true, 0])
  }
  const usual = ['16px', 'normal', '0px', 'none', '0px', 'normal', 'none', true]
  expect(await page.evaluate(looks)).toEqual(usual)
}

describe('widget on a page of another company', () => {
  it.each(Object.keys(pages))('fits and books on %s', async (name) => {
    const page = await foreign.openPage(pages[name] as Foreign, { reducedMotion: 'reduce' })
    await expectUsual(page)
    await visitSteps(page, (step) => expectFit(page, step))
    expect((await page.locator('rental-booking').boundingBox())?.width).toBeGreaterThan(200)
  })
})

describe('widget in Arabic', () => {
  it.each([390, 1280])('is laid out from right to left at %i px', async (width) => {
    const viewport = { width, height: 844 }
    const page = await foreign.openPage(
      { root: 'lang="ar-EG" dir="rtl"', body: (widget) => `<main><h1>Book</h1>${widget}</main>` },
      { viewport, reducedMotion: 'reduce' },
    )
    await page.locator('rental-booking').evaluate((widget, messages) => {
      Object.assign(widget, { messages })
      widget.setAttribute('contact', '+47 22 01 02 03')
    }, arabic)
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      return { x: 0, y: 0, width: 0, height: 0, ...box }
    }
    await visitSteps(
      page,
      async (step) => {
        await expectFit(page, step)
        if (step === 'dates') {
          const [pickup, dropoff] = [
            await boxOf('.when > :nth-child(1)'),
            await boxOf('.when > :nth-child(3)'),
          ]
          expect(pickup.x).toBeGreaterThan(dropoff.x)
          expect(await styleOf(page.locator('.arrow'), 'rotate')).toBe('180deg')
          const phone = page.locator('.foot a').first()
          expect(await styleOf(phone, 'direction')).toBe('ltr')
        }
        if (step === 'vehicle') {
          const [title, found, name] = [
            await boxOf('h2'),
            await boxOf('.found'),
            await boxOf('.card h3 bdi'),
          ]
          const isBelow = found.y >= title.y + title.height
          expect(isBelow || found.x + found.width < title.x + title.width).toBe(true)
          const line = await boxOf('.card h3')
          expect(name.x + name.width).toBeGreaterThan(line.x + line.width * 0.8)
        }
      },
      arabic,
    )
  })
})

const plain = (root: string): Foreign => ({
  root,
  body: (widget) => `<main><h1>Book</h1>${widget}</main>`,
})

describe('language of the page', () => {
  it.each([
    ['lang="pt-PT-ao90"', 'en-GB', 'Show vehicles'],
    ['lang="de_AT"', 'de-AT', 'Fahrzeuge anzeigen'],
    ['lang=" en-US "', 'en-US', 'Show vehicles'],
    ['lang="x"', 'sv-SE', 'Visa fordon'],
    ['lang="{{ lang }}"', 'sv-SE', 'Visa fordon'],
    ['lang=""', 'sv-SE', 'Visa fordon'],
    ['', 'sv-SE', 'Visa fordon'],
  ])('is the longest valid part of a tag, else that of the visitor: %s', async (...row) => {
    const [root, lang, find] = row
    const page = await foreign.openPage(plain(root), { locale: 'sv-SE' })
    await button(page, find).waitFor()
    expect(await page.locator('.widget').getAttribute('lang')).toBe(lang)
  })

  it('gives the calendar Gregorian months and the font of the page', async () => {
    const style = 'rental-booking { --rental-font: italic medium / 1.5 Georgia, serif }'
    const page = await foreign.openPage({ ...plain('lang="fa" dir="rtl"'), style })
    await page.locator('rental-booking').evaluate((widget, messages) => {
      Object.assign(widget, { messages })
    }, arabic)
    await page.locator('.when').click()
    const month = page.locator('calendar-month').first()
    const day = month.getByRole('button').first()
    await day.waitFor()
    expect(await styleOf(day, 'fontFamily')).toBe('Georgia, serif')
    const format = new Intl.DateTimeFormat('fa-u-ca-gregory', { month: 'long', timeZone: 'UTC' })
    // The pickup is tomorrow.
    const [today, later] = [0, 2].map((days) => format.format(Date.now() + days * 86_400_000))
    const shown = page.locator('.month-names option:checked').first()
    expect(await shown.innerText()).toMatch(new RegExp(`${today}|${later}`))
  })

  it('is followed when it changes, and sent before the languages of the browser', async () => {
    const page = await foreign.openPage(plain('lang="en"'), { locale: 'nb-NO' })
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate("document.documentElement.lang = 'pl'; document.title = 'Gdzie indziej'")
    await page.evaluate("document.documentElement.lang = 'de'")
    const listed = page.waitForRequest('**/asset-groups')
    await button(page, 'Fahrzeuge anzeigen').click()
    expect(await (await listed).headerValue('Accept-Language')).toBe('de,nb-NO;q=0.9')
  })
})
