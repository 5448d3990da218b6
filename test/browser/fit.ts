import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsOn } from './violations.ts'

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Elements of the widget that are cut or narrower than a word. */
const cut = `(() => {
  const root = document.querySelector('rental-booking').shadowRoot
  const wide = [...root.querySelectorAll('*')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    const isSeen = element.checkVisibility() && width > 1 && !element.matches('.unseen, .photo')
    return isSeen && getComputedStyle(element).clipPath === 'none' && (left < -1 || right > innerWidth + 1)
  })
  return wide.map((element) => element.outerHTML.slice(0, 120))
})()`

/** The share of the view that a sticking bar covers. */
const barShare = `(() => {
  const bar = document.querySelector('rental-booking').shadowRoot.querySelector('.bar')
  const sticks = bar && getComputedStyle(bar).position === 'sticky'
  return sticks ? bar.offsetHeight / innerHeight : 0
})()`

/** Checks that a step fits the window and has no accessibility violation. */
export async function expectFit(page: Page, step: string): Promise<void> {
  expect([step, await page.evaluate(cut)]).toEqual([step, []])
  expect([step, await page.evaluate(overflow)]).toEqual([step, 0])
  expect(await page.evaluate(barShare), step).toBeLessThan(0.25)
  expect([step, await violationsOn(page)]).toEqual([step, []])
}
