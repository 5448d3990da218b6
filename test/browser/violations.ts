import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** A colour on its way to another has the contrast of neither. */
const settled = `Promise.allSettled(document.getAnimations()
  .filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)).then(() => {})`

/** What axe finds on the page as it stands, each as its rule and element. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(settled)
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html: found }) => `${id}: ${found}`))
}
