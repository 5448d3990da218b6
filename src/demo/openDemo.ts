import type { Deps } from '../deps.ts'
import { demoBanner } from './banner.ts'
import { prepareDemo } from './demo.ts'
import { openSite } from './site.ts'
import { demoSiteConfig } from './siteConfig.ts'

/** The data and the website of a demo; undefined when the database holds tenants that are none. */
export async function openDemo(deps: Deps) {
  const { config, log, clock } = deps
  // The website listens first: its port is part of the origins that its key is made for.
  const site = await openSite({ host: config.host, port: config.demoPort, log })
  const close = async () => site?.close()
  const demo = await prepareDemo(deps, site?.port)
  if (demo === undefined) {
    await close()
    return undefined
  }
  return {
    close,
    /** Connects the website with the API at this address; returns what to print. */
    start(baseUrl: string) {
      const { websiteKey: apiKey, assetGroupId } = demo
      site?.configure({ baseUrl, apiKey, read: () => demoSiteConfig(deps.database, assetGroupId) })
      return demoBanner(demo, baseUrl, site !== undefined, clock.now())
    },
  }
}
