import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { demoSiteConfig } from '../../src/demo/openDemo.ts'
import { openSite } from '../../src/demo/site.ts'
import type { TestApp } from '../helpers/app.ts'
import { aGroup, aKey, anExtra, aTenant } from '../helpers/seed.ts'

/** The example website on its own origin, with a test's server. */
export interface TestSite {
  readonly url: string
  readonly apiUrl: string
  /** Creates a key for the website and other origins. Pages that are opened afterwards use it. */
  useKey(limits?: Record<string, number>, origins?: readonly string[]): Promise<string>
}

/** Serves the website for the tests of one file, with two available classes and one sold out. */
export function useSite(server: TestApp): TestSite {
  const filled = {} as { -readonly [Field in keyof TestSite]: TestSite[Field] }
  let site: Awaited<ReturnType<typeof openSite>>
  beforeAll(async () => {
    const { database, log } = server.deps
    site = await openSite({ host: '127.0.0.1', port: 0, log })
    if (site === undefined) throw new Error('The website did not start')
    const { port, configure } = site
    const tenantId = await aTenant(database)
    const imageUrl = `http://127.0.0.1:${port}/photos/economy.svg`
    const description = '5 seats · 2 suitcases · manual or automatic'
    const economy = { name: 'Economy', assets: 500, imageUrl, description }
    const groupId = await aGroup(database, tenantId, economy)
    await aGroup(database, tenantId, { name: 'Estate', assets: 2, description: 'Five suitcases' })
    await aGroup(database, tenantId, { name: 'Minibus', assets: 0 })
    await anExtra(database, tenantId)
    await anExtra(database, tenantId, {
      name: 'Roof rack',
      pricing: 'per_rental',
      maxPriceMinor: null,
    })
    filled.url = `http://127.0.0.1:${port}`
    filled.apiUrl = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
    filled.useKey = async (limits = {}, others = []) => {
      const { key } = await aKey(database, tenantId, { origins: [filled.url, ...others], limits })
      configure({
        baseUrl: filled.apiUrl,
        apiKey: key,
        read: async () => {
          const known = await demoSiteConfig(database, groupId)
          return { ...known, config: { ...known?.config, pollSeconds: 0.2 } }
        },
      })
      return key
    }
    await filled.useKey()
  })
  afterAll(() => site?.close())
  return filled
}
