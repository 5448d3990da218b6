import type { Logger } from 'pino'
import type { Database } from '../db/connection/database.ts'
import { findTenantOfGroup } from '../db/operatorQueries/tenants.ts'
import { siteConfig } from '../services/siteConfig.ts'
import { demoBanner } from './banner.ts'
import { type DemoDeps, prepareDemo } from './demo.ts'
import { openSite } from './site.ts'

/** The data and the website of a demo; undefined when the database holds tenants that are none. */
export async function openDemo(deps: DemoDeps & { readonly log: Logger }) {
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
    /** The address of the example website; undefined when no port was free. */
    siteUrl: site && `http://${config.host}:${site.port}`,
    /** Connects the website with the API at this address; returns what to print. */
    start(baseUrl: string) {
      const { websiteKey: apiKey, assetGroupId } = demo
      site?.configure({ baseUrl, apiKey, read: () => demoSiteConfig(deps.database, assetGroupId) })
      return demoBanner(demo, baseUrl, site !== undefined, clock.now())
    },
  }
}

/** How many pieces of an extra the website offers; one of any extra not named here. */
const quantityMaxByName: Record<string, number> = { 'Child seat': 4, 'Additional driver': 3 }

/** How often the widget first asks what the staff have decided. */
const pollSeconds = 3

/**
 * What the example website knows of its tenant, and its own choices. Undefined when the group, by
 * which the tenant is known, is gone.
 */
export async function demoSiteConfig(database: Database, assetGroupId: string) {
  const tenant = await findTenantOfGroup(database, assetGroupId)
  if (tenant === undefined) return undefined
  const known = await siteConfig(database, tenant.slug)
  const extras = known.extras.map((extra) => {
    return { ...extra, quantityMax: quantityMaxByName[extra.name] ?? 1 }
  })
  return { config: { ...known, extras, pollSeconds } }
}
