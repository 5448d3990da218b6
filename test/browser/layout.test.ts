import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { de } from '../../clients/widget/messages/de.ts'
import { fr } from '../../clients/widget/messages/fr.ts'
import { it as italian } from '../../clients/widget/messages/it.ts'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { visitSteps, widths } from './steps.ts'
import {
  button,
  changePeriod,
  chooseTwoDays,
  monthsOn,
  sees,
  submitPeriod,
  typeDate,
} from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

beforeEach(() => site.useKey())

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

describe('errors of the period', () => {
  it('shows no reversed period and clears the error once a date is corrected', async () => {
    const page = await browser.open(site.url)
    const year = new Date().getFullYear() + 1
    const when = page.locator('.when')
    const before = await when.innerText()
    await when.click()
    await typeDate(page, 'pickup', `${year}-03-01`)
    await typeDate(page, 'dropoff', `${year}-02-27`)
    await submitPeriod(page)
    await sees(page, 'This is before the pickup. Choose a later time.')
    await expect.poll(() => page.locator('[name=dropoffDate]:focus').count()).toBe(1)
    expect(await when.innerText()).toBe(before)
    await typeDate(page, 'pickup', `${year}-02-20`)
    expect(await page.locator('.error').count()).toBe(0)
    await submitPeriod(page)
    await when.getByText('7 days').waitFor()
  })

  it('keeps a complete period and drops an incomplete one when the dialog is closed without Done', async () => {
    const page = await browser.open(site.url, { locale: 'en-GB' })
    const when = page.locator('.when')
    const before = await when.innerText()
    const pickup = page.locator('[name=pickupTime]')
    await when.click()
    await pickup.selectOption('15:00')
    await page.keyboard.press('Escape')
    await when.getByText('15:00').waitFor()
    await when.click()
    await pickup.selectOption('10:00')
    // Beside the dialog.
    await page.mouse.click(5, 5)
    await when.getByText('3 days').waitFor()
    expect(await when.innerText()).toBe(before)
    await when.click()
    await page.locator('[name=dropoffDate]').fill('')
    await page.keyboard.press('Escape')
    await page.locator('.sheet').waitFor({ state: 'detached' })
    expect(await when.innerText()).toBe(before)
  })

  it('asks for the drop-off after a pickup behind it, and names a drop-off at the same time', async () => {
    const page = await browser.open(site.url)
    await page.locator('.when').click()
    const day = page.locator('calendar-month button:focus')
    const before = await day.innerText()
    // A week later: behind the proposed drop-off.
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => day.innerText()).not.toBe(before)
    await page.keyboard.press('Enter')
    await sees(page, 'Choose the drop-off day.')
    const dropoff = page.locator('[name=dropoffDate]')
    expect(await dropoff.inputValue()).toBe('')
    await submitPeriod(page)
    await sees(page, 'Please fill this in.')
    await typeDate(page, 'dropoff', await page.locator('[name=pickupDate]').inputValue())
    await submitPeriod(page)
    await sees(page, 'This is the same time as the pickup.')
  })

  it('rejects a pickup in the past by the clock of the server', async () => {
    const page = await browser.open('about:blank')
    // The visitor's clock is a month behind.
    await page.clock.install({ time: Date.now() - 30 * 86_400_000 })
    await page.goto(site.url)
    await button(page, 'Show vehicles').click()
    await sees(page, 'This time has passed. Choose a later time.')
  })
})

describe('calendar', () => {
  it('chooses a period with the keyboard and shows the vehicles of a new period at once', async () => {
    const page = await browser.open(site.url, { locale: 'de-DE' })
    await page.locator('.when').focus()
    await page.keyboard.press('Enter')
    await chooseTwoDays(page)
    await submitPeriod(page)
    await page.locator('.when').getByText('2 Tage').waitFor()
    await button(page, 'Auswählen Estate').waitFor()
    const searched = page.waitForResponse('**/availability**')
    await page.locator('.when').click()
    await page.locator('[name=dropoffTime]').selectOption('18:00')
    await submitPeriod(page)
    await searched
    await page.locator('.when').getByText('2 Tage und 8 Stunden').waitFor()
    await button(page, 'Auswählen Estate').waitFor()
    // A price of a day would not be what a day costs.
    await page.locator('.price').getByText('für 2 Tage und 8 Stunden').first().waitFor()
    expect(await page.locator('rental-booking').getByText('pro Tag').count()).toBe(0)
  })

  it.each([
    { width: 390, today: '2035-11-08', pages: [['November 2035'], ['December 2035']] },
    {
      width: 390,
      today: '2035-11-29',
      pages: [['November 2035', 'December 2035'], ['January 2036'], ['December 2035']],
    },
    {
      width: 1280,
      today: '2035-11-29',
      pages: [
        ['November 2035', 'December 2035'],
        ['January 2036', 'February 2036'],
        ['November 2035', 'December 2035'],
      ],
    },
  ])(
    'shows the next month on the last days of a month: $today at $width px',
    async ({ width, today, pages: [first, second, third] }) => {
      const page = await browser.open('about:blank', { viewport: { width, height: 844 } })
      await page.clock.setFixedTime(`${today}T12:00:00+01:00`)
      await page.goto(site.url)
      await page.locator('.when').click()
      const seen = async (names: readonly string[] = []) => {
        await expect.poll(() => monthsOn(page)).toEqual(names)
        const days = page.locator('calendar-month:visible button[part~=day-1]:visible')
        await expect.poll(() => days.count()).toBeGreaterThan(0)
        expect(await page.locator('calendar-month:visible').count()).toBe(names.length)
      }
      await seen(first)
      await button(page, 'Next month').click()
      await seen(second)
      if (third === undefined) return
      await button(page, 'Previous month').click()
      await seen(third)
    },
  )

  it('offers no day before the lead time', async () => {
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').waitFor()
    await page.evaluate(`var widget = document.querySelector('rental-booking')
      widget.config = { ...widget.config, minLeadMinutes: 3 * 1440 }`)
    await changePeriod(page, async () => {
      await page.locator('calendar-month button:focus').waitFor()
      const { min } = (await page.locator('calendar-range').evaluate((range) => ({
        min: Reflect.get(range, 'min'),
      }))) as { min: string }
      expect(Date.parse(min) - Date.now()).toBeGreaterThan(1.5 * 86_400_000)
    })
  })
})

describe('typed dates', () => {
  it('are shown and read in the language of the page', async () => {
    const year = new Date().getFullYear() + 1
    const page = await browser.open(`${site.url}/?lang=de`, { locale: 'en-US' })
    await page.locator('.when').click()
    const shown = (name: string) => page.locator(`[name=${name}Date]`).inputValue()
    expect(await shown('pickup')).toMatch(/^\d\d\.\d\d\.\d{4}$/)
    await typeDate(page, 'pickup', `30.11.${year % 100}`)
    await typeDate(page, 'dropoff', `02/12/${year}`)
    expect([await shown('pickup'), await shown('dropoff')]).toEqual([
      `30.11.${year}`,
      `02.12.${year}`,
    ])
    await typeDate(page, 'dropoff', 'bald')
    await submitPeriod(page)
    await sees(page, /Bitte geben Sie ein Datum wie \d\d\.\d\d\.\d{4} ein\./)
    await typeDate(page, 'dropoff', `3.12.${year % 100}`)
    await submitPeriod(page)
    await page.locator('.when').getByText('3 Tage').waitFor()
  })

  it('are native fields where the browser has a picker of its own', async () => {
    const options = { hasTouch: true, isMobile: true, viewport: { width: 320, height: 568 } }
    const page = await browser.open(site.url, options)
    await page.locator('.when').click()
    expect(await page.locator('[name=pickupDate]').getAttribute('type')).toBe('date')
    // The dialog begins at its top although the calendar does not fit.
    const top = await page.locator('.sheet-head').boundingBox()
    expect(top?.y).toBeGreaterThanOrEqual(0)
  })
})

describe('focus', () => {
  it('is shown in the accent colour, from the keyboard only and not on headings', async () => {
    const page = await browser.open(site.url)
    const outline = `(() => {
      const { activeElement } = document.querySelector('rental-booking').shadowRoot
      const { outlineStyle, outlineColor } = getComputedStyle(activeElement)
      return outlineStyle === 'none' ? 'none' : outlineColor
    })()`
    const accent = `(() => {
      const button = document.querySelector('rental-booking').shadowRoot.querySelector('.primary')
      return getComputedStyle(button).backgroundColor
    })()`
    await page.locator('.when').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(outline)).toBe(await page.evaluate(accent))
    await button(page, 'Show vehicles').click()
    await heading(page, 'Choose a vehicle')
    await expect.poll(() => page.evaluate(outline)).toBe('none')
  })
})

describe('cards', () => {
  it('end each row at the end of the list, for any number of cards', async () => {
    const page = await browser.open(site.url)
    await button(page, 'Show vehicles').click()
    await heading(page, 'Choose a vehicle')
    for (const width of [...widths, 600, 1000]) {
      await page.setViewportSize({ width, height: 800 })
      const gaps = await page.evaluate(`(() => {
        const list = document.querySelector('rental-booking').shadowRoot.querySelector('.vehicles')
        const card = list.lastElementChild
        const end = list.getBoundingClientRect().right
        return Array.from({ length: 9 }, (_, at) => {
          list.replaceChildren(...Array.from({ length: at + 1 }, () => card.cloneNode(true)))
          const rows = new Map([...list.children].map((each) => [each.offsetTop, each]))
          return [...rows.values()].filter((last) => end - last.getBoundingClientRect().right > 1).length
        })
      })()`)
      expect([width, gaps]).toEqual([width, Array(9).fill(0)])
    }
  })
})

describe('description of a vehicle', () => {
  it.each([320, 390, 1280])('shows dots between its points only at %i px', async (width) => {
    const page = await browser.open(site.url, { viewport: { width, height: 800 } })
    await button(page, 'Show vehicles').click()
    await page.locator('.points').first().waitFor()
    const points = await page.evaluate(`(() => {
      const { shadowRoot } = document.querySelector('rental-booking')
      const list = shadowRoot.querySelector('.points')
      const edge = list.parentElement.getBoundingClientRect().left
      return [...list.children].map((point) => {
        const text = document.createRange()
        text.selectNodeContents(point)
        const starts = [...text.getClientRects()].map(({ left }) => Math.round(left - edge))
        const dot = Math.round(point.getBoundingClientRect().left - edge)
        return { isCut: Math.min(...starts) < 0, isFirst: starts[0] === 0, isDotSeen: dot >= 0 }
      })
    })()`)
    for (const { isCut, isFirst, isDotSeen } of points as Record<string, boolean>[]) {
      expect([isCut, isDotSeen]).toEqual([false, !isFirst])
    }
  })
})

describe('bar', () => {
  it.each([
    ['fr', fr],
    ['de', de],
    ['it', italian],
  ])(
    'keeps Back beside the button that leads on, from edge to edge: %s',
    async (language, words) => {
      const page = await browser.open(`${site.url}/?lang=${language}`)
      await visitSteps(
        page,
        async (step) => {
          if (step !== 'extras' && step !== 'details') return
          for (const width of [360, 390]) {
            await page.setViewportSize({ width, height: 844 })
            const [back, onward, bar, frame] = await Promise.all(
              ['.back', '.bar .primary', '.bar', '.widget'].map((part) =>
                page.locator(part).boundingBox(),
              ),
            )
            expect(back?.y).toBe(onward?.y)
            expect([bar?.x, bar?.width]).toEqual([frame?.x, frame?.width])
          }
        },
        words,
      )
    },
  )
})

describe('layout shift', () => {
  /** Opens a page on a slow phone, which counts its layout shifts for `shiftsOn`. */
  async function openSlow(width: number, url: string) {
    const page = await browser.open('about:blank', { viewport: { width, height: 844 } })
    // Without idle time, the widget loads the calendar only when the visitor opens it.
    await page.addInitScript(`window.requestIdleCallback = () => {}
    window.shifts = 0
    window.count = (entries) => {
      for (const { value, hadRecentInput } of entries) if (!hadRecentInput) shifts += value
    }
    window.observer = new PerformanceObserver((list) => count(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })`)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 600,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    // Shifts count from half a second after the visitor's last action.
    await network.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await page.goto(url)
    return page
  }

  /** Returns the sum of the layout shifts since the last call, after the next frame was drawn. */
  const shiftsOn = (page: Page) =>
    page.evaluate(`(async () => {
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      count(observer.takeRecords())
      const sum = shifts
      shifts = 0
      return sum
    })()`)

  it.each(widths)(
    'stays below 0.05 in each step on a slow phone with 600 ms of latency at %i px',
    async (width) => {
      const page = await openSlow(width, site.url)
      await visitSteps(page, async (step) => {
        expect(await shiftsOn(page), step).toBeLessThan(0.05)
        const [first] = await page.locator('.progress:visible').all()
        const { y = 0 } = (await first?.boundingBox()) ?? {}
        expect(y, `the way back in ${step}`).toBeGreaterThanOrEqual(0)
      })
    },
  )

  it.each(widths)(
    'stays below 0.05 and the widget where it is on reload, Back and Forward at %i px',
    async (width) => {
      const page = await openSlow(width, site.url)
      const top = async () => Math.round((await page.locator('.widget').boundingBox())?.y ?? -1)
      await button(page, 'Show vehicles').click()
      const moves = [() => page.reload(), () => page.goBack(), () => page.goForward()]
      for (const [at, move] of moves.entries()) {
        await button(page, at === 2 ? 'Show vehicles' : 'Select Economy').waitFor()
        const before = await top()
        await shiftsOn(page)
        await move()
        await button(page, at === 1 ? 'Show vehicles' : 'Select Economy').waitFor()
        expect(await shiftsOn(page), `move ${at}`).toBeLessThan(0.05)
        expect(await top(), `move ${at}`).toBe(before)
      }
    },
  )

  it.each(widths)(
    'stays below 0.05 while months of the only vehicle of a page arrive at %i px',
    async (width) => {
      const authorization = `Bearer ${await site.useKey()}`
      const { body } = await server.http.get('/api/v1/asset-groups').set({ authorization })
      const page = await openSlow(width, `${site.url}/?vehicle=${body.data[0].id}`)
      const counted = () => page.waitForResponse(/\/availability/)
      await counted()
      const next = page.getByRole('button', { name: 'Next month' })
      await next.waitFor()
      expect(await shiftsOn(page)).toBeLessThan(0.05)
      await Promise.all([counted(), next.click()])
      expect(await shiftsOn(page)).toBeLessThan(0.05)
    },
  )
})

describe('language of the site', () => {
  it.each([
    ['sv-SE', '', 'Visa fordon', 'sv'],
    ['nn-NO', '', 'Vis kjøretøy', 'nb'],
    ['pl-PL', '', 'Show vehicles', 'en'],
    ['sv-SE', '?lang=fr', 'Afficher les véhicules', 'fr'],
  ])(
    'takes the language of the browser or of the link: %s %s',
    async (locale, search, find, name) => {
      const page = await browser.open(`${site.url}/${search}`, { locale })
      await button(page, find).waitFor()
      const list = page.locator('#language')
      expect([await list.inputValue(), await list.locator('option').count()]).toEqual([name, 9])
    },
  )

  it('shows terms, privacy notice and the page for unknown addresses in nine languages', async () => {
    const page = await browser.open(site.url, { complaints: /status of 404/ })
    const languages = ['da', 'de', 'en', 'es', 'fr', 'it', 'nb', 'nl', 'sv']
    const titles = []
    for (const path of ['terms.html', 'privacy.html', 'nowhere']) {
      for (const language of languages) {
        await page.goto(`${site.url}/${path}?lang=${language}`)
        const texts = page.locator('[data-text]')
        expect(await texts.filter({ hasNotText: /./ }).count(), page.url()).toBe(0)
        titles.push(await page.locator('h1').innerText())
        expect(await page.title()).toBe(`${titles.at(-1)}: Fjord Cars`)
        const home = page.locator('.brand')
        expect(await home.getAttribute('href')).toContain(`/?lang=${language}`)
      }
    }
    expect(titles).toContain('Mietbedingungen')
    expect(new Set(titles).size).toBeGreaterThan(2 * languages.length)
  })
})
