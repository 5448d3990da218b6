import { describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'
import { sees } from './visitor.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

describe('/docs', () => {
  it('loads in a browser without a complaint, and shows every operation', async () => {
    const page = await browser.open(`${site.apiUrl}/docs`)
    await sees(page, 'Public Rental Booking API')
    await sees(page, 'List the vehicle classes')
    expect(await page.locator('.opblock').count()).toBe(7)
  })
})
