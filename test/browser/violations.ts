import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Waits for the end of CSS transitions, because colours in a transition have no defined contrast. */
const animationsEnd = `Promise.allSettled(document.getAnimations()
  .filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)).then(() => {})`

/** Returns the violations that axe finds on the page, each as its rule and element. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(animationsEnd)
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html: found }) => `${id}: ${found}`))
}
