import { beforeEach, describe, it } from 'vitest'
import { de } from '../../clients/widget/messages/de.ts'
import { useTestApp } from '../helpers/app.ts'
import { snippetsOf } from '../helpers/snippets.ts'
import { useBrowser } from './browser.ts'
import { expectFit } from './fit.ts'
import { useSite } from './site.ts'
import { looks, openLook, visitSteps } from './steps.ts'
import { applyTheme } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

beforeEach(() => site.useKey())

describe('widget in every look', () => {
  it.each(looks)(
    'fits $width px, $colorScheme, $percent % text, without accessibility violations',
    async (look) => {
      const page = await openLook(browser, site.url, look)
      await visitSteps(page, (step) => expectFit(page, step))
    },
  )

  it('fits the long words of German', async () => {
    const look = { width: 320, colorScheme: 'light', percent: 200 } as const
    const page = await openLook(browser, `${site.url}/?lang=de`, look)
    await visitSteps(page, (step) => expectFit(page, step), de)
  })

  it.each([
    ['warm', 0, { width: 390, colorScheme: 'dark', percent: 100 }],
    ['sober', 1, { width: 1280, colorScheme: 'light', percent: 100 }],
    ['fresh', 2, { width: 768, colorScheme: 'light', percent: 100 }],
  ] as const)(
    'has no accessibility violations in the %s theme of the guide',
    async (_, at, look) => {
      const themes = await snippetsOf('clients/widget/README.md', 'css')
      const page = await openLook(browser, site.url, look)
      await applyTheme(page, themes[at] ?? '')
      await visitSteps(page, (step) => expectFit(page, step))
    },
  )
})
