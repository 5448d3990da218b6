import { expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { useBrowser } from './browser.ts'
import { useSite } from './site.ts'

const server = useTestApp()
const site = useSite(server)
const browser = useBrowser()

it('shows the lowest daily rate with its tax in the language of the page, and keeps the text of the page without one', async () => {
  const key = await site.useKey()
  const page = await browser.open(site.url, { complaints: /rental-price|status of 404/ })
  const headers = { authorization: `Bearer ${key}` }
  const { body } = await server.http.get('/api/v1/asset-groups').set(headers)
  const [group] = body.data
  await page.evaluate(`{
    const element = document.createElement('rental-price')
    element.id = 'teaser'
    element.textContent = 'Ask us'
    const attributes = {
      'base-url': '${site.apiUrl}', 'api-key': '${key}', 'asset-group': '${group.id}',
      config: '{ "taxPercent": "25" }', lang: 'de',
    }
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    document.body.append(element)
    import('${site.apiUrl}/widget/v1-price.js')
  }`)
  const element = page.locator('#teaser')
  await element.getByText('ab 623,75 NOK pro Tag').waitFor()
  await page.evaluate("document.querySelector('#teaser').lang = 'en'")
  await element.getByText('from NOK 623.75 a day').waitFor()
  await page.evaluate(`{
    const other = document.querySelector('#teaser').cloneNode()
    other.textContent = 'Ask us'
    other.id = 'unknown'
    other.setAttribute('asset-group', crypto.randomUUID())
    document.body.append(other)
  }`)
  await page.waitForEvent('console', (message) => message.text().includes('<rental-price>'))
  expect(await page.locator('#unknown').innerText()).toBe('Ask us')
})
